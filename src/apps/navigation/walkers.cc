#include "src/apps/navigation/walkers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "src/jobs/parallel_for.h"
#include "src/navigation/walk.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

constexpr std::uint32_t kGroup = 8;        // walkers
constexpr float kNeed = 26.0f;             // metres around a walker in which it needs a mesh
constexpr float kFarthestGoal = 24.0f;     // metres
constexpr float kSpeed = 2.5f;             // metres a second
constexpr float kPatience = 0.5f;          // seconds
constexpr float kSpawnReach = 50.0f;       // metres from the middle
constexpr std::uint64_t kTrackEvery = 15;  // frames

Shape BodyOf(const NavSettings& size) {
  return Shape::Capsule(0.5f * size.agent_height - size.agent_radius, size.agent_radius);
}

}  // namespace

WalkerCounts& WalkerCounts::operator+=(const WalkerCounts& other) {
  whole += other.whole;
  part += other.part;
  cut_off += other.cut_off;
  no_mesh += other.no_mesh;
  goals += other.goals;
  stops += other.stops;
  metres += other.metres;
  paths += other.paths;
  longest_path = std::max(longest_path, other.longest_path);
  wait += other.wait;
  return *this;
}

Walkers::Walkers(Valley& valley, const NavBuilder& builder, std::span<const NavSettings> sizes,
                 std::uint32_t count, std::uint64_t seed)
    : valley_(valley), builder_(builder), sizes_(sizes.begin(), sizes.end()), tracks_(count) {
  Random random(seed);
  for (std::uint32_t i = 0; i < count; ++i) {
    Walker& walker = walkers_.emplace_back();
    walker.size = i % static_cast<std::uint32_t>(sizes_.size());
    walker.random = Random((seed << 32) + i);
    const float x = random.Between(-kSpawnReach, kSpawnReach);
    const float z = random.Between(-kSpawnReach, kSpawnReach);
    walker.feet = {x, valley.ground().HeightAt(x, z), z};
  }
}

Vec3 Walkers::BodyPlace(const Walker& walker) const {
  return walker.feet + Vec3{0, 0.5f * sizes_[walker.size].agent_height, 0};
}

Result<void> Walkers::Spawn() {
  WaitTime wait;
  for (Walker& walker : walkers_) {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.layer = Valley::kWalkers;
    def.shape = BodyOf(sizes_[walker.size]);
    def.position = BodyPlace(walker);
    auto id = valley_.world().CreateBody(def, wait);
    if (!id) return std::unexpected(id.error());
    walker.body = *id;
  }
  for (std::uint32_t begin = 0; begin < walkers_.size(); begin += kGroup) {
    Group& group = groups_.emplace_back();
    group.begin = begin;
    group.end = std::min(begin + kGroup, static_cast<std::uint32_t>(walkers_.size()));
    for (std::uint32_t size = 0; size < sizes_.size(); ++size) {
      auto query = NavQuery::Create(builder_.mesh(size));
      if (!query) return std::unexpected(query.error());
      group.queries.push_back(std::move(*query));
    }
  }
  return {};
}

std::span<const NavNeed> Walkers::Needs() {
  needs_.clear();
  for (const Walker& walker : walkers_) needs_.push_back({walker.size, walker.feet, kNeed});
  return needs_;
}

Result<void> Walkers::Update(float dt, TaskPool& pool) {
  const auto count = static_cast<std::uint32_t>(groups_.size());
  const auto done = ParallelFor(pool, count, 1, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) groups_[i].result = UpdateGroup(groups_[i], dt);
  });
  if (!done) return done;
  for (const Group& group : groups_) {
    if (!group.result) return group.result;
  }
  if (frame_++ % kTrackEvery == 0) {
    for (std::size_t i = 0; i < walkers_.size(); ++i) {
      if (walkers_[i].placed) tracks_[i].push_back(walkers_[i].feet);
    }
  }
  return {};
}

Result<void> Walkers::UpdateGroup(Group& group, float dt) {
  const ProfileScope scope("walkers");
  const WorldView view = valley_.world().Read();
  for (std::uint32_t i = group.begin; i < group.end; ++i) {
    if (auto done = UpdateWalker(walkers_[i], group, view, dt); !done) return done;
  }
  return {};
}

Result<void> Walkers::UpdateWalker(Walker& walker, Group& group, const WorldView& view, float dt) {
  if (walker.next < walker.path.size()) return Step(walker, group, view, dt);
  walker.patience -= dt;
  if (walker.patience <= 0.0f) FindPath(walker, group);
  return {};
}

// To a place at random, not far away.
void Walkers::FindPath(Walker& walker, Group& group) {
  const float end = valley_.ground().terrain.half_size() - 2.0f;
  const auto near = [&](float at) {
    return std::clamp(at + walker.random.Between(-kFarthestGoal, kFarthestGoal), -end, end);
  };
  const float x = near(walker.feet.x), z = near(walker.feet.z);
  const Vec3 goal{x, valley_.ground().HeightAt(x, z), z};
  const auto begin = EngineSync::clock::now();
  const auto reach =
      group.queries[walker.size].FindPath(walker.feet, goal, walker.path, group.counts.wait);
  const auto time =
      std::chrono::duration_cast<std::chrono::nanoseconds>(EngineSync::clock::now() - begin);
  group.counts.paths += time;
  group.counts.longest_path = std::max(group.counts.longest_path, time);
  walker.next = 0;
  walker.patience = kPatience;
  if (reach && !walker.placed) {
    walker.feet = walker.path[0];
    walker.placed = true;
  }
  if (!reach) {
    ++group.counts.no_mesh;
  } else if (*reach == NavReach::kWhole) {
    ++group.counts.whole;
  } else {
    ++(*reach == NavReach::kPart ? group.counts.part : group.counts.cut_off);
  }
}

Result<void> Walkers::Step(Walker& walker, Group& group, const WorldView& view, float dt) {
  const NavSettings& size = sizes_[walker.size];
  const Vec3 to = walker.path[walker.next];
  const Vec3 way{to.x - walker.feet.x, 0, to.z - walker.feet.z};
  const float left = Length(way), step = kSpeed * dt;
  const bool arrives = left <= step;
  const Vec3 next = arrives ? Vec3{to.x, walker.feet.y, to.z} : walker.feet + way * (step / left);
  const std::array<Vec3, 2> points{walker.feet, next};
  const auto walk = WalkAlong(view, size, points, Valley::Solids(), group.counts.wait);
  if (!walk) return std::unexpected(walk.error());
  if (walk->obstacle) {
    ++group.counts.stops;
    walker.path.clear();
    return {};
  }
  group.counts.metres += std::min(left, step);
  walker.feet = walk->feet;
  if (arrives && ++walker.next == walker.path.size()) ++group.counts.goals;
  return valley_.world().MoveBody(walker.body, BodyPlace(walker), {}, group.counts.wait);
}

WalkerCounts Walkers::Counts() const {
  WalkerCounts all;
  for (const Group& group : groups_) all += group.counts;
  return all;
}

}  // namespace nowait
