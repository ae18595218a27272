#include "src/collision/ray_cast_compound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/collision/box_entry.h"
#include "src/math/bounds.h"

namespace nowait {
namespace {

// Of the size of the places: room for the rounding of a way that grazes a box.
constexpr float kRounding = 1e-6f;

}  // namespace

std::optional<std::uint32_t> ChildAround(Vec3 point, const CompoundShape& compound) {
  std::optional<std::uint32_t> around;
  compound.tree().VisitLeaves(ToBounds(point, point),
                              [&](std::uint32_t first, std::uint32_t count) {
                                for (std::uint32_t i = first; i < first + count && !around; ++i) {
                                  const CompoundShape::Child& child = compound.children()[i];
                                  if (IsInside(point, child.shape, child.position, child.rotation))
                                    around = child.number;
                                }
                              });
  return around;
}

std::optional<ShapeHit> CastAgainstCompound(const RayCast& ray, float max_fraction,
                                            const CompoundShape& compound) {
  const Bounds<3> from = ToBounds(ray.origin, ray.origin);
  const Vec3 far = Abs(ray.origin);
  const float room = kRounding * (std::max({far.x, far.y, far.z}) + compound.radii().outer);
  std::optional<ShapeHit> best;
  compound.tree().VisitLowest(
      std::nextafter(max_fraction, std::numeric_limits<float>::max()),
      [&](const Bounds<3>& box) { return EntersAt(from, ray.translation, room, box); },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = first; i < first + count; ++i) {
          const CompoundShape::Child& child = compound.children()[i];
          const float limit = best ? best->fraction : max_fraction;
          auto hit = CastAgainstShape(ray, limit, child.shape, child.position, child.rotation);
          if (!hit || (best && hit->fraction >= best->fraction)) continue;
          hit->child = child.number;
          best = hit;
        }
        return best ? best->fraction : std::nextafter(max_fraction, kLargeFloat);
      });
  return best;
}

}  // namespace nowait
