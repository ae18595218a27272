// Where a ray meets the front of a triangle.
//
// Which side of an edge the ray passes is the sign of the volume that the two span. Of an edge that
// two triangles share, both compute the same number with opposite signs; so no ray slips between
// them, however long it is. It is computed in doubles: floats lose a triangle of a metre on a ray
// of a kilometre.
//
// Thread safety: a pure function; any thread. Constant time.
// Source: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", Journal of Computer
// Graphics Techniques 2(1), 2013: the signs.
#ifndef NOWAIT_SRC_COLLISION_RAY_TRIANGLE_H_
#define NOWAIT_SRC_COLLISION_RAY_TRIANGLE_H_

#include <array>
#include <optional>

#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

// Widens triangles by this part of their size: a corner may lie in the middle of another one's
// edge, where rounding has moved it.
inline constexpr double kSeam = 1e-5;

// The fraction of the ray, from zero on; nothing where it misses the triangle, is parallel to it or
// comes from behind. The front is the side from which the vertices run counter-clockwise.
inline std::optional<float> CastAgainstTriangle(const RayCast& ray,
                                                const std::array<Vec3, 3>& vertices) {
  const Double3 origin = ToDouble(ray.origin), along = ToDouble(ray.translation);
  const Double3 a = ToDouble(vertices[0]) - origin, b = ToDouble(vertices[1]) - origin,
                c = ToDouble(vertices[2]) - origin;
  const Double3 inward = Cross(c - a, b - a);
  const double rate = Dot(along, inward);
  if (!(rate > 0.0)) return std::nullopt;
  const double room = -kSeam * rate;
  const bool is_within = Dot(along, Cross(b, a)) >= room && Dot(along, Cross(c, b)) >= room &&
                         Dot(along, Cross(a, c)) >= room;
  if (!is_within) return std::nullopt;
  const double fraction = Dot(a, inward) / rate;
  if (!(fraction >= 0.0 && fraction < double{kLargeFloat})) return std::nullopt;
  return static_cast<float>(fraction);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_TRIANGLE_H_
