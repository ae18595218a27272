#include "src/apps/openworld/route.h"

#include <array>
#include <cmath>

namespace nowait {
namespace {

struct Leg {
  Travel travel;
  float speed;  // metres a second
  float seconds;
};
constexpr std::array<Leg, 5> kLegs = {{{Travel::kWalk, 1.7f, 6.0f},
                                       {Travel::kRide, 14.0f, 24.0f},
                                       {Travel::kFly, 45.0f, 16.0f},
                                       {Travel::kRide, 14.0f, 12.0f},
                                       {Travel::kTeleport, 0.0f, 0.0f}}};

}  // namespace

Route::Route(const RouteDef& def) : def_(def), random_(def.seed) {
  DrawGoal();
  motion_.x = goal_x_;
  motion_.z = goal_z_;
  leg_ = kLegs.size() - 1;  // the next one is the first
}

void Route::Advance(float dt) {
  if (left_ <= 0.0f) BeginLeg();
  left_ -= dt;
  if (travel_ == Travel::kTeleport) return;
  const float speed = kLegs[leg_].speed;
  float dx = goal_x_ - motion_.x;
  float dz = goal_z_ - motion_.z;
  if (dx * dx + dz * dz < speed * speed) {  // less than a second away
    DrawGoal();
    dx = goal_x_ - motion_.x;
    dz = goal_z_ - motion_.z;
  }
  const float length = std::sqrt(dx * dx + dz * dz);
  const float scale = length > 0.0f ? speed / length : 0.0f;
  motion_.velocity_x = dx * scale;
  motion_.velocity_z = dz * scale;
  motion_.x += motion_.velocity_x * dt;
  motion_.z += motion_.velocity_z * dt;
}

void Route::BeginLeg() {
  leg_ = (leg_ + 1) % kLegs.size();
  travel_ = kLegs[leg_].travel;
  left_ = kLegs[leg_].seconds;
  DrawGoal();
  if (travel_ != Travel::kTeleport) return;
  motion_ = {goal_x_, goal_z_, 0.0f, 0.0f};
}

void Route::DrawGoal() {
  goal_x_ = random_.Between(def_.border, def_.width - def_.border);
  goal_z_ = random_.Between(def_.border, def_.depth - def_.border);
}

}  // namespace nowait
