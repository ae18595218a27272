// Queries of the open world, each beside what it must and must not have found.
//
// A body that was in one state throughout a query is judged by that state: found exactly once when
// the area surely touches it, not at all when the area surely misses it or it was not there. One
// that was changed meanwhile may be found in any of its states, and must be when it kept its id and
// the area touches it in all of them.
//
// Half of the queries are blind: they look at no version beforehand, so that nothing but the engine
// orders them after the changes that they come across; of bodies that change only the cell is
// judged then, of witnesses all.
//
// Thread safety: any thread, its own Actor.
#ifndef NOWAIT_TESTS_STRESS_OPEN_WORLD_QUERIES_H_
#define NOWAIT_TESTS_STRESS_OPEN_WORLD_QUERIES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/world/world.h"
#include "tests/stress/open_world_areas.h"
#include "tests/stress/open_world_places.h"
#include "tests/stress/open_world_report.h"

namespace nowait::open_world {

// The places near a query, and the states that their bodies were in while it ran.
class Watch {
 public:
  struct Watched {
    std::uint32_t place;
    std::uint64_t before;
    std::vector<State> states;  // empty: not judged

    bool stood() const { return states.size() == 1; }
  };

  Watch(Places& places, const Bounds<3>& hull, bool blind) : places_(places), blind_(blind) {
    for (const std::uint32_t i : places.In(hull)) {
      watched_.push_back({i, LooksAt(i) ? places[i].LookBefore() : 0, {}});
    }
  }
  // The query has returned.
  void Close(Counts& counts) {
    for (Watched& w : watched_) {
      if (!LooksAt(w.place)) continue;
      Place& place = places_[w.place];
      // Where nothing changes a second look would only bring an order among the threads.
      w.states = place.Between(w.before, Changes(place) ? place.LookAfter() : w.before);
      counts.changed_meanwhile += w.stood() ? 0 : 1;
      counts.too_many_changes += w.states.empty() ? 1 : 0;
    }
    ++counts.queries;
  }
  bool blind() const { return blind_; }
  std::vector<Watched>& watched() { return watched_; }
  const Watched* Of(std::uint32_t place) const {
    for (const Watched& w : watched_) {
      if (w.place == place) return &w;
    }
    return nullptr;
  }

 private:
  static bool Changes(const Place& place) { return place.role != Role::kWitness; }
  bool LooksAt(std::uint32_t place) const { return !blind_ || !Changes(places_[place]); }

  Places& places_;
  const bool blind_;
  std::vector<Watched> watched_;
};

// A query's reports of one body.
struct Found {
  BodyId id;
  std::uint32_t place = kPlaces;
  std::optional<Vec3> position;  // of its copy
};

class Queries {
 public:
  Queries(const World& world, Places& places, Actor& actor)
      : world_(world), places_(places), actor_(actor) {}

  // One query of some kind.
  void Any(const WorldView& view) {
    switch (actor_.random.Below(8)) {
      case 0:
        return Rays(view);
      case 1:
        return Nearest(view);
      case 2:
      case 3:
        return InBox(view);
      default:
        return Collect(view);
    }
  }

  void Collect(const WorldView& view) {
    const QueryArea area = SomeArea();
    Does("Collect", Words(area));
    Watch watch = Open(HullOf(area));
    std::vector<BodySnapshot> copies;
    view.Collect(area, {}, copies, actor_.wait);
    std::vector<Found> found;
    for (const BodySnapshot& copy : copies) {
      found.push_back({copy.id, static_cast<std::uint32_t>(copy.user), copy.position});
    }
    watch.Close(actor_.counts);
    Judge(area, watch, found);
  }

  void InBox(const WorldView& view) {
    const Bounds<3> area = SomeBox();
    Does("FindInBox", Words(area));
    Watch watch = Open(area);
    std::vector<BodyId> ids;
    view.FindInBox(area, {}, ids, actor_.wait);
    watch.Close(actor_.counts);
    std::vector<Found> found;
    for (const BodyId id : ids) {
      if (const auto place = PlaceOf(watch, id)) found.push_back({id, *place, {}});
    }
    Judge(area, watch, found);
  }

  void Nearest(const WorldView& view) {
    const Vec3 point = Somewhere();
    const float limit = actor_.random.Between(0, 14);
    Does("FindNearest", Places::Words(point) + " limit " + std::to_string(limit));
    Watch watch = Open(HullOf(Ball{point, limit}));
    const std::optional<NearBody> nearest = view.FindNearest(point, limit, {}, actor_.wait);
    watch.Close(actor_.counts);
    const double distance = static_cast<double>(nearest ? nearest->distance : limit);
    for (const Watch::Watched& w : watch.watched()) {
      if (!w.stood() || !w.states[0].present()) continue;
      if (Distance(places_[w.place].Sure(w.states[0]), point) + 2 * kSlack < distance) {
        return Wrong(w.place, "is nearer than what was found, at " + std::to_string(distance));
      }
      ++actor_.counts.had_to_be_found;
    }
    if (!nearest) return;
    CheckOne(watch, nearest->body, "is not at the distance that was found",
             [&](auto&& place, auto&& s) {
               return Distance(place.Possible(s), point) <= distance + 1e-3 &&
                      Distance(place.Sure(s), point) + static_cast<double>(2 * kSlack) >= distance;
             });
  }

  void Rays(const WorldView& view) {
    std::vector<RayCast> rays;
    for (std::uint32_t i = actor_.random.Below(3) + 1; i != 0; --i) {
      const Vec3 from = Somewhere();
      rays.push_back({from, Somewhere() - from});
    }
    std::vector<std::optional<RayHit>> hits(rays.size());
    Does("CastRays", Places::Words(rays[0].origin) + " by " + Places::Words(rays[0].translation));
    Watch watch = Open(HullOfRays(rays));
    if (rays.size() == 1) {
      hits[0] = world_.CastRay(rays[0], {}, actor_.wait);
    } else {
      view.CastRays(rays, {}, hits, actor_.wait);
    }
    watch.Close(actor_.counts);
    for (std::size_t i = 0; i < rays.size(); ++i) JudgeRay(watch, rays[i], hits[i]);
  }

 private:
  void Does(const char* query, const std::string& what) {
    blind_ = actor_.random.Below(2) == 0;
    actor_.Does((blind_ ? "blind " : "") + std::string(query) + " " + what);
  }
  Watch Open(const Bounds<3>& hull) { return Watch(places_, hull, blind_); }

  void Wrong(std::uint32_t place, const std::string& what) {
    actor_.Fail(places_.Words(place) + " " + what);
  }

  Vec3 Somewhere() {
    if (actor_.random.Below(2) == 0) return places_[places_.hot()].Somewhere(actor_.random);
    const float far = kCell * kSide + 4.0f;
    return actor_.random.InBox({-4, -4, -4}, {far, far, far});
  }
  Vec3 SomeHalf() {
    const float size = actor_.random.Below(8) == 0 ? 16.0f : 6.0f;
    return actor_.random.InBox({0, 0, 0}, {size, size, size});
  }
  Bounds<3> SomeBox() {
    const Vec3 centre = Somewhere();
    const Vec3 half = SomeHalf();
    return ToBounds(centre - half, centre + half);
  }
  QueryArea SomeArea() {
    Random& random = actor_.random;
    switch (random.Below(5)) {
      case 0:
        return SomeBox();
      case 1:
        return Ball{Somewhere(), random.Between(0, 10)};
      case 2:
        return OrientedBox{Somewhere(), SomeHalf(), random.Rotation()};
      case 3:
        return SweptBox{Somewhere(), SomeHalf() * 0.3f, SomeHalf() * 2.0f};
      default: {
        const Vec3 point = Somewhere();
        return ToBounds(point, point);
      }
    }
  }
  static Bounds<3> HullOfRays(const std::vector<RayCast>& rays) {
    Bounds<3> hull = Bounds<3>::Empty();
    for (const RayCast& ray : rays) {
      const Vec3 to = ray.origin + ray.translation;
      hull.Include(ToBounds(Min(ray.origin, to), Max(ray.origin, to)));
    }
    return hull;
  }

  // Whose body this is, or was while the query ran. Nothing when it cannot be known any more.
  std::optional<std::uint32_t> PlaceOf(Watch& watch, BodyId id) {
    bool unknown = watch.blind();
    for (const Watch::Watched& w : watch.watched()) {
      unknown = unknown || w.states.empty();
      for (const State& state : w.states) {
        if (state.id_bits == id.bits()) return w.place;
        unknown = unknown || state.id_bits == State::kNotYetKnown;
      }
    }
    const auto body = world_.GetBody(id, actor_.wait);
    if (body) return static_cast<std::uint32_t>(body->user);
    if (!unknown) {
      actor_.Fail("body " + std::to_string(id.bits()) + " was found and belongs to no place");
    }
    return std::nullopt;
  }

  template <class Area>
  void Judge(const Area& area, Watch& watch, const std::vector<Found>& found) {
    for (const Found& one : found) {
      if (watch.Of(one.place) == nullptr) {
        return actor_.Fail("body " + std::to_string(one.id.bits()) + " of place " +
                           std::to_string(one.place) + " was found, whose cell is not near");
      }
      const Place& place = places_[one.place];
      if (one.position && !Contains(GrownBy(CellOf(place), {kSlack, kSlack, kSlack}),
                                    ToBounds(*one.position, *one.position))) {
        return Wrong(one.place, "was found at " + Places::Words(*one.position));
      }
    }
    for (const Watch::Watched& w : watch.watched()) {
      if (!w.states.empty()) JudgePlace(area, w, found);
    }
  }

  static Bounds<3> CellOf(const Place& place) {
    const Vec3 half = Vec3{0.5f, 0.5f, 0.5f} * kCell;
    return ToBounds(place.centre - half, place.centre + half);
  }

  template <class Area>
  void JudgePlace(const Area& area, const Watch::Watched& w, const std::vector<Found>& found) {
    const Place& place = places_[w.place];
    std::vector<Found> mine;
    for (const Found& one : found) {
      if (one.place != w.place) continue;
      for (const Found& other : mine) {
        if (other.id == one.id) return Wrong(w.place, "was found twice");
      }
      mine.push_back(one);
    }
    // Found: in one of its states.
    for (const Found& one : mine) {
      const bool possible = std::ranges::any_of(w.states, [&](const State& state) {
        return HasId(state, one.id) && !SurelyMisses(area, place.Possible(state)) &&
               (!one.position || place.MayBeAt(state, *one.position));
      });
      if (!possible) {
        return Wrong(w.place, "was found as body " + std::to_string(one.id.bits()) +
                                  (one.position ? " at " + Places::Words(*one.position) : "") +
                                  ", which it was not there meanwhile: " + Words(w.states));
      }
      actor_.counts.found_changing += w.stood() ? 0 : 1;
    }
    // Not found: there is a state in which it may be missed, or it was another body in the middle.
    const bool throughout = std::ranges::all_of(w.states, [&](const State& state) {
      return state.present() && state.id_bits == w.states[0].id_bits &&
             SurelyTouches(area, place.Sure(state));
    });
    if (throughout && mine.empty()) {
      return Wrong(w.place, "was not found, and was there throughout: " + Words(w.states));
    }
    if (!w.stood()) return;
    actor_.counts.had_to_be_found += throughout ? 1 : 0;
    actor_.counts.must_not_be_found += mine.empty() && !throughout ? 1 : 0;
  }

  void JudgeRay(Watch& watch, const RayCast& ray, const std::optional<RayHit>& hit) {
    const double slack = 0.05 / std::max(0.05, static_cast<double>(Length(ray.translation)));
    const double fraction = hit ? static_cast<double>(hit->fraction) : 1.0 + slack;
    for (const Watch::Watched& w : watch.watched()) {
      const Place& place = places_[w.place];
      if (!w.stood() || !w.states[0].present()) continue;
      const double at =
          Enters(ray, w.states[0].position, static_cast<double>(place.radius - kSlack));
      if (at < 0) continue;
      ++actor_.counts.had_to_be_found;
      if (at + slack < fraction) {
        return Wrong(w.place, "stands in the ray's way at " + std::to_string(at) +
                                  ", and the hit is at " + std::to_string(fraction) + ": " +
                                  Words(w.states));
      }
    }
    if (!hit) return;
    CheckOne(watch, hit->body, "is not where the ray hit it", [&](auto&& place, auto&& state) {
      if (!Contains(place.Possible(state), ToBounds(hit->point, hit->point))) return false;
      if (place.role == Role::kDrifter || hit->fraction == 0.0f) return true;
      return std::abs(Length(hit->point - state.position) - place.radius) < 5 * kSlack;
    });
  }

  // The one body that was found is so in one of its states.
  template <class IsIt>
  void CheckOne(Watch& watch, BodyId id, const char* otherwise, IsIt&& is_it) {
    const auto at = PlaceOf(watch, id);
    if (!at) return;
    const Watch::Watched* w = watch.Of(*at);
    if (w == nullptr) return Wrong(*at, "was found, whose cell is not near");
    if (w->states.empty()) return;
    const bool possible = std::ranges::any_of(w->states, [&](const State& state) {
      return HasId(state, id) && is_it(places_[*at], state);
    });
    if (!possible) Wrong(*at, otherwise + (": " + Words(w->states)));
  }

  static bool HasId(const State& state, BodyId id) {
    return state.id_bits == id.bits() || state.id_bits == State::kNotYetKnown;
  }
  static std::string Words(const QueryArea& area) { return open_world::Words(area); }
  static std::string Words(const std::vector<State>& states) {
    std::string words;
    for (const State& state : states) {
      words += words.empty() ? "" : ", then ";
      words += state.present() ? "body " + std::to_string(state.id_bits) + " at " +
                                     Places::Words(state.position)
                               : "nobody";
    }
    return words;
  }

  const World& world_;
  Places& places_;
  Actor& actor_;
  bool blind_ = false;
};

}  // namespace nowait::open_world

#endif  // NOWAIT_TESTS_STRESS_OPEN_WORLD_QUERIES_H_
