// A slider with limits in a world: a box that is pushed to either end, left between them, and taken
// away from an end.
#include <algorithm>
#include <cmath>
#include <memory>

#include "lectures/judge.h"
#include "src/jobs/task_pool.h"
#include "src/world/world.h"

namespace nowait {
namespace {

constexpr float kLower = -1.0f, kUpper = 2.0f;
constexpr float kStep = 1.0f / 60.0f;  // seconds

WorldDef SmallWorld(Vec3 gravity) {
  WorldDef def;
  def.max_bodies = 8;
  def.max_contacts = 8;
  def.gravity = gravity;
  return def;
}

// A box of 1 kg on a rail along x, without gravity. speed: m/s.
class Rail {
 public:
  explicit Rail(float position, float speed)
      : pool_(*TaskPool::Create({.main_threads = {"main"}, .workers = 0})),
        here_(*pool_->Register("main")),
        world_(*World::Create(SmallWorld({}))) {
    WaitTime wait;
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Box({0.1f, 0.1f, 0.1f});
    def.position = {0, 5, 0};
    const BodyId rail = *world_->CreateBody(def, wait);
    def.type = BodyType::kDynamic;
    def.shape = Shape::Box({0.05f, 0.05f, 0.05f});
    def.position = {position, 0, 0};
    def.linear_velocity = {speed, 0, 0};
    def.may_sleep = false;
    box_ = *world_->CreateBody(def, wait);
    JointDef joint;
    joint.a = rail;
    joint.b = box_;
    joint.frame_a.position = {0, -5, 0};
    joint.kind = SliderJoint{.limits = JointLimits{kLower, kUpper}};
    static_cast<void>(*world_->CreateJoint(joint, wait));
  }

  // Returns the largest distance beyond a limit on the way, metres.
  float Run(int steps) {
    float beyond = 0.0f;
    for (int i = 0; i < steps; ++i) {
      static_cast<void>(world_->Update(kStep, *pool_));
      beyond = std::max({beyond, Box().position.x - kUpper, kLower - Box().position.x});
    }
    return beyond;
  }
  BodySnapshot Box() const {
    WaitTime wait;
    return *world_->GetBody(box_, wait);
  }

 private:
  std::unique_ptr<TaskPool> pool_;
  TaskPool::Registration here_;
  std::unique_ptr<World> world_;
  BodyId box_;
};

int Main() {
  Judge judge;
  Rail up(0, 3), down(0, -3);
  const float beyond_upper = up.Run(120), beyond_lower = down.Run(120);
  fmt::print("pushed up, the box is {:.1f} mm too far; pushed down, {:.1f} mm\n",
             1000.0f * beyond_upper, 1000.0f * beyond_lower);
  judge.Ask(beyond_upper < 0.01f, "it stops at the upper limit");
  judge.Ask(beyond_lower < 0.01f, "it stops at the lower limit");
  judge.Ask(std::abs(up.Box().position.x - kUpper) < 0.01f, "it stays at the upper limit");

  Rail between(0, 1);
  static_cast<void>(between.Run(60));
  judge.Ask(std::abs(between.Box().position.x - 1.0f) < 0.001f, "between the limits it is free");

  Rail away(kUpper, -1);
  static_cast<void>(away.Run(60));
  judge.Ask(std::abs(away.Box().position.x - (kUpper - 1.0f)) < 0.001f,
            "a limit never holds it back");

  Rail outside(kUpper + 0.2f, 0);
  static_cast<void>(outside.Run(120));
  judge.Ask(std::abs(outside.Box().position.x - kUpper) < 0.01f,
            "from beyond a limit it comes back");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
