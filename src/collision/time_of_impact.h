// TimeOfImpact: how far a body may go on its sweep before it is stopped in front of another one.
//
// Conservative advancement: GJK gives the distance of the shapes and its normal. Along this normal
// the points of a shape approach the other one with bounded speeds and accelerations. So both
// bodies may go on until these would have used up the distance; then GJK measures anew.
//
// A body that slides or rolls on another one is always near it, and must not be stopped for that.
// So the question is first asked for a *shrunken* shape, half of the inner radius below the
// surface:
//   it stays apart       the body is not stopped; the narrow phase of the next step sees the
//                        contact
//   it would touch       the body is stopped where its *full* shape comes within kStopDistance, and
//                        not later than the shrunken one touches
//   it overlaps at once  the body lies deep in the other one: its centre is stopped instead
//
// Thread safety: pure functions; any thread. No allocation.
// Promise: on the way that is left, the shrunken shape, or where that begins in the other body the
// centre, does not touch that body.
// Complexity: at most 2 * kMaxImpactSteps runs of GJK for a pair of convex shapes, mostly fewer
// than five; for a surface that for each triangle that the body can meet before the answer.
// Determinism: the result depends on the arguments alone.
//
// Source: conservative advancement: [mirtich1996]; cores against needless stops: [catto2013].
// Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_TIME_OF_IMPACT_H_
#define NOWAIT_SRC_COLLISION_TIME_OF_IMPACT_H_

#include <optional>

#include "src/bodies/shape.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/sweep.h"
#include "src/math/vec3.h"

namespace nowait {

// How near a stopped body comes to the other one, metres. Less than the margin of the narrow phase
// (kContactMargin), so that the next step finds the contact.
inline constexpr float kStopDistance = 0.01f;
inline constexpr int kMaxImpactSteps = 64;

// A shape on its way. radii: RadiiOf(shape).
struct Mover {
  const Shape* shape;
  Radii radii;
  Sweep sweep;  // of the body
  // Where the shape is in the body's frame: of a child of a compound.
  Vec3 offset = {};
  Quat turn = {};

  Vec3 CentreAt(float fraction) const {
    return sweep.PositionAt(fraction) + Rotate(sweep.RotationAt(fraction), offset);
  }
};

struct ImpactStop {
  float fraction = 1.0f;  // of the sweeps
  // They began nearer than kStopDistance, and it was the shrunken shape or the centre that would
  // have touched: contact points did not keep the body out.
  bool wedged = false;
  Vec3 normal;  // of length one, towards the other one
  // Of the triangle or the cell of the other one (surface_materials.h): its number.
  std::uint8_t material = 0;
};

// A compound is stopped where the first of its children is. Each is asked for itself, with its own
// inner radius and centre.
//
// moving: not a surface. other: any; a surface does not move, and each triangle of a field or a
// mesh is met from its front alone, while the centre of the moving shape is in front of it.
// Both go at once, the same fraction of their sweeps. Where they are to stop, if it is at most
// `max_fraction` (0 .. 1); nothing if they may go on.
std::optional<ImpactStop> TimeOfImpact(const Mover& moving, const Mover& other, float max_fraction);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_TIME_OF_IMPACT_H_
