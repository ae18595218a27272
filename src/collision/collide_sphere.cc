// Sphere against sphere and against box: one point each.
//
// Source: C. Ericson, "Real-Time Collision Detection", 2005, sections 4.3.1 and 5.1.3.
#include <cmath>

#include "src/collision/balls.h"
#include "src/collision/collide.h"

namespace nowait {

void CollideSpheres(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  constexpr Vec3 kUp{0, 1, 0};  // the way out for spheres that share their centre
  CollideBalls({a.position, a.shape->radius}, {b.position, b.shape->radius}, kUp, margin, 0,
               manifold);
}

void CollideSphereBox(const Placed& sphere, const Placed& box, float margin, Manifold& manifold) {
  const Vec3 half = box.shape->half;
  const float radius = sphere.shape->radius;
  const Vec3 centre = box.ToLocal(sphere.position);
  const Vec3 closest = Max(-half, Min(centre, half));
  const Vec3 outward = centre - closest;
  const float squared = LengthSquared(outward);
  const float reach = radius + margin;
  if (squared > reach * reach) return;

  Vec3 local_normal;  // from the box to the sphere
  float distance;     // of the centre from the box's surface, negative inside
  if (squared > 0.0f) {
    distance = std::sqrt(squared);
    local_normal = outward * (1.0f / distance);
  } else {
    // The centre is inside: out through the nearest face.
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
      if (half[i] - std::abs(centre[i]) < half[axis] - std::abs(centre[axis])) axis = i;
    }
    distance = std::abs(centre[axis]) - half[axis];
    local_normal.Set(axis, centre[axis] < 0.0f ? -1.0f : 1.0f);
  }
  const Vec3 normal = -(box.rotation * local_normal);
  const float separation = distance - radius;
  const Vec3 surface = sphere.position + normal * radius;
  manifold.Add({surface + normal * (0.5f * separation), normal, separation, 0});
}

}  // namespace nowait
