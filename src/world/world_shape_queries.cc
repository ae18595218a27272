// Queries with a convex shape: a cast, and the closest body.
#include <algorithm>
#include <cmath>

#include "src/broadphase/shape_probes.h"
#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/shape_cast.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/support.h"
#include "src/world/make_body.h"
#include "src/world/query_bodies.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

Result<void> Validate(const PlacedShape& placed) {
  if (Result<void> valid = Validate(placed.shape); !valid) return valid;
  if (!IsConvex(placed.shape)) {
    return Fail(ErrorCode::kInvalidArgument, "shape kind", 0, "it is not convex");
  }
  return ValidatePlace(placed.shape, placed.position, placed.rotation);
}

Vec3 HalfOf(const Bounds<3>& box) { return (MaxOf(box) - MinOf(box)) * 0.5f; }

}  // namespace

Result<std::optional<RayHit>> WorldView::CastShape(const PlacedShape& shape, Vec3 translation,
                                                   const QueryFilter& filter,
                                                   WaitTime& wait) const {
  if (Result<void> valid = Validate(shape); !valid) return std::unexpected(valid.error());
  const Vec3 size = Abs(translation);
  if (!(size.x <= kFarthestCast && size.y <= kFarthestCast && size.z <= kFarthestCast)) {
    return Fail(ErrorCode::kInvalidArgument, "translation", 0, "not within 1e7 metres");
  }
  const Placed moving(shape.shape, shape.position, Normalise(shape.rotation));
  const Bounds<3> box = BoundsIn(shape.shape, shape.position, moving.rotation);
  // Room for the rounding of the box.
  const Vec3 half = HalfOf(box) * 1.001f + Vec3{kCastPrecision, kCastPrecision, kCastPrecision};
  const SweptBoxProbe<3> whole(Ray<3>{ToArray(shape.position), ToArray(translation), 1.0f},
                               ToArray(half));
  SweptBoxProbe<3> probe = whole;
  Search search(parts_->reading, filter, wait);
  std::optional<RayHit> best;
  const auto meet = [&](ProxyId proxy) {
    Target target;
    const auto id = search.Copy(proxy, target);
    if (!id) return true;
    const auto hit = CastShapeAgainst(moving, translation, best ? best->fraction : 1.0f,
                                      Placed(target.shape, target.position, target.rotation));
    // Of two bodies at the same distance the one with the lower id, as for rays.
    if (!hit || (best && hit->fraction == best->fraction && !(*id < best->body))) return true;
    best = RayHit{*id, hit->fraction, hit->point, hit->normal, hit->child, hit->material};
    probe.set_max_fraction(hit->fraction);
    return true;
  };
  const auto walk = [&](LayerSet layers, const auto& each) {
    best.reset();
    probe = whole;
    search.reading().tree.Query(probe, each, layers);
  };
  search.LookAtAll(walk, meet);
  return best;
}

Result<std::optional<ClosestBody>> WorldView::FindClosest(const PlacedShape& shape, float distance,
                                                          const QueryFilter& filter,
                                                          WaitTime& wait) const {
  if (Result<void> valid = Validate(shape); !valid) return std::unexpected(valid.error());
  if (!(distance >= 0.0f && distance <= kFarthestCast)) {
    return Fail(ErrorCode::kInvalidArgument, "distance", 0, "0 .. 1e7 metres");
  }
  const Placed placed(shape.shape, shape.position, Normalise(shape.rotation));
  // A body at some distance from the shape has a box that is at most a radius farther from its
  // middle.
  const float radius =
      Length(HalfOf(BoundsIn(shape.shape, shape.position, placed.rotation))) * 1.001f;
  const NearestProbe<3> whole(ToArray(shape.position), distance + radius);
  NearestProbe<3> probe = whole;
  Search search(parts_->reading, filter, wait);
  std::optional<ClosestBody> best;
  const auto meet = [&](ProxyId proxy) {
    Target target;
    const auto id = search.Copy(proxy, target);
    if (!id) return true;
    const auto points =
        FindClosestPoints(placed, Placed(target.shape, target.position, target.rotation),
                          best ? std::max(best->distance, 0.0f) : distance);
    if (!points) return true;
    const bool is_nearer = !best || points->distance < best->distance ||
                           (points->distance == best->distance && *id < best->body);
    if (!is_nearer) return true;
    best = ClosestBody{*id,           points->distance, points->on_a, points->on_b, points->normal,
                       points->child, points->material};
    const float reach = std::max(points->distance, 0.0f) + radius;
    probe.set_squared_limit(reach * reach);
    return true;
  };
  const auto walk = [&](LayerSet layers, const auto& each) {
    best.reset();
    probe = whole;
    search.reading().tree.Query(probe, each, layers);
  };
  search.LookAtAll(walk, meet);
  return best;
}

}  // namespace nowait
