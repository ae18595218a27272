#include "src/dynamics/rest.h"

#include <algorithm>

namespace nowait {
namespace {

// Replaces a shorter RestDef::time, so that the distance which counts as rest is not zero.
constexpr float kLeastTime = 1.0f / 60.0f;

}  // namespace

float TimeAtRest(Body& body, float dt, const RestDef& def) {
  const float time = std::max(def.time, kLeastTime);
  const float reach = def.linear_speed * time;
  const float turn = def.angular_speed * time;
  // The vector part of the rotation between the two has the length sin(angle / 2), which is the
  // angle / 2 for angles that matter here.
  const Quat between = Conjugate(body.rest_rotation) * body.rotation;
  const float sine = Length(Vec3{between.x, between.y, between.z});
  const bool near =
      LengthSquared(body.position - body.rest_position) <= reach * reach && 2.0f * sine <= turn;
  const bool is_pushed = body.force != Vec3{} || body.torque != Vec3{};
  if (!near || !body.may_sleep || is_pushed) {
    body.rest_position = body.position;
    body.rest_rotation = body.rotation;
    body.rest_time = 0.0f;
    return -1.0f;
  }
  body.rest_time += dt;
  return body.rest_time;
}

}  // namespace nowait
