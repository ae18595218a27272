// Paths of random worlds, walked by a capsule among the bodies.
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

using test::Clutter;
using test::kStatics;
using test::StaticBox;

TEST_CASE("an agent can walk every path that is found") {
  const NavSettings settings =
      GENERATE(NavSettings{}, NavSettings{.agent_radius = 0.3f, .voxel = 0.1f},
               NavSettings{.agent_radius = 1.0f, .agent_height = 3.0f, .voxel = 0.4f});
  int whole = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed, settings.agent_radius);
    Clutter clutter(seed);
    const auto mesh = test::MeshOf(clutter.world(), 2, settings);
    auto query = std::move(*NavQuery::Create(*mesh));
    const WorldView view = clutter.world().Read();
    WaitTime wait;
    std::vector<Vec3> points;
    for (int i = 0; i < 60; ++i) {
      const auto from = query.FindPlace(clutter.Place(), wait);
      const auto to = query.FindPlace(clutter.Place(), wait);
      if (!from || !to) continue;
      const auto reach = query.FindPath(*from, *to, points, wait);
      REQUIRE(reach);
      if (*reach == NavReach::kWhole) ++whole;
      const auto walk = WalkAlong(view, settings, points, kStatics, wait);
      REQUIRE(walk);
      CAPTURE(walk->feet);
      CHECK_FALSE(walk->obstacle);
    }
  }
  CHECK(whole > 200);
}

// The mesh measures distances in steps to neighbours: worst between an axis and a diagonal.
TEST_CASE("an agent can walk along a wall of any direction, as close as the mesh leads it") {
  const NavSettings settings;
  for (int step = 0; step < 32; ++step) {
    const float angle = static_cast<float>(step) * 0.1f;
    CAPTURE(angle);
    auto world = test::FlatWorld();
    const Vec3 middle{12.9f, 1, 12.7f};
    const Quat turn = FromAxisAngle({0, 1, 0}, angle);
    Add(*world, StaticBox({5, 1, 0.3f}, middle, turn));
    const auto mesh = test::MeshOf(*world, 2, settings);
    // Straight on, the way would cut into the long side.
    const Vec3 from = middle + Rotate(turn, {-7, -1, -0.2f});
    const Vec3 to = middle + Rotate(turn, {7, -1, -0.2f});
    std::vector<Vec3> points;
    REQUIRE(test::PathBetween(*mesh, from, to, points) == NavReach::kWhole);
    CHECK(points.size() >= 4);
    WaitTime wait;
    const auto walk = WalkAlong(world->Read(), settings, points, kStatics, wait);
    REQUIRE(walk);
    CAPTURE(walk->feet);
    CHECK_FALSE(walk->obstacle);
  }
}

TEST_CASE("a walk through a wall, over an abyss or up a wall meets an obstacle") {
  auto world = MakeWorld();
  Add(*world, StaticBox({5, 1, 5}, {0, -1, 0}));
  const BodyId wall = Add(*world, StaticBox({0.1f, 1, 2}, {0, 1, 0}));
  const BodyId block = Add(*world, StaticBox({1, 0.5f, 1}, {3, 0.5f, 4}));
  const WorldView view = world->Read();
  WaitTime wait;
  const auto walk = [&](std::vector<Vec3> points) {
    const auto end = WalkAlong(view, {}, points, kStatics, wait);
    REQUIRE(end);
    return end->obstacle;
  };
  const auto at_wall = walk({{-2, 0, 0}, {2, 0, 0}});
  REQUIRE(at_wall);
  CHECK(at_wall->body == wall);
  CHECK(at_wall->place.x == Approx(-0.5f).margin(0.25));
  CHECK_FALSE(walk({{-2, 0, 0}, {-2, 0, 3}, {0, 0, 3}}));
  CHECK_FALSE(walk({{-2, 0, 0}}));
  CHECK(WalkAlong(view, {}, {}, kStatics, wait).error().subject == std::string("points"));
  for (const float nowhere :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    const std::vector<Vec3> points = {{-2, 0, 0}, {-2, nowhere, 3}};
    const auto end = WalkAlong(view, {}, points, kStatics, wait);
    REQUIRE_FALSE(end);
    CHECK(end.error().subject == std::string("points"));
    CHECK(end.error().amount == 1);
  }
  const auto at_block = walk({{0, 0, 4}, {3, 0, 4}});
  REQUIRE(at_block);
  CHECK(at_block->body == block);
  const auto at_edge = walk({{-2, 0, -4}, {-9, 0, -4}});
  REQUIRE(at_edge);
  CHECK_FALSE(at_edge->body);
  CHECK(at_edge->place.x < -5);
}

TEST_CASE("a walk ends at the last place that was free, on the ground") {
  auto world = MakeWorld();
  Add(*world, StaticBox({6, 1, 3}, {0, -1, 0}));
  Add(*world, StaticBox({2, 0.15f, 3}, {4, 0.15f, 0}));  // a step up of 0.3
  Add(*world, StaticBox({0.1f, 2, 3}, {5, 2, 0}));       // a wall on it
  WaitTime wait;
  const auto end =
      WalkAlong(world->Read(), {}, std::vector<Vec3>{{-4, 0.1f, 0}, {9, 0, 0}}, kStatics, wait);
  REQUIRE(end);
  REQUIRE(end->obstacle);
  CHECK(end->feet.y == Approx(0.3f).margin(0.01));
  CHECK(end->feet.x > 4.0f);
  CHECK(end->feet.x <= 4.9f - 0.4f + 0.01f);
  const auto free =
      WalkAlong(world->Read(), {}, std::vector<Vec3>{{-4, 0.1f, 0}, {3, 0, 1}}, kStatics, wait);
  REQUIRE(free);
  CHECK_FALSE(free->obstacle);
  CHECK(free->feet.x == Approx(3));
  CHECK(free->feet.y == Approx(0.3f).margin(0.01));
  CHECK(free->feet.z == Approx(1));
  // Where it begins there is no ground within a step: it has gone nowhere.
  const std::vector<Vec3> high = {{-4, 3, 0}, {3, 0, 0}};
  const auto nowhere = WalkAlong(world->Read(), {}, high, kStatics, wait);
  REQUIRE(nowhere);
  REQUIRE(nowhere->obstacle);
  CHECK(nowhere->feet == high[0]);
  CHECK_FALSE(nowhere->obstacle->body);
}

TEST_CASE("a beam over the way is an obstacle, and the walk ends below it on the ground") {
  auto world = test::FlatWorld();
  const BodyId beam = Add(*world, StaticBox({0.1f, 0.1f, 3}, {2, 1.65f, 0}));
  WaitTime wait;
  const auto end =
      WalkAlong(world->Read(), {}, std::vector<Vec3>{{-4, 0, 0}, {6, 0, 0}}, kStatics, wait);
  REQUIRE(end);
  REQUIRE(end->obstacle);
  CHECK(end->obstacle->body == beam);
  CHECK(end->feet.x > 1.2f);
  CHECK(end->feet.x < 1.6f);
  CHECK(end->feet.y == Approx(0).margin(0.01));
}

}  // namespace
}  // namespace nowait
