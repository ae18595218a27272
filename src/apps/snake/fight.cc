#include "src/apps/snake/fight.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "src/apps/demo/ragdoll.h"
#include "src/apps/snake/snake.h"
#include "src/bodies/shape.h"
#include "src/dynamics/joint_id.h"
#include "src/math/random.h"
#include "src/sync/policy.h"
#include "src/world/world.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30.0f;  // seconds
constexpr Vec3 kFloor{60.0f, 1.0f, 60.0f};
constexpr Vec3 kTail{0.0f, 0.6f, 1.62f};  // so that the coil's axis is at the origin
constexpr float kCoil = 2.8f;             // metres around it that figures leave free
constexpr float kRubbleEdge = 0.7f;       // metres between two bits
constexpr std::uint32_t kRubbleColumns = 23;
constexpr float kFigureHeight = 1.5f;  // of a pelvis, metres
constexpr std::uint32_t kFigureColumns = 7;
constexpr std::uint32_t kFigureStride = 11;  // from column to column: all sides get some
constexpr float kFigureEdge = 2.2f;
constexpr std::uint32_t kContactsPerBody = 24;

BodyDef FloorBody() {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box(kFloor);
  def.position = {0, -kFloor.y, 0};
  def.friction = 0.8f;
  return def;
}

// A place in a square of columns, its middle at the origin.
Vec3 InSquare(std::uint32_t i, std::uint32_t columns, float edge) {
  const float corner = -0.5f * edge * static_cast<float>(columns - 1);
  return {corner + edge * static_cast<float>(i % columns), 0,
          corner + edge * static_cast<float>(i / columns)};
}

BodyDef Bit(std::uint32_t i, Random& random) {
  BodyDef def;
  def.shape = Shape::Box(random.InBox({0.05f, 0.05f, 0.05f}, {0.2f, 0.15f, 0.2f}));
  def.position = InSquare(i, kRubbleColumns, kRubbleEdge) + Vec3{0, 0.16f, 0};
  def.rotation = Normalise(Quat{0, random.Between(-1, 1), 0, 1});
  def.density = 2000.0f;
  def.friction = 0.7f;
  return def;
}

class Fight {
 public:
  Fight(const FightDef& def, World& world, const Snake& snake)
      : def_(def), world_(world), snake_(snake) {}

  Result<FightResult> Run(TaskPool& pool) {
    if (auto filled = Fill(); !filled) return std::unexpected(filled.error());
    result_.bodies = world_.body_count();
    result_.joints = world_.joint_count();
    for (std::uint32_t frame = 0; frame < def_.frames && !def_.interrupted(); ++frame) {
      if (frame == def_.dies_at) {
        if (auto died = Die(); !died) return std::unexpected(died.error());
      }
      const std::uint64_t begin = SteadyNanoseconds();
      if (auto updated = world_.Update(kFrame, pool, def_.steps); !updated) {
        return std::unexpected(updated.error());
      }
      const std::uint64_t cost = SteadyNanoseconds() - begin;
      auto measured = Measure(cost);
      if (!measured) return std::unexpected(measured.error());
      result_.frames.push_back(*measured);
    }
    result_.hash = world_.StateHash();
    return std::move(result_);
  }

 private:
  Result<BodyId> Add(const BodyDef& def) { return world_.CreateBody(def, wait_); }

  Result<void> Fill() {
    Random random(def_.seed);
    if (auto floor = Add(FloorBody()); !floor) return std::unexpected(floor.error());
    for (const BodyDef& link : snake_.bodies()) {
      const auto id = Add(link);
      if (!id) return std::unexpected(id.error());
      links_.push_back(*id);
    }
    before_.resize(links_.size());
    joints_ = snake_.Joints(links_);
    for (const JointDef& joint : joints_) {
      const auto id = world_.CreateJoint(joint, wait_);
      if (!id) return std::unexpected(id.error());
      joint_ids_.push_back(*id);
    }
    for (std::uint32_t i = 0; i < def_.rubble; ++i) {
      if (auto bit = Add(Bit(i, random)); !bit) return std::unexpected(bit.error());
    }
    constexpr std::uint32_t kColumns = kFigureColumns * kFigureColumns;
    for (std::uint32_t i = 0, added = 0; i < kColumns && added < def_.figures; ++i) {
      const Vec3 place = InSquare(i * kFigureStride % kColumns, kFigureColumns, kFigureEdge);
      if (LengthSquared(place) < kCoil * kCoil) continue;
      if (auto done = AddFigure(place + Vec3{0, kFigureHeight, 0}, random); !done) return done;
      ++added;
    }
    return {};
  }

  Result<void> AddFigure(Vec3 place, Random& random) {
    const Ragdoll ragdoll(place, Normalise(Quat{0, random.Between(-1, 1), 0, 1}));
    std::vector<BodyId> parts;
    for (const BodyDef& part : ragdoll.Bodies()) {
      const auto id = Add(part);
      if (!id) return std::unexpected(id.error());
      parts.push_back(*id);
    }
    for (const JointDef& joint : ragdoll.Joints(parts)) {
      if (auto id = world_.CreateJoint(joint, wait_); !id) return std::unexpected(id.error());
    }
    return {};
  }

  Result<void> Die() {
    if (def_.cut != 0) {
      const auto cut = static_cast<std::ptrdiff_t>(def_.cut) - 1;
      if (auto gone = world_.DestroyJoint(joint_ids_[def_.cut - 1], wait_); !gone) return gone;
      joint_ids_.erase(joint_ids_.begin() + cut);
      joints_.erase(joints_.begin() + cut);
    }
    for (const JointId id : joint_ids_) {
      if (auto changed = world_.ChangeJoint(id, Snake::Dead(), wait_); !changed) return changed;
    }
    return {};
  }

  Result<FightFrame> Measure(std::uint64_t cost) {
    FightFrame frame{.cost = cost, .awake = world_.stats().awake};
    std::vector<BodySnapshot> links;
    float squares = 0.0f;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const auto link = world_.GetBody(links_[i], wait_);
      if (!link) return std::unexpected(link.error());
      squares += LengthSquared(link->linear_velocity - before_[i]);
      before_[i] = link->linear_velocity;
      links.push_back(*link);
    }
    frame.jitter = std::sqrt(squares / static_cast<float>(links.size()));
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const std::size_t lower = joints_.size() + 1 < links.size() && i + 1 >= def_.cut ? i + 1 : i;
      frame.gap = std::max(frame.gap, Snake::Gap(joints_[i], links[lower], links[lower + 1]));
      const auto joint = world_.GetJoint(joint_ids_[i]);
      if (!joint) return std::unexpected(joint.error());
      frame.force = std::max(frame.force, joint->force);
    }
    if (result_.frames.size() < def_.dies_at) result_.reared = links.back().position.y;
    result_.fallen = links.back().position.y;
    return frame;
  }

  const FightDef& def_;
  World& world_;
  const Snake& snake_;
  std::vector<BodyId> links_;
  std::vector<JointDef> joints_;
  std::vector<JointId> joint_ids_;
  std::vector<Vec3> before_;  // the links' velocities
  FightResult result_;
  WaitTime wait_;
};

}  // namespace

Result<FightResult> RunFight(const FightDef& def, TaskPool& pool) {
  // Before the world: its hulls outlive the bodies.
  const auto snake = Snake::Create(def.links, kTail, static_cast<float>(def.motor_hertz));
  if (!snake) return std::unexpected(snake.error());
  if (def.cut >= def.links) {
    return Fail(ErrorCode::kInvalidArgument, "cut", def.cut, "the snake has no joint there");
  }
  WorldDef world_def;
  const auto parts = static_cast<std::uint32_t>(Ragdoll::kBodies);
  const auto joints = static_cast<std::uint32_t>(Ragdoll::kJoints);
  world_def.max_bodies = def.links + def.rubble + parts * def.figures + 64;
  world_def.max_contacts = kContactsPerBody * world_def.max_bodies;
  world_def.max_joints = def.links + joints * def.figures;
  auto world = World::Create(world_def);
  if (!world) return std::unexpected(world.error());
  return Fight(def, **world, *snake).Run(pool);
}

}  // namespace nowait
