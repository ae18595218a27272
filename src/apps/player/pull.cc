#include "src/apps/player/pull.h"

#include <algorithm>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"

namespace nowait {
namespace {

constexpr float kSpinTime = 0.15f;  // seconds in which a held body loses most of its spin

Vec3 AtMost(Vec3 v, float length) {
  const float of = Length(v);
  return of > length ? v * (length / of) : v;
}

// The change of velocity of the point at `arm` from the centre by an impulse there, as a matrix.
Mat3 Response(float inverse_mass, const Mat3& inverse_inertia, Vec3 arm) {
  const auto column = [&](Vec3 impulse) {
    return impulse * inverse_mass + Cross(inverse_inertia * Cross(arm, impulse), arm);
  };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

}  // namespace

void Pull::Take(const LiveCommand& command, const World& world) {
  if (held_ && held_->id.slot() == command.slot && held_->id.generation() == command.generation) {
    held_->grip = AtMost(command.grip, held_->reach);
    held_->place = command.position;
    return;
  }
  held_.reset();
  WaitTime wait;
  const auto find = [&] {
    return world.GetBody(BodyId(world_, command.slot, command.generation), wait);
  };
  auto body = find();
  if (!body && body.error().code == ErrorCode::kInvalidArgument) {  // another world's
    std::vector<BodySnapshot> bodies;
    world.Snapshot(bodies);
    if (bodies.empty()) return;
    world_ = bodies.front().id.world();
    body = find();
  }
  if (!body || body->inverse_mass == 0.0f) return;
  const float reach = RadiiOf(body->shape).outer;
  held_ = Held{body->id, reach, AtMost(command.grip, reach), command.position};
}

Result<void> Pull::Apply(World& world, float dt) {
  if (!held_) return {};
  WaitTime wait;
  const auto body = world.GetBody(held_->id, wait);
  if (!body) {
    LetGo();
    return {};
  }
  const Vec3 arm = Rotate(body->rotation, held_->grip);
  const Vec3 grip = body->position + arm;
  const Vec3 velocity = body->linear_velocity + Cross(body->angular_velocity, arm);
  // Not more than the way that is left, in a long update.
  const Vec3 wanted = AtMost((held_->place - grip) * (1.0f / std::max(kPullTime, dt)), kPullSpeed);

  const MassProperties solid = MassOf(body->shape, 1.0f);
  const float mass = 1.0f / body->inverse_mass;
  const Vec3 inertia = solid.inertia * (mass / solid.mass);
  const Mat3 frame = ToMatrix(body->rotation);
  const Mat3 inverse_inertia =
      RotateDiagonal(frame, {1.0f / inertia.x, 1.0f / inertia.y, 1.0f / inertia.z});
  const Mat3 response = Inverse(Response(body->inverse_mass, inverse_inertia, arm));
  const Vec3 impulse = AtMost(response * (wanted - velocity), kPullAcceleration * mass * dt);
  const Vec3 turn = RotateDiagonal(frame, inertia) * body->angular_velocity;
  const auto applied =
      world.ApplyImpulse(held_->id, impulse, grip, turn * (-std::min(1.0f, dt / kSpinTime)), wait);
  if (!applied && applied.error().code == ErrorCode::kInvalidArgument) {
    LetGo();  // the body is at the limit of its speed
    return {};
  }
  return applied;
}

}  // namespace nowait
