// Joints come out the same for any number of threads, in small islands and in large ones, and with
// both compilers.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

JointDef Between(BodyId a, BodyId b, Vec3 at_a, Vec3 at_b, const JointKind& kind) {
  JointDef def;
  def.a = a;
  def.b = b;
  const Vec3 anchor = (at_a + at_b) * 0.5f;
  def.frame_a = FrameAt(at_a, {}, anchor);
  def.frame_b = FrameAt(at_b, {}, anchor);
  def.kind = kind;
  return def;
}

JointKind KindOf(std::uint32_t number) {
  switch (number % 6) {
    case 0:
      return PointJoint{};
    case 1:
      return HingeJoint{.limits = JointLimits{-0.7f, 0.7f}, .motor = JointMotor{2.0f, 50.0f}};
    case 2:
      return SwingTwistJoint{
          .cone = 0.6f, .twist = JointLimits{-0.4f, 0.4f}, .drive = JointDrive{.most = 100.0f}};
    case 3:
      return FixedJoint{};
    case 4:
      return SliderJoint{.limits = JointLimits{-0.2f, 0.2f}};
    default:
      return DistanceJoint{.spring = JointSpring{.hertz = 3.0f, .rest = 1.2f}};
  }
}

// Chains of six bodies of every kind of joint fall on hills among loose bodies; some bodies are
// removed, some joints break.
std::vector<std::uint64_t> RunChains(std::uint32_t workers) {
  HillScene scene = MakeHillScene(60, 9);
  World& world = *scene.world;
  PoolHere pool(workers);
  WaitTime wait;
  std::vector<BodyId> links;
  for (std::uint32_t chain = 0; chain < 24; ++chain) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Vec3 at{10.0f + 1.3f * static_cast<float>(i), 8.0f + 0.2f * static_cast<float>(chain),
                    10.0f + 0.8f * static_cast<float>(chain)};
      links.push_back(Add(world, i % 2 == 0 ? BoxAt({0.4f, 0.2f, 0.2f}, at) : SphereAt(0.3f, at)));
      if (i == 0) continue;
      JointDef def = Between(links[links.size() - 2], links.back(), at - Vec3{1.3f, 0, 0}, at,
                             KindOf(chain + i));
      def.bodies_touch = chain % 3 == 0;
      if (chain % 5 == 0) def.break_force = 8000.0f;
      REQUIRE(world.CreateJoint(def, wait).has_value());
    }
  }
  std::vector<std::uint64_t> hashes;
  std::size_t broken = 0;
  for (int step = 0; step < 120; ++step) {
    REQUIRE(Run(world, pool, 1));
    broken += world.joint_events().size();
  }
  hashes.push_back(world.StateHash());
  for (std::size_t i = 0; i < links.size(); i += 17) {
    REQUIRE(world.DestroyBody(links[i], wait).has_value());
  }
  REQUIRE(Run(world, pool, 120));
  hashes.push_back(world.StateHash());
  CHECK(broken > 0);
  CHECK(world.joint_count() < 24 * 5 - broken);
  return hashes;
}

TEST_CASE("chains of every kind of joint come out the same for 1, 2, 3, 4 and 8 threads") {
  const std::vector<std::uint64_t> alone = RunChains(0);
  for (const std::uint32_t threads : {2u, 3u, 4u, 8u}) {
    CAPTURE(threads);
    CHECK(RunChains(threads - 1) == alone);
  }
}

TEST_CASE("the hash of the chains is the one that was written down") {
  // Found with g++ 12 -O2; clang 19 agrees. Changes when the physics changes.
  const std::vector<std::uint64_t> golden = {0x9ac1717fdc1e0871, 0x826836dd14f50083};
  CHECK(RunChains(0) == golden);
}

struct Net {
  std::uint64_t hash;
  UpdateStats stats;
  float lowest;
};

// A net of balls on joints, of which two rows are fixed: one island, with more joints than one
// thread solves. Loose balls fall on it.
Net RunNet(std::uint32_t workers, int steps) {
  constexpr std::uint32_t kSide = 20;
  auto world = MakeWorld();
  PoolHere pool(workers);
  WaitTime wait;
  std::vector<BodyId> balls;
  const auto place = [](std::uint32_t i, std::uint32_t k) {
    return Vec3{static_cast<float>(i), 20.0f, static_cast<float>(k)};
  };
  for (std::uint32_t k = 0; k < kSide; ++k) {
    for (std::uint32_t i = 0; i < kSide; ++i) {
      BodyDef def = SphereAt(0.4f, place(i, k));
      if (k == 0 || k + 1 == kSide) def.type = BodyType::kStatic;
      balls.push_back(Add(*world, def));
      const auto join = [&](std::uint32_t other_i, std::uint32_t other_k) {
        const JointDef joint = Between(balls[other_k * kSide + other_i], balls.back(),
                                       place(other_i, other_k), place(i, k), PointJoint{});
        REQUIRE(world->CreateJoint(joint, wait).has_value());
      };
      if (k > 0) join(i, k - 1);
      if (i > 0 && k > 0 && k + 1 < kSide) join(i - 1, k);
    }
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    Add(*world, SphereAt(0.6f, {2.0f * static_cast<float>(i) + 2.5f, 21.5f, 9.5f}));
  }
  REQUIRE(Run(*world, pool, steps));
  float lowest = 1e9f;
  for (const BodyId id : balls) lowest = std::min(lowest, Get(*world, id).position.y);
  return {world->StateHash(), world->stats(), lowest};
}

TEST_CASE("a large island of joints comes out the same whichever threads solve it") {
  const Net alone = RunNet(0, 60);
  REQUIRE(alone.stats.large_islands == 1);
  REQUIRE(alone.stats.split_islands == 0);
  REQUIRE(alone.stats.joints > 512);
  CHECK(alone.lowest > 10.0f);  // it is still held
  for (const std::uint32_t workers : {1u, 2u, 3u, 7u}) {
    CAPTURE(workers);
    const Net together = RunNet(workers, 60);
    CHECK(together.hash == alone.hash);
    CHECK(together.stats.large_islands == 1);
    CHECK(together.stats.split_islands == 1);
  }
}

}  // namespace
}  // namespace nowait
