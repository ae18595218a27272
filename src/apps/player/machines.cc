#include "src/apps/player/machines.h"

#include <array>

#include "src/bodies/shape.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr Vec3 kLift{-9, 0.2f, 0};  // at the lower end of its way
constexpr Vec3 kTurntable{0, 0.2f, 0};
constexpr Vec3 kArm{9, 0.5f, 0};
constexpr float kLiftRound = 8.0f;  // seconds
constexpr float kLiftHeight = 4.0f;

BodyDef Kinematic(const Shape& shape, Vec3 position, float spin) {
  BodyDef def;
  def.type = BodyType::kKinematic;
  def.shape = shape;
  def.position = position;
  def.angular_velocity = {0, spin, 0};
  def.friction = 0.8f;
  return def;
}

}  // namespace

std::vector<BodyDef> BodiesForMachines(std::uint32_t bodies, std::uint64_t seed) {
  Random random(seed);
  BodyDef floor;
  floor.type = BodyType::kStatic;
  floor.shape = Shape::Box({60, 1, 60});
  floor.position = {0, -1, 0};
  floor.friction = 0.7f;
  std::vector<BodyDef> defs = {floor};
  constexpr std::array kHeaps = {kLift, kTurntable, kArm};
  constexpr float kSpacing = 0.7f;
  constexpr std::uint32_t kSide = 5;
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const std::uint32_t of_heap = i / kHeaps.size();
    const std::uint32_t layer = of_heap / (kSide * kSide), place = of_heap % (kSide * kSide);
    BodyDef def;
    if (random.Below(3) == 0) {
      def.shape = Shape::Sphere(random.Between(0.15f, 0.3f));
      def.rolling_resistance = 0.1f;
    } else {
      def.shape = Shape::Box(random.InBox({0.15f, 0.15f, 0.15f}, {0.3f, 0.3f, 0.3f}));
    }
    const float corner = -0.5f * kSpacing * static_cast<float>(kSide - 1);
    def.position =
        kHeaps[i % kHeaps.size()] + Vec3{corner + kSpacing * static_cast<float>(place % kSide),
                                         1.0f + kSpacing * static_cast<float>(layer),
                                         corner + kSpacing * static_cast<float>(place / kSide)};
    def.rotation = random.Rotation();
    def.friction = 0.6f;
    defs.push_back(def);
  }
  return defs;
}

Result<std::unique_ptr<Machines>> Machines::Create(World& world) {
  WaitTime wait;
  auto machines = std::unique_ptr<Machines>(new Machines);
  const auto lift = world.CreateBody(Kinematic(Shape::Box({2, 0.2f, 2}), kLift, 0.0f), wait);
  if (!lift) return std::unexpected(lift.error());
  machines->lift_ = *lift;
  for (const BodyDef& def : {Kinematic(Shape::Cylinder(0.2f, 3), kTurntable, 0.8f),
                             Kinematic(Shape::Box({3.5f, 0.3f, 0.15f}), kArm, -1.5f)}) {
    if (const auto made = world.CreateBody(def, wait); !made) return std::unexpected(made.error());
  }
  return machines;
}

// Up and down, with the speed of a parabola's slope in each half: it starts and stops softly.
Result<void> Machines::Advance(World& world, float dt) {
  lift_time_ += dt;
  while (lift_time_ >= kLiftRound) lift_time_ -= kLiftRound;
  const float half = 0.5f * kLiftRound;
  const float t = (lift_time_ < half ? lift_time_ : kLiftRound - lift_time_) / half;
  WaitTime wait;
  return world.SetTarget(lift_, kLift + Vec3{0, kLiftHeight * t * t * (3 - 2 * t), 0}, {}, wait);
}

Result<void> Machines::Restore(const World& world, float lift_time) {
  WaitTime wait;
  const auto lift = world.GetBody(lift_, wait);
  if (!lift || lift->type != BodyType::kKinematic) {
    return Fail(ErrorCode::kCorrupt, "lift", lift_.slot(), "the world has no such body");
  }
  if (!(lift_time >= 0.0f && lift_time < kLiftRound)) {
    return Fail(ErrorCode::kCorrupt, "lift", lift_.slot(), "its time is beyond its round");
  }
  lift_time_ = lift_time;
  return {};
}

}  // namespace nowait
