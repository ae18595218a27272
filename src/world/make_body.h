// Turns a definition from outside into a body, or into the error that names the wrong field.
#ifndef NOWAIT_SRC_WORLD_MAKE_BODY_H_
#define NOWAIT_SRC_WORLD_MAKE_BODY_H_

#include "src/base/result.h"
#include "src/bodies/body.h"
#include "src/bodies/body_def.h"
#include "src/world/world_def.h"

namespace nowait {

// kInvalidArgument, naming the field.
Result<void> Validate(const WorldDef& def);

// Of a definition's numbers: density, material, damping, mass. Likewise.
Result<void> ValidateNumbers(const BodyDef& def);

// The mass of a dynamic body.
void SetMass(Body& body, const BodyMass& mass);
// That of its shape and density.
BodyMass MassOf(const Body& body);

// The box that the broad phase gets: with a margin, unless the body is static.
Bounds<3> TreeBoxOf(const Body& body);

// The shape with the fields of its kind alone: others mean nothing, and may be anything.
Shape WithOwnFields(const Shape& shape);

// Gives the body a shape and all that goes by it: radii, boxes, the mass of a dynamic one.
// kInvalidArgument, naming the field; then the body is as it was.
Result<void> ChangeShape(Body& body, const Shape& shape);

// Without an id. kInvalidArgument, naming the field.
Result<Body> MakeBody(const BodyDef& def);

// The state in which a body starts.
BodyState StateOf(const BodyDef& def);

// kInvalidArgument "position" or "rotation" unless a shape of this kind can be there.
Result<void> ValidatePlace(const Shape& shape, Vec3 position, Quat rotation);

// kInvalidArgument "velocity" unless finite and of a possible size.
Result<void> ValidateVelocity(Vec3 linear, Vec3 angular);

// Places the body: position, rotation (normalised), box. tree_box stays.
void Place(Body& body, Vec3 position, Quat rotation);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_MAKE_BODY_H_
