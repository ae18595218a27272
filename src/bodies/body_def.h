// BodyDef: everything that a body is created from, with sensible defaults.
#ifndef NOWAIT_SRC_BODIES_BODY_DEF_H_
#define NOWAIT_SRC_BODIES_BODY_DEF_H_

#include <cstdint>
#include <optional>

#include "src/bodies/combine_rule.h"
#include "src/bodies/layers.h"
#include "src/bodies/shape.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

enum class BodyType : std::uint8_t {
  kStatic,   // never moves in an update; any shape
  kDynamic,  // moved by forces and contacts; any shape but a height field and a mesh
  // Moved by its velocity or to a target (World::SetTarget), whatever is in its way; dynamic bodies
  // feel its velocity. Any shape but a height field and a mesh.
  kKinematic,
};

// Which bodies stop this one where it would meet them on the way of a step. A way counts that is
// longer than a part of the shape's inner radius (src/world/continuous_stage.h); on a shorter one
// no body passes through another.
enum class Continuous : std::uint8_t {
  kOff,      // moves at once from place to place: through a wall, if it is fast
  kStatics,  // static and kinematic ones. Costs nothing while the body is slow: the default.
  kAll,      // also dynamic ones: for bullets
};

// In place of the mass that the shape and the density of a dynamic body give.
struct BodyMass {
  float mass = 1.0f;               // kilograms, 1e-6 .. 1e12
  Vec3 inertia{1.0f, 1.0f, 1.0f};  // about the body's axes, kilogram metres squared, 1e-9 .. 1e15
};

// The axes of the world about which a dynamic body does not turn, whatever acts on it.
struct TurnLock {
  bool x = false;
  bool y = false;
  bool z = false;

  bool any() const { return x || y || z; }
  friend bool operator==(const TurnLock&, const TurnLock&) = default;
};

struct BodyDef {
  BodyType type = BodyType::kDynamic;
  // One of the game's own layers (WorldDef::user_layers). Without one: kStatic for a static body,
  // kDynamic for one that moves.
  std::optional<Layer> layer;
  Shape shape;
  Vec3 position;  // of the centre; of a height field, its lowest x and z corner at height zero
  Quat rotation;  // unit length within 1e-3; of a height field, the identity
  Vec3 linear_velocity;
  Vec3 angular_velocity;  // in the world's frame, radians a second

  float density = 1000.0f;   // kilograms a cubic metre, above zero
  float friction = 0.5f;     // Coulomb's coefficient; 0 .. 100, and so is what two bodies share
  float restitution = 0.0f;  // 0 .. 1
  // By which two bodies share the two numbers. Without a rule of either they have the root of their
  // frictions' product, and the larger restitution.
  CombineRule friction_rule = CombineRule::kUsual;
  CombineRule restitution_rule = CombineRule::kUsual;
  // The surface goes round the body like the belt of a conveyor, with this velocity beside the
  // body's own: metres a second, in the body's frame. Friction takes along what lies on it. It
  // wakes no body that sleeps there.
  Vec3 surface_velocity;
  // For a sphere, a capsule or a cylinder: the lever arm in radii; two bodies have the larger one.
  float rolling_resistance = 0.0f;
  float linear_damping = 0.0f;    // per second
  float angular_damping = 0.05f;  // per second
  float gravity_scale = 1.0f;
  Continuous continuous = Continuous::kStatics;
  // A dynamic body may be created at rest. The next update finds the bodies that it touches, and
  // its contacts begin as usual. They wake neither it nor the sleeping or new bodies beside it.
  // Later it wakes like any body that has fallen asleep.
  bool asleep = false;
  bool may_sleep = true;
  // A sensor notices what touches it and has no effect: its contacts begin and end like others and
  // are never solved, wake no body and make no island. It stops no fast body, so that one may pass
  // a thin sensor within a step unnoticed. Two sensors do not notice each other. A sensor that is
  // not dynamic notices dynamic bodies alone.
  bool sensor = false;
  std::uint64_t user = 0;  // the caller's; returned in snapshots
  std::optional<BodyMass> mass{};
  TurnLock no_turn;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_DEF_H_
