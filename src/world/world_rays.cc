// Queries with a ray: the nearest hit, whether there is any, and all of them.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/broadphase/shape_probes.h"
#include "src/broadphase/tracing_probe.h"
#include "src/collision/far_ray.h"
#include "src/world/query_bodies.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

// A ray that floats can follow: the way along it is the fraction. It has what the searches below
// need of FarRay, where metres along the ray decide: there the fractions of neighbouring bodies
// round to the same value.
class NearRay {
 public:
  explicit NearRay(const RayCast& ray) : ray_(ray) {}

  struct Hit {
    float along;
    Vec3 normal;
    std::uint32_t child;
    std::uint8_t material;
  };

  static float end() { return 1.0f; }
  static float FractionAt(float along) { return along; }
  Vec3 PointAt(float along) const { return ray_.origin + ray_.translation * along; }

  std::optional<Hit> Cast(float max_along, const Shape& shape, Vec3 position, Quat rotation) const {
    const auto hit = CastAgainstShape(ray_, max_along, shape, position, rotation);
    if (!hit) return std::nullopt;
    return Hit{hit->fraction, hit->normal, hit->child, hit->material};
  }

 private:
  RayCast ray_;
};

// Calls search(line), with the ray as the kind of line that can follow it. A ray that is not finite
// hits nothing.
template <class Search>
void Follow(const RayCast& ray, const Search& search) {
  if (!IsFinite(ray.origin) || !IsFinite(ray.translation)) return;
  if (FarRay::IsFar(ray)) return search(FarRay(ray));
  search(NearRay(ray));
}

// A body on a line's way.
template <class Line>
struct Met {
  BodyId body;
  typename Line::Hit hit;

  // Of two bodies at the same distance the one with the lower id is the nearer one, so that the
  // tree's shape does not matter.
  bool IsNearerThan(const Met& other) const {
    return hit.along < other.hit.along || (hit.along == other.hit.along && body < other.body);
  }
};

template <class Line>
RayHit ToRayHit(const Line& line, const Met<Line>& met) {
  return {met.body,
          std::min(line.FractionAt(met.hit.along), 1.0f),
          line.PointAt(met.hit.along),
          met.hit.normal,
          met.hit.child,
          met.hit.material};
}

// Where the line meets a body that passes, if not farther along than `limit`.
template <class Line, class Along>
std::optional<Met<Line>> Meet(Search& search, const Line& line, Along limit, ProxyId proxy) {
  Target target;
  const auto id = search.Copy(proxy, target);
  if (!id) return std::nullopt;
  const auto hit = line.Cast(limit, target.shape, target.position, target.rotation);
  if (!hit) return std::nullopt;
  return Met<Line>{*id, *hit};
}

// Calls meet(proxy, rest) for the bodies that the walks come upon; meet returns how far along the
// ray bodies still matter, below zero when no more do. walk(layers, each) begins anew, with `each`
// as BroadPhase::View::QueryRay has it.
template <class Walk, class Meet>
void LookAlong(Search& search, const Walk& walk, const Meet& meet) {
  float rest = 1.0f;
  const auto walk_all = [&](LayerSet layers, const auto& each) {
    rest = 1.0f;
    walk(layers, [&](ProxyId proxy, float) {
      each(proxy);
      return rest;
    });
  };
  search.LookAtAll(walk_all, [&](ProxyId proxy) {
    rest = meet(proxy, rest);
    return rest >= 0.0f;
  });
}

// begin() is called before each walk.
template <class Begin, class Meet>
void LookAlong(Search& search, const RayCast& ray, const Begin& begin, const Meet& meet) {
  const auto walk = [&](LayerSet layers, const auto& each) {
    begin();
    search.reading().tree.QueryRay({ToArray(ray.origin), ToArray(ray.translation), 1.0f}, each,
                                   layers);
  };
  LookAlong(search, walk, meet);
}

// look(begin, meet): LookAlong, or one that keeps a trace.
template <class Look>
std::optional<RayHit> NearestHit(Search& search, const RayCast& ray, const Look& look) {
  std::optional<RayHit> nearest;
  Follow(ray, [&]<class Line>(const Line& line) {
    std::optional<Met<Line>> best;
    look([&] { best.reset(); },
         [&](ProxyId proxy, float rest) {
           const auto met = Meet(search, line, best ? best->hit.along : line.end(), proxy);
           if (!met) return rest;
           if (!best || met->IsNearerThan(*best)) best = met;
           return line.FractionAt(best->hit.along);
         });
    if (best) nearest = ToRayHit(line, *best);
  });
  return nearest;
}

std::optional<RayHit> NearestHit(Search search, const RayCast& ray) {
  return NearestHit(search, ray, [&](const auto& begin, const auto& meet) {
    LookAlong(search, ray, begin, meet);
  });
}

// Of several lives of one body (a body that was removed and put back meanwhile is met twice) the
// nearest one; all in the order in which the line meets them.
template <class Line>
void Order(std::vector<Met<Line>>& met) {
  std::ranges::sort(met, [](const auto& a, const auto& b) {
    return a.body != b.body ? a.body < b.body : a.IsNearerThan(b);
  });
  const auto rest = std::ranges::unique(met, {}, &Met<Line>::body);
  met.erase(rest.begin(), rest.end());
  std::ranges::sort(met, [](const auto& a, const auto& b) { return a.IsNearerThan(b); });
}

}  // namespace

std::optional<RayHit> World::CastRay(const RayCast& ray, const QueryFilter& filter,
                                     WaitTime& wait) const {
  const Reading reading(parts_->state);
  return NearestHit(Search(reading, filter, wait), ray);
}

void World::TraceRay(const RayCast& ray, const QueryFilter& filter, WaitTime& wait,
                     RayTrace& out) const {
  const Reading reading(parts_->state);
  out.ray = ray;
  const auto begin = [&out] {
    out.nodes.clear();
    out.bodies = 0;
  };
  begin();  // a ray that is not finite walks nowhere
  Search search(reading, filter, wait);
  out.hit = NearestHit(search, ray, [&](const auto& begin_anew, const auto& meet) {
    const auto walk = [&](LayerSet layers, const auto& each) {
      begin();
      begin_anew();
      TracingProbe probe(RayProbe<3>(Ray<3>{ToArray(ray.origin), ToArray(ray.translation), 1.0f}),
                         out.nodes);
      const auto meet_and_count = [&](ProxyId body) {
        ++out.bodies;
        probe.set_max_fraction(each(body, probe.max_fraction()));
        return probe.max_fraction() >= 0.0f;
      };
      reading.tree.Query(probe, meet_and_count, layers);
    };
    LookAlong(search, walk, meet);
  });
}

std::optional<RayHit> WorldView::CastRay(const RayCast& ray, const QueryFilter& filter,
                                         WaitTime& wait) const {
  return NearestHit(Search(parts_->reading, filter, wait), ray);
}

void WorldView::CastRays(std::span<const RayCast> rays, const QueryFilter& filter,
                         std::span<std::optional<RayHit>> hits, WaitTime& wait) const {
  NOWAIT_ASSERT(rays.size() == hits.size(), "there is a place for each ray's hit");
  for (std::size_t i = 0; i < rays.size(); ++i) {
    hits[i] = NearestHit(Search(parts_->reading, filter, wait), rays[i]);
  }
}

bool WorldView::IsBlocked(const RayCast& ray, const QueryFilter& filter, WaitTime& wait) const {
  Search search(parts_->reading, filter, wait);
  bool blocked = false;
  Follow(ray, [&](const auto& line) {
    LookAlong(
        search, ray, [] {},
        [&](ProxyId proxy, float rest) {
          blocked = Meet(search, line, line.end(), proxy).has_value();
          return blocked ? -1.0f : rest;
        });
  });
  return blocked;
}

void WorldView::CollectHits(const RayCast& ray, const QueryFilter& filter, std::vector<RayHit>& out,
                            WaitTime& wait, std::size_t limit) const {
  out.clear();
  if (limit == 0) return;
  Search search(parts_->reading, filter, wait);
  Follow(ray, [&]<class Line>(const Line& line) {
    const auto is_nearer = [](const auto& a, const auto& b) { return a.IsNearerThan(b); };
    std::vector<Met<Line>> kept;  // a heap, with the farthest in front
    const auto is_full = [&] { return kept.size() == limit; };
    const auto keep = [&](ProxyId proxy, float rest) {
      const auto met = Meet(search, line, is_full() ? kept.front().hit.along : line.end(), proxy);
      if (!met) return rest;
      if (is_full()) {
        if (!met->IsNearerThan(kept.front())) return rest;
        std::ranges::pop_heap(kept, is_nearer);
        kept.pop_back();
      }
      kept.push_back(*met);
      std::ranges::push_heap(kept, is_nearer);
      return is_full() ? line.FractionAt(kept.front().hit.along) : rest;
    };
    LookAlong(
        search, ray, [&] { kept.clear(); }, keep);
    Order(kept);
    for (const Met<Line>& met : kept) out.push_back(ToRayHit(line, met));
  });
}

}  // namespace nowait
