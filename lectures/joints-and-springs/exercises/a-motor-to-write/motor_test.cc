// A slider with a motor in a world: it speeds a box up, turns it round, brakes it, and holds it
// against a weight.
#include <cmath>
#include <memory>

#include "lectures/judge.h"
#include "src/jobs/task_pool.h"
#include "src/world/world.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;  // seconds
constexpr float kMass = 2.0f;          // kilograms
constexpr float kMost = 10.0f;         // newtons

WorldDef SmallWorld(Vec3 gravity) {
  WorldDef def;
  def.max_bodies = 8;
  def.max_contacts = 8;
  def.gravity = gravity;
  return def;
}

// A box on a rail along y, which is upright. gravity: m/s^2 down; speed: the motor's, m/s.
class Lift {
 public:
  Lift(float gravity, float speed, float box_speed)
      : pool_(*TaskPool::Create({.main_threads = {"main"}, .workers = 0})),
        here_(*pool_->Register("main")),
        world_(*World::Create(SmallWorld({0, -gravity, 0}))) {
    WaitTime wait;
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Box({0.1f, 0.1f, 0.1f});
    def.position = {5, 0, 0};
    const BodyId rail = *world_->CreateBody(def, wait);
    def.type = BodyType::kDynamic;
    def.position = {};
    def.linear_velocity = {0, box_speed, 0};
    def.density = kMass / 0.008f;
    def.may_sleep = false;
    box_ = *world_->CreateBody(def, wait);
    JointDef joint;
    joint.a = rail;
    joint.b = box_;
    // A quarter turn about z: the rail's x axis points up.
    const Quat up{0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};
    joint.frame_a = {{-5, 0, 0}, up};
    joint.frame_b = {{}, up};
    joint.kind = SliderJoint{.motor = JointMotor{speed, kMost}};
    joint_ = *world_->CreateJoint(joint, wait);
  }

  // Returns the box's speed afterwards, m/s up.
  float Run(int steps) {
    for (int i = 0; i < steps; ++i) static_cast<void>(world_->Update(kStep, *pool_));
    WaitTime wait;
    return world_->GetBody(box_, wait)->linear_velocity.y;
  }
  // The largest force that the joint had to hold in the last step, newtons.
  float Force() const { return world_->GetJoint(joint_)->force; }

 private:
  std::unique_ptr<TaskPool> pool_;
  TaskPool::Registration here_;
  std::unique_ptr<World> world_;
  BodyId box_;
  JointId joint_;
};

bool Near(float value, float expected) { return std::abs(value - expected) < 0.01f; }

int Main() {
  Judge judge;
  // 10 N on 2 kg: 5 m/s^2.
  Lift up(0, 1.5f, 0);
  const float early = up.Run(12), force = up.Force(), late = up.Run(48);
  fmt::print("a motor of 1.5 m/s: {:.3f} m/s after 0.2 s, {:.3f} m/s after 1 s\n", early, late);
  judge.Ask(Near(late, 1.5f), "the motor reaches its speed");
  judge.Ask(Near(early, 1.0f), "its force is at most the motor's, in each sub-step");
  judge.Ask(Near(force, kMost), "while it is too slow it has all of that force");

  Lift turned(0, -1.0f, 2.0f);
  judge.Ask(Near(turned.Run(60), -1.0f), "it turns a box round that moves the other way");
  Lift braked(0, 0, 2.0f);
  judge.Ask(Near(braked.Run(12), 1.0f) && Near(braked.Run(48), 0),
            "a motor of speed zero is a brake");

  // A weight of 6 N is held, one of 20 N falls with 9.81 - 5 m/s^2.
  Lift held(3, 0.5f, 0);
  judge.Ask(Near(held.Run(60), 0.5f) && std::abs(held.Force() - 6.0f) < 0.1f,
            "a lift carries what its motor can carry, with no more force than that needs");
  Lift falling(9.81f, 0.5f, 0);
  judge.Ask(std::abs(falling.Run(12) + 0.2f * (9.81f - 5.0f)) < 0.02f,
            "what is too heavy goes down, and is slowed");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
