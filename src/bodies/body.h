// Body: the state of one body. Only its storage and the physics update see it; all other code gets
// a BodySnapshot. A body knows neither its contacts, nor its island's members, nor its tree.
#ifndef NOWAIT_SRC_BODIES_BODY_H_
#define NOWAIT_SRC_BODIES_BODY_H_

#include <cstdint>

#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/bodies/combine_rule.h"
#include "src/bodies/layers.h"
#include "src/bodies/radii.h"
#include "src/bodies/shape.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

enum class BodyState : std::uint8_t { kVacant, kStatic, kAwake, kAsleep, kKinematic };

// Whether contacts and joints move the body, when it is awake: whether it belongs to an island.
inline bool IsDynamic(BodyState state) {
  return state == BodyState::kAwake || state == BodyState::kAsleep;
}

struct Body {
  BodyId id;
  BodyType type = BodyType::kStatic;
  bool may_sleep = true;
  bool sensor = false;
  CombineRule friction_rule = CombineRule::kUsual;
  CombineRule restitution_rule = CombineRule::kUsual;
  Layer layer = Layer::kStatic;
  std::uint32_t form = 0;          // as in a BodySnapshot
  std::uint64_t layer_change = 0;  // the count of the last change of layer (LayerChanges)
  Shape shape;
  Radii radii;  // of the shape

  Vec3 position;
  Quat rotation;
  Vec3 linear_velocity;
  Vec3 angular_velocity;

  float inverse_mass = 0.0f;  // zero: cannot be moved by contacts
  Vec3 inverse_inertia;       // about the axes of the body's frame
  // As they were in the last step, if they have changed since (Change::kMass); otherwise zero.
  float old_inverse_mass = 0.0f;
  Vec3 old_inverse_inertia;

  float friction = 0.0f;
  float restitution = 0.0f;
  Vec3 surface_velocity;  // in the body's frame
  float rolling_resistance = 0.0f;
  float linear_damping = 0.0f;
  float angular_damping = 0.0f;
  float gravity_scale = 1.0f;
  Continuous continuous = Continuous::kStatics;

  Bounds<3> box;       // the smallest axis-aligned box around the shape
  Bounds<3> tree_box;  // the box that the broad phase has: contains `box`

  // The place near which it has stayed, and for how long.
  Vec3 rest_position;
  Quat rest_rotation;
  float rest_time = 0.0f;
  std::uint32_t island = BodySnapshot::kNoIsland;
  std::uint64_t user = 0;

  // The state that a prepared body gets once its batch is part of the world (body_storage.h);
  // kVacant for a body that never was prepared, or is no longer merely prepared.
  BodyState prepared_as = BodyState::kVacant;

  // Of a kinematic body: the place to which it is on its way, if has_target.
  bool has_target = false;
  std::uint16_t lane = BodySnapshot::kNoLane;  // of the thread that moved it last (BodySnapshot)
  Vec3 target_position;
  Quat target_rotation;

  // Of a dynamic body: what the game's forces add up to, until the end of the next update.
  Vec3 force;
  Vec3 torque;
  TurnLock no_turn;
  float density = 0.0f;  // kilograms a cubic metre: what the shape weighs if it becomes dynamic
};

// Whether a kinematic body moves in the next step.
inline bool IsMoving(const Body& body) {
  return body.has_target || body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_H_
