// A query finds each body that passes its filter and whose box overlapped throughout; it does
// not find a body that was gone, or nowhere near, throughout the query.
#include <algorithm>
#include <cmath>
#include <vector>

#include "src/collision/ray_cast.h"
#include "tests/whole/world/check.h"
#include "tests/whole/world/dictionary.h"
#include "tests/whole/world/geometry.h"

namespace nowait::world_programs {
namespace {

constexpr float kRounding = 2e-3f;

// One query and the bodies of its world.
class Query {
 public:
  Query(const Record& record, const Lives& lives) : record_(record), lives_(lives) {
    filter_ = FilterOf(record.call);
  }

  Failure Judge() const {
    const Kind kind = record_.call.kind;
    if (kind == Kind::kGet) return record_.error ? Failure() : Copies();
    for (const BodyId id : record_.ids) {
      if (Failure failure = MayBeFound(id)) return failure;
    }
    for (const auto& hit : record_.hits) {
      if (!hit) continue;
      if (Failure failure = MayBeFound(hit->body)) return failure;
    }
    if (Failure failure = Copies()) return failure;
    switch (kind) {
      case Kind::kFind:
        return InArea(BoxOf(record_.call), lives_.size() + 1);
      case Kind::kCollect: {
        const std::size_t limit = record_.call.count < 8 ? 1000 : record_.call.count - 8;
        return InArea(AreaOf(record_.call), limit);
      }
      case Kind::kNearest:
        return Near(1);
      case Kind::kCollectNearest:
        return Near(record_.call.count);
      default:
        return Rays();
    }
  }

 private:
  bool Passes(const Life& life, Layer layer) const {
    const bool is_static = life.def.type == BodyType::kStatic;
    return (is_static ? filter_.statics : filter_.dynamics) && filter_.layers.Has(layer) &&
           InItsTree(layer) && !(Ignores(record_.call) && life.id == record_.id) &&
           (!Asks(record_.call) || Accepts(life.def.user));
  }
  // In some layer that it may have had, and in each.
  bool MayPass(const Life& life) const {
    return std::ranges::any_of(LayersOf(life), [&](Layer at) { return Passes(life, at); });
  }
  bool Passes(const Life& life) const {
    return std::ranges::all_of(LayersOf(life), [&](Layer at) { return Passes(life, at); });
  }
  // Without statics the static layer is not entered, and so on: a body of a game's layer is.
  bool InItsTree(Layer layer) const {
    if (layer == Layer::kStatic) return filter_.statics;
    return layer != Layer::kDynamic || filter_.dynamics;
  }

  bool WasHere(const Life& life) const {
    return life.ever_was() && life.IsHere(record_.begin, record_.end);
  }
  std::optional<std::vector<Put>> Places(const Life& life) const {
    return PlacesOf(life, record_.begin, record_.end);
  }
  std::vector<Layer> LayersOf(const Life& life) const {
    return HadOf(life.layers, record_.begin, record_.end);
  }
  std::vector<Shape> ShapesOf(const Life& life) const {
    return HadOf(life.shapes, record_.begin, record_.end);
  }
  // The shapes in the places that the body may have had.
  struct Form {
    Shape shape;
    Put put;
    Bounds<3> box() const { return BoxAround(shape, put); }
  };
  std::optional<std::vector<Form>> FormsOf(const Life& life) const {
    const auto places = Places(life);
    if (!places) return std::nullopt;
    std::vector<Form> forms;
    for (const Shape& shape : ShapesOf(life)) {
      for (const Put& put : *places) forms.push_back({shape, put});
    }
    return forms;
  }

  Failure MayBeFound(BodyId id) const {
    const auto at = lives_.find(id);
    if (at == lives_.end()) return "a query finds an id that was never given";
    if (!at->second.MayBeHere(record_.begin, record_.end)) {
      return "a query finds a body that was never there meanwhile: id " + std::to_string(id.bits());
    }
    if (!MayPass(at->second)) {
      return "a query finds a body that its filter leaves out: id " + std::to_string(id.bits());
    }
    return {};
  }

  // Each copy is of a body whole, at one moment.
  Failure Copies() const {
    for (const BodySnapshot& body : record_.bodies) {
      const auto at = lives_.find(body.id);
      if (at == lives_.end() || !at->second.ever_was()) return "a copy of a body that never was";
      const Life& life = at->second;
      if (body.user != life.def.user || body.type != life.def.type) {
        return "a copy under one body's id is of another body";
      }
      const auto has = [](const auto& all, const auto& one) {
        return std::ranges::find(all, one) != all.end();
      };
      if (!has(ShapesOf(life), body.shape) || !has(LayersOf(life), body.layer)) {
        return "a copy of a body shows a shape or a layer that it never had meanwhile: id " +
               std::to_string(body.id.bits());
      }
      const auto places = Places(life);
      const auto is_there = [&](const Put& put) { return put.position == body.position; };
      if (places && std::ranges::none_of(*places, is_there)) {
        return "a copy of a body shows a place where it never was meanwhile: id " +
               std::to_string(body.id.bits());
      }
    }
    return {};
  }

  Failure InArea(const QueryArea& area, std::size_t limit) const {
    if (std::ranges::adjacent_find(record_.ids, [](BodyId a, BodyId b) { return !(a < b); }) !=
        record_.ids.end()) {
      return "what a query finds does not ascend, each once";
    }
    if (record_.ids.size() > limit) return "a query finds more than its limit";
    if (!IsFiniteArea(area)) {
      return record_.ids.empty() ? Failure() : "an area that is not finite touches something";
    }
    for (const BodyId id : record_.ids) {
      const Life& life = lives_.at(id);
      const auto forms = FormsOf(life);
      const auto is_near = [&](const Form& form) {
        return Overlaps(Widest(area, life.def.type, form.shape), form.box());
      };
      if (forms && std::ranges::none_of(*forms, is_near)) {
        return "a query finds a body that was nowhere near: id " + std::to_string(id.bits());
      }
    }
    if (record_.ids.size() == limit) return {};
    const auto* const box = std::get_if<Bounds<3>>(&area);
    const bool is_everything = box != nullptr && box->max[0] >= kEverywhere;
    for (const auto& [id, life] : lives_) {
      if (!WasHere(life) || !Passes(life) ||
          std::ranges::find(record_.ids, id) != record_.ids.end()) {
        continue;
      }
      const auto forms = FormsOf(life);
      const auto is_touched = [&](const Form& form) { return IsTouched(area, form.box()); };
      if (is_everything || (forms && std::ranges::all_of(*forms, is_touched))) {
        return "a query does not find a body that overlapped throughout: id " +
               std::to_string(id.bits());
      }
    }
    return {};
  }

  Failure Near(std::size_t count) const {
    const Vec3 point = PlaceOf(record_.call.place);
    if (!IsFinite(point)) return {};
    if (record_.ids.size() > count) return "a query finds more than its limit";
    if (!std::ranges::is_sorted(record_.distances)) return "the nearest do not come first";
    const bool is_full = record_.ids.size() == count;
    for (std::size_t i = 0; i < record_.ids.size(); ++i) {
      const auto [low, high] = Distances(lives_.at(record_.ids[i]), point);
      if (record_.distances[i] < low - kRounding || record_.distances[i] > high + kRounding) {
        return "the distance of a near body is not that of its box";
      }
    }
    if (is_full && count == 0) return {};
    const float reach = is_full ? record_.distances.back() : DistanceOf(record_.call);
    for (const auto& [id, life] : lives_) {
      if (!WasHere(life) || !Passes(life) ||
          std::ranges::find(record_.ids, id) != record_.ids.end()) {
        continue;
      }
      const auto [low, high] = Distances(life, point);
      if (high < reach - kRounding) {
        return "a body that was near throughout is not among the nearest: id " +
               std::to_string(id.bits());
      }
      // Inside a box the distance is 0 and no rounding of it: there the ids decide.
      if (is_full && reach == 0.0f &&
          id < *std::max_element(record_.ids.begin(), record_.ids.end()) &&
          WasAround(life, point)) {
        return "of bodies that are equally near one with a lower id is left out: id " +
               std::to_string(id.bits());
      }
    }
    return {};
  }

  struct Range {
    float low;
    float high;
  };
  Range Distances(const Life& life, Vec3 point) const {
    const auto forms = FormsOf(life);
    if (!forms) return {0.0f, INFINITY};
    Range range{INFINITY, 0.0f};
    for (const Form& form : *forms) {
      const float distance = DistanceTo(form.box(), point);
      range.low = std::min(range.low, distance);
      range.high = std::max(range.high, distance);
    }
    return range;
  }

  // Whether the body's box was around the point throughout, with room for rounding.
  bool WasAround(const Life& life, Vec3 point) const {
    const auto forms = FormsOf(life);
    const Vec3 room{kRounding, kRounding, kRounding};
    return forms && std::ranges::all_of(*forms, [&](const Form& form) {
             return Contains(form.box(), ToBounds(point - room, point + room));
           });
  }

  Failure Rays() const {
    for (std::uint32_t i = 0; i < record_.hits.size(); ++i) {
      if (Failure failure = OneRay(RayOf(record_.call, i), record_.hits[i])) return failure;
    }
    return {};
  }

  Failure OneRay(const RayCast& ray, const std::optional<RayHit>& hit) const {
    if (!IsFinite(ray.origin)) return hit ? Failure("a ray that is not finite hits") : Failure();
    for (const auto& [id, life] : lives_) {
      const bool is_hit = hit && hit->body == id;
      if (!is_hit && (!WasHere(life) || !Passes(life))) continue;
      const auto forms = FormsOf(life);
      if (!forms) continue;
      float farthest = 0.0f;
      bool always = !forms->empty();
      bool fits = false;
      for (const auto& [shape, put] : *forms) {
        const auto cast = CastAgainstShape(ray, 1.0f, shape, put.position, put.rotation);
        always = always && cast;
        farthest = std::max(farthest, cast ? cast->fraction : 1.0f);
        fits = fits || (cast && is_hit && std::abs(cast->fraction - hit->fraction) < kRounding);
      }
      if (is_hit && !fits) {
        return "a ray hits a body where it never was meanwhile: id " + std::to_string(id.bits());
      }
      if (always && WasHere(life) && (!hit || hit->fraction > farthest + kRounding)) {
        return "a ray passes through a body that was there throughout: id " +
               std::to_string(id.bits());
      }
    }
    return {};
  }

  const Record& record_;
  const Lives& lives_;
  QueryFilter filter_;
};

}  // namespace

Failure CheckQueries(const WorldProgram&, const History& history, const LivesOfWorlds& lives) {
  for (const Record& record : history.records) {
    const Kind kind = record.call.kind;
    if (kind != Kind::kGet && kind < Kind::kRay) continue;
    const Failure failure = Query(record, lives.worlds[record.call.world]).Judge();
    if (failure) return Broken(failure->promise + ": " + ToString(record), record.end);
  }
  return {};
}

}  // namespace nowait::world_programs
