// ContactMaterial: how two surfaces that touch act on each other beside the normal.
//
// Thread safety: pure functions; any thread. Determinism: the result depends on the arguments
// alone.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_MATERIAL_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_MATERIAL_H_

#include <algorithm>
#include <cmath>

#include "src/bodies/body.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct ContactMaterial {
  float friction = 0.0f;        // Coulomb's coefficient, 0 .. 100
  float restitution = 0.0f;     // 0 .. 1
  float rolling_length = 0.0f;  // the lever arm of the rolling resistance, metres, 0 .. 1e6
  // That of the second body's surface less that of the first one's, metres a second in the world.
  // The part along the normal has no effect.
  Vec3 surface_velocity;
};

// Of bodies a and b, as BodyDef says.
inline ContactMaterial MaterialOf(const Body& a, const Body& b) {
  const auto rolling_length = [](const Body& body) {
    // Zero for a shape that does not roll: it has no radius.
    return body.rolling_resistance * body.shape.radius;
  };
  const auto surface_velocity = [](const Body& body) {
    const bool stands = body.surface_velocity == Vec3{};
    return stands ? Vec3{} : Rotate(body.rotation, body.surface_velocity);
  };
  return {std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution),
          std::max(rolling_length(a), rolling_length(b)),
          surface_velocity(b) - surface_velocity(a)};
}

// Whether the solver can work with it: all numbers are within their ranges.
inline bool IsPossible(const ContactMaterial& material) {
  const auto is_within = [](float value, float most) { return value >= 0.0f && value <= most; };
  const Vec3 speed = Abs(material.surface_velocity);
  return is_within(material.friction, 100.0f) && is_within(material.restitution, 1.0f) &&
         is_within(material.rolling_length, 1e6f) && is_within(speed.x, 1e5f) &&
         is_within(speed.y, 1e5f) && is_within(speed.z, 1e5f);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_MATERIAL_H_
