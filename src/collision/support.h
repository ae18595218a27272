// Core: a convex set that is asked for its furthest point in a direction, and for nothing else.
//
// Every convex shape here is a core and a radius around it: a sphere is a point with a radius, a
// capsule a segment with one; a box, a cylinder and a hull are cores with radius zero. GJK and EPA
// work on the cores. As long as the cores are apart, the distance of the shapes is that of the
// cores less the radii, also when the shapes overlap; so a rounded shape is exact and cheap.
//
// A core can be shrunk: the motion of a body keeps its shrunk core out of what its surface may
// touch (time_of_impact.h).
//
// Places are doubles relative to an origin that the caller chooses near the shapes: a thousandth of
// a metre keeps nine digits beside ten kilometres.
//
// Thread safety: immutable; any thread. No allocation.
//
// Source: support mappings: [gilbert1988]; cores with a radius: [bergen2003], chapter 4.
// Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_SUPPORT_H_
#define NOWAIT_SRC_COLLISION_SUPPORT_H_

#include <array>
#include <cstdint>
#include <optional>

#include "src/collision/placed.h"
#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

// From a place inside of a core to the nearest place of its surface.
struct WayOut {
  double depth;
  Double3 normal;  // of length one, outwards
};

class Core {
 public:
  // Of a convex shape.
  Core(const Placed& shape, Vec3 origin);
  // Of a triangle: three points. Without area it is a segment or a point.
  static Core OfTriangle(const std::array<Vec3, 3>& vertices, Vec3 position, Vec3 origin);

  static Core OfPoint(Vec3 point, Vec3 origin);

  // A point of the core that lies furthest in `direction`, of any length above zero. Constant time;
  // for a hull, linear in its vertices.
  Double3 Support(const Double3& direction) const;

  // Of a core that is a point, in this one. In closed form, for a cylinder alone: EPA has too few
  // points for one that is round about the place. Nothing for other cores.
  std::optional<WayOut> WayOutOf(const Core& point) const;

  // Of a cylinder: a vector along its axis, of length one but for rounding.
  std::optional<Double3> Axis() const {
    return ring_ > 0.0 ? std::optional(axes_[1]) : std::nullopt;
  }

  double radius() const { return radius_; }
  const Double3& middle() const { return middle_; }

  // The same core elsewhere.
  Core Moved(const Double3& by) const;

  // A core inside of the shape, each point of which lies at least `by` metres below the surface.
  // by: less than `inner_radius`, that of the largest ball around the centre inside of the shape.
  // Not of a triangle.
  Core Shrunk(double by, double inner_radius) const;

 private:
  Core() = default;
  bool IsPoint() const;

  // A box of these half extents along these axes; those of a segment and a point are zero.
  // Of a cylinder, the segment between the middles of its discs.
  Double3 middle_;
  std::array<Double3, 3> axes_;
  Double3 half_;
  double radius_ = 0.0;
  double ring_ = 0.0;                 // of a cylinder: the radius of its discs
  const ConvexHull* hull_ = nullptr;  // instead of the box
  double hull_scale_ = 1.0;
  // From the middle; instead of the box.
  bool is_triangle_ = false;
  std::array<Double3, 3> vertices_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SUPPORT_H_
