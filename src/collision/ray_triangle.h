// Where a ray meets the front of a triangle.
//
// Thread safety: a pure function; any thread. Constant time.
// Source: T. Moeller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
#ifndef NOWAIT_SRC_COLLISION_RAY_TRIANGLE_H_
#define NOWAIT_SRC_COLLISION_RAY_TRIANGLE_H_

#include <array>
#include <optional>

#include "src/collision/ray_cast.h"
#include "src/math/vec3.h"

namespace nowait {

// Widens triangles by this part of their size, so that no ray slips between two of them.
inline constexpr float kSeam = 1e-5f;

// The fraction of the ray, from zero on; nothing where it misses the triangle, is parallel to it or
// comes from behind. The front is the side from which the vertices run counter-clockwise.
inline std::optional<float> CastAgainstTriangle(const RayCast& ray,
                                                const std::array<Vec3, 3>& vertices) {
  const Vec3 edge1 = vertices[1] - vertices[0], edge2 = vertices[2] - vertices[0];
  const Vec3 p = Cross(ray.translation, edge2);
  const float determinant = Dot(edge1, p);
  if (!(determinant > 0.0f)) return std::nullopt;
  const float inverse = 1.0f / determinant;
  const Vec3 from = ray.origin - vertices[0];
  const float u = Dot(from, p) * inverse;
  const Vec3 q = Cross(from, edge1);
  const float v = Dot(ray.translation, q) * inverse;
  if (!(u >= -kSeam && v >= -kSeam && u + v <= 1.0f + kSeam)) return std::nullopt;
  const float fraction = Dot(edge2, q) * inverse;
  if (!(fraction >= 0.0f)) return std::nullopt;
  return fraction;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_TRIANGLE_H_
