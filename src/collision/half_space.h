// HalfSpace: a placed plane and everything behind it, as the narrow phase and the queries see it.
//
// The points p with normal p <= offset. A convex shape is as far away as the point of its core that
// lies furthest against the normal: one support point, without GJK, and the depth is as exact as
// the distance. So each question about a plane has a closed form.
//
//   above = Dot(normal, core.Support(-normal)) - core.radius() - offset
//
// A plane has no end, but its box in the tree does (BoundsOf): no body comes as far, and a world's
// ray that stays beyond kPlaneReach passes it. The box is narrow only where the normal is exactly
// along an axis; then a world that has a level floor does not test each body far above it. Any
// other plane is a candidate for each body and each query, and a query that asks for boxes alone
// (WorldView::FindInBox, Collect, FindNearest, CollectNearest) finds it everywhere.
//
// For the same reason a plane is static, and a kinematic one is refused: it would be a fast body
// near to everything, would wake all that sleeps, and would change the box at the top of the tree
// in each step. A floor that moves has an end in every game, and is a box or a hull.
//
// Thread safety: immutable; any thread. No allocation. Places are doubles relative to an origin
// that the caller chooses near the other shape (support.h).
// Accuracy: the normal is rounded to floats where the shape is turned; everything else is double.
//
// Source: [ericson2005], sections 3.6 and 5.1.1. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_HALF_SPACE_H_
#define NOWAIT_SRC_COLLISION_HALF_SPACE_H_

#include <cmath>
#include <limits>

#include "src/bodies/shape.h"
#include "src/collision/placed.h"
#include "src/math/bounds.h"
#include "src/math/double3.h"
#include "src/math/mat3.h"
#include "src/math/vec3.h"

namespace nowait {

// Metres. The square of it is a float.
inline constexpr float kPlaneReach = 1e18f;

class HalfSpace {
 public:
  HalfSpace(const Placed& plane, Vec3 origin)
      : HalfSpace(*plane.shape, plane.position, plane.rotation, origin) {}
  // plane: a valid one.
  HalfSpace(const Shape& plane, Vec3 position, const Mat3& rotation, Vec3 origin) {
    const Double3 turned = ToDouble(rotation * plane.normal);
    normal_ = turned * (1.0 / Length(turned));
    offset_ = Dot(normal_, ToDouble(position) - ToDouble(origin)) + double{plane.distance};
  }

  const Double3& normal() const { return normal_; }  // of length one, out of the solid
  double offset() const { return offset_; }

  // Negative behind the surface.
  double DistanceOf(const Double3& point) const { return Dot(normal_, point) - offset_; }

  // As a Core has them: a point that is furthest along the normal, the one direction in which there
  // is an end.
  Double3 Support(const Double3&) const { return normal_ * offset_; }
  double radius() const { return 0.0; }

  // The origin is the world's.
  Bounds<3> BoundsOf() const {
    Bounds<3> box = ToBounds({-kPlaneReach, -kPlaneReach, -kPlaneReach},
                             {kPlaneReach, kPlaneReach, kPlaneReach});
    const Vec3 normal = ToFloat(normal_);
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(normal[axis]) != 1.0f) continue;
      if (normal[(axis + 1) % 3] != 0.0f || normal[(axis + 2) % 3] != 0.0f) continue;
      const auto surface = static_cast<float>(offset_) * normal[axis];
      float& end = normal[axis] > 0.0f ? box.max[axis] : box.min[axis];
      end = std::nextafter(surface, normal[axis] * std::numeric_limits<float>::max());
    }
    return box;
  }

 private:
  Double3 normal_;
  double offset_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_HALF_SPACE_H_
