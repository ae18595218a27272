// BodyChange: the properties of a body that a game changes while it is there.
//
//   BodyChange ice;
//   ice.friction = 0.02f;
//   const auto changed = world->SetProperties(id, ice, wait);      if (!changed) ...
//
// A field without a value stays as it is. The ranges are those of BodyDef.
#ifndef NOWAIT_SRC_BODIES_BODY_CHANGE_H_
#define NOWAIT_SRC_BODIES_BODY_CHANGE_H_

#include <cstdint>
#include <optional>

#include "src/bodies/body_def.h"
#include "src/bodies/combine_rule.h"
#include "src/bodies/layers.h"
#include "src/bodies/shape.h"
#include "src/bodies/shape_frame.h"

namespace nowait {

struct BodyChange {
  std::optional<float> friction{};
  std::optional<float> restitution{};
  std::optional<CombineRule> friction_rule{};
  std::optional<CombineRule> restitution_rule{};
  std::optional<float> rolling_resistance{};
  std::optional<float> linear_damping{};
  std::optional<float> angular_damping{};
  std::optional<float> gravity_scale{};
  std::optional<Continuous> continuous{};
  std::optional<bool> may_sleep{};
  std::optional<std::uint64_t> user{};

  // One of the game's own layers, or the one that BodyDef gives a body of this type without a
  // layer: kStatic or kDynamic.
  std::optional<Layer> layer{};
  // As a BodyDef's, in the body's place. A dynamic body then has the mass of this shape, and of the
  // density that it was created with, unless `mass` gives another one.
  std::optional<Shape> shape{};
  // With a shape: its frame, where that is not the one of the shape before. The body's position and
  // rotation become those of this frame, its velocity and target those of the frame's origin; its
  // belt and the forces on it stay in the world as they are. So all that is part of both shapes
  // goes on as it went. Joints keep their places in the frame: a body that joints hold keeps its
  // frame, or is joined anew.
  std::optional<ShapeFrame> frame{};

  // kDynamic or kKinematic; a static body stays static. A body that becomes kinematic stands. One
  // that becomes dynamic is awake, with the velocity that it has moved with and the mass of its
  // shape. A gear's wheel that becomes kinematic keeps the gear.
  std::optional<BodyType> type{};
  std::optional<BodyMass> mass{};     // of a dynamic body
  std::optional<TurnLock> no_turn{};  // likewise
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_CHANGE_H_
