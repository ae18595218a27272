#include "src/apps/openworld/machines.h"

#include <array>
#include <utility>

#include "src/base/assert.h"
#include "src/bodies/body_def.h"
#include "src/bodies/shape.h"
#include "src/jobs/parallel_for.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr float kRadius = 0.5f;  // metres
constexpr float kHalfHeight = 0.5f;
constexpr float kSpeed = 3.0f;   // metres a second
constexpr float kSight = 60.0f;  // metres
constexpr float kReach = 16.0f;  // of its stamp
constexpr std::size_t kNear = 16;
constexpr float kAhead = 4.0f;             // metres, of the cast
constexpr float kStamp = 260.0f;           // newton seconds
constexpr std::uint64_t kStampEvery = 12;  // frames

constexpr std::uint64_t kPatrolEvery = 5;  // machines
constexpr float kRoam = 16.0f;             // metres from its home, of a patrol's goals
constexpr float kArrived = 0.8f;           // metres
// Frames after which a patrol looks for another path.
constexpr std::uint64_t kPatience = 300;
constexpr std::uint64_t kWithoutPath = 15;

// Around a machine, of length one.
constexpr float kHalfRoot = 0.70710678f;
constexpr std::array<Vec3, 8> kAround = {{{1, 0, 0},
                                          {kHalfRoot, 0, kHalfRoot},
                                          {0, 0, 1},
                                          {-kHalfRoot, 0, kHalfRoot},
                                          {-1, 0, 0},
                                          {-kHalfRoot, 0, -kHalfRoot},
                                          {0, 0, -1},
                                          {kHalfRoot, 0, -kHalfRoot}}};

Vec3 Level(Vec3 v) { return NormaliseOr({v.x, 0.0f, v.z}, {1, 0, 0}); }

}  // namespace

Result<void> Machines::Appear(SceneNumber scene, std::span<const Vec3> spawn_points) {
  for (const Vec3 point : spawn_points) {
    if (machines_.size() == kMost) return {};
    BodyDef def;
    def.shape = Shape::Capsule(kHalfHeight, kRadius);
    def.position = point + Vec3{0, kHalfHeight + kRadius + 0.3f, 0};
    def.may_sleep = false;
    def.angular_damping = 4.0f;
    const auto body = world_.CreateBody(def, counts_.wait);
    if (!body && body.error().code == ErrorCode::kCapacity) return {};
    if (!body) return std::unexpected(body.error());
    Machine machine;
    machine.body = *body;
    machine.scene = scene;
    machine.home = point;
    if (counts_.appeared % kPatrolEvery == 0) {
      machine.patrol.emplace().random = Random(counts_.appeared);
    }
    machine.near.reserve(kNear);
    machines_.push_back(std::move(machine));
    ++counts_.appeared;
  }
  return {};
}

void Machines::Vanish(SceneNumber scene) {
  std::erase_if(machines_, [&](const Machine& machine) {
    if (machine.scene != scene) return false;
    // It is gone already if it has left the ground.
    static_cast<void>(world_.DestroyBody(machine.body, counts_.wait));
    return true;
  });
}

Result<void> Machines::Perceive(Vec3 player) {
  const ProfileScope scope("perceive");
  const auto count = static_cast<std::uint32_t>(machines_.size());
  auto done = ParallelFor(pool_, count, 1, [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope piece("look around");
    for (std::uint32_t i = begin; i < end; ++i) Look(machines_[i], player);
  });
  if (!done) return done;
  for (Machine& machine : machines_) {
    counts_.wait += std::exchange(machine.wait, {});
    counts_.seen += machine.sees ? 1 : 0;
    if (!machine.there) {
      ++counts_.lost;
      continue;
    }
    counts_.rays += kAround.size() + 1;
    ++counts_.overlaps;
    ++counts_.casts;
  }
  std::erase_if(machines_, [](const Machine& machine) { return !machine.there; });
  patrols_.clear();
  for (const Machine& machine : machines_) {
    if (machine.patrol) patrols_.push_back(machine.position);
  }
  return {};
}

void Machines::Look(Machine& machine, Vec3 player) const {
  const auto self = world_.GetBody(machine.body, machine.wait);
  machine.there = self.has_value();
  machine.sees = machine.blocked = false;
  if (!self) return;
  machine.position = self->position;
  machine.velocity = self->linear_velocity;
  const WorldView view = world_.Read();
  const QueryFilter others{.ignore = machine.body, .accept = {}};
  const QueryFilter statics{.dynamics = false, .ignore = machine.body, .accept = {}};

  const Vec3 to_player = player - machine.position;
  if (LengthSquared(to_player) < kSight * kSight) {
    // Up to the player, which is a body as well.
    machine.sees = !view.IsBlocked({machine.position, 0.95f * to_player}, others, machine.wait);
  }
  std::array<RayCast, kAround.size()> rays;
  std::array<std::optional<RayHit>, kAround.size()> hits;
  for (std::size_t i = 0; i < rays.size(); ++i) rays[i] = {machine.position, kSight * kAround[i]};
  view.CastRays(rays, others, hits, machine.wait);

  view.CollectNearest(machine.position, kReach, kNear,
                      {.statics = false, .ignore = machine.body, .accept = {}}, machine.near,
                      machine.wait);

  const Vec3 ahead = Level(machine.sees ? to_player : machine.home - machine.position);
  const auto way = view.CastShape({Shape::Sphere(kRadius), machine.position + Vec3{0, 0.6f, 0}, {}},
                                  kAhead * ahead, statics, machine.wait);
  NOWAIT_ASSERT(way.has_value(), "a machine is a sphere in the world");
  machine.blocked = way->has_value() && (*way)->normal.y < 0.5f;
}

// Where a machine that does not see the player goes: home, or to the next point of its path.
Vec3 Machines::GoalOf(Machine& machine, std::uint64_t frame, Paths& paths) {
  if (!machine.patrol) return machine.home;
  Patrol& patrol = *machine.patrol;
  for (; patrol.next < patrol.path.size(); ++patrol.next) {
    const Vec3 way = patrol.path[patrol.next] - machine.position;
    if (way.x * way.x + way.z * way.z > kArrived * kArrived) break;
    if (patrol.next + 1 == patrol.path.size()) ++counts_.goals;
  }
  if (patrol.next == patrol.path.size() ? frame >= patrol.looks : frame >= patrol.give_up) {
    const Vec3 goal = machine.home + Vec3{patrol.random.Between(-kRoam, kRoam), 0,
                                          patrol.random.Between(-kRoam, kRoam)};
    const Vec3 feet = machine.position - Vec3{0, kHalfHeight + kRadius, 0};
    paths.Find(feet, goal, patrol.path);
    patrol.next = 0;
    patrol.looks = frame + kWithoutPath;
    patrol.give_up = frame + kPatience;
  }
  return patrol.next < patrol.path.size() ? patrol.path[patrol.next] : machine.home;
}

void Machines::Act(std::uint64_t frame, Vec3 player, Paths& paths) {
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    Machine& machine = machines_[i];
    const Vec3 goal = machine.sees ? player : GoalOf(machine, frame, paths);
    Vec3 way = Level(goal - machine.position);
    if (machine.blocked) way = {-way.z, 0.0f, way.x};
    const Vec3 velocity = kSpeed * way + Vec3{0, machine.velocity.y, 0};
    // It cannot be gone: nothing has been removed since it perceived.
    static_cast<void>(world_.SetVelocity(machine.body, velocity, {}, counts_.wait));
    if ((frame + i) % kStampEvery != 0) continue;
    for (const NearSnapshot& near : machine.near) {
      const Vec3 up =
          kStamp * NormaliseOr(near.body.position - machine.position + Vec3{0, 6, 0}, {0, 1, 0});
      if (world_.ApplyImpulse(near.body.id, up, near.body.position, {}, counts_.wait)) {
        ++counts_.stamps;
      }
    }
  }
}

}  // namespace nowait
