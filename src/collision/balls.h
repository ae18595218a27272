// CollideBalls: the one contact point of two balls. Spheres are balls; a capsule touches another
// shape as the ball around the nearest point of its segment does.
#ifndef NOWAIT_SRC_COLLISION_BALLS_H_
#define NOWAIT_SRC_COLLISION_BALLS_H_

#include <cmath>
#include <cstdint>

#include "src/collision/manifold.h"
#include "src/math/vec3.h"

namespace nowait {

struct BallAt {
  Vec3 centre;
  float radius;
};

// Adds the point if the balls are closer than `margin`. out: the normal, from `a` to `b`, where the
// centres are so close together that rounding would decide.
inline void CollideBalls(const BallAt& a, const BallAt& b, Vec3 out, float margin,
                         std::uint32_t feature, Manifold& manifold) {
  const Vec3 apart = b.centre - a.centre;
  const float radii = a.radius + b.radius;
  const float reach = radii + margin;
  const float squared = LengthSquared(apart);
  if (squared > reach * reach) return;
  const Vec3 normal = NormaliseOr(apart, out);
  const float separation = std::sqrt(squared) - radii;
  const Vec3 surface_a = a.centre + normal * a.radius;
  manifold.Add({surface_a + normal * (0.5f * separation), normal, separation, feature});
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_BALLS_H_
