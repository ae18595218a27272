// The builder: which cells it has, when it builds them anew, and that threads make no difference.
#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

using test::Clutter;
using test::PathBetween;
using test::StaticBox;

std::unique_ptr<NavBuilder> MakeBuilder(const World& world, TaskPool& pool,
                                        NavBuilderDef def = {}) {
  auto builder = NavBuilder::Create(world, pool, std::move(def));
  if (!builder) FAIL(ToString(builder.error()));
  return std::move(*builder);
}

Bounds<3> Around(Vec3 middle, float half) {
  return {{middle.x - half, middle.y - half, middle.z - half},
          {middle.x + half, middle.y + half, middle.z + half}};
}

// An update with a task for each build, in a pool without workers: this thread runs one of them.
void Frame(NavBuilder& builder, TaskPool& pool, std::span<const NavNeed> needs) {
  WaitTime wait;
  REQUIRE(builder.Update(needs, wait));
  if (builder.building() == 0) return;
  bool ran = false;
  REQUIRE(pool.DoWorkWhileWaitingFor([&] { return std::exchange(ran, true); }));
}

TEST_CASE("a gate that closes and opens changes the paths through it") {
  const PoolHere pool(1);
  const NavPace pace = GENERATE(NavPace::kBackground, NavPace::kStepAFrame);
  auto world = test::FlatWorld();
  // A wall from side to side with a gap, and the gate that stands open above it.
  Add(*world, StaticBox({0.2f, 3, 30}, {0, 1, -32}));
  Add(*world, StaticBox({0.2f, 3, 30}, {0, 1, 32}));
  const BodyId gate = Add(*world, StaticBox({0.2f, 2, 2}, {0, 10, 0}));
  const auto builder = MakeBuilder(*world, pool, {.pace = pace});
  const NavNeed need[] = {{.size = 0, .centre = {0, 0, 0}, .radius = 20}};
  WaitTime wait;
  std::vector<Vec3> points;
  REQUIRE(builder->Finish(need, wait));
  const NavMesh& mesh = builder->mesh(0);
  CHECK(PathBetween(mesh, {-8, 0, 0}, {8, 0, 0}, points) == NavReach::kWhole);
  const std::uint64_t built = builder->Stats().built;
  for (int turn = 0; turn < 3; ++turn) {
    REQUIRE(world->MoveBody(gate, {0, 1, 0}, {}, wait));
    REQUIRE(builder->Changed(Around({0, 1, 0}, 2.0f)));
    REQUIRE(builder->Finish(need, wait));
    CHECK(PathBetween(mesh, {-8, 0, 0}, {8, 0, 0}, points) == NavReach::kPart);
    REQUIRE(world->MoveBody(gate, {0, 10, 0}, {}, wait));
    REQUIRE(builder->Changed(Around({0, 1, 0}, 2.0f)));
    REQUIRE(builder->Finish(need, wait));
    CHECK(PathBetween(mesh, {-8, 0, 0}, {8, 0, 0}, points) == NavReach::kWhole);
  }
  // The gate stands where four cells meet; no others are built again.
  CHECK(builder->Stats().built == built + 6 * 4);
  CHECK(builder->Stats().rebuilt == 6 * 4);
}

TEST_CASE("a change during a build is not lost, in whatever stage it comes") {
  const PoolHere pool(0);
  const NavNeed need[] = {{.size = 0, .centre = {6.4f, 0, 6.4f}, .radius = 1}};
  WaitTime wait;
  std::vector<Vec3> points;
  for (std::size_t stages = 0; stages <= kNavStages; ++stages) {
    CAPTURE(stages);
    auto world = test::FlatWorld();
    const auto builder = MakeBuilder(*world, pool, {.pace = NavPace::kStepAFrame});
    for (std::size_t i = 0; i < stages; ++i) Frame(*builder, pool, need);
    Add(*world, StaticBox({0.2f, 2, 20}, {6, 1, 6}));
    REQUIRE(builder->Changed(Around({6, 1, 6}, 20)));
    REQUIRE(builder->Finish(need, wait));
    CHECK(PathBetween(builder->mesh(0), {2, 0, 6}, {11, 0, 6}, points) == NavReach::kPart);
  }
}

TEST_CASE("cells come and go with those that need them") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto builder = MakeBuilder(*world, pool);
  WaitTime wait;
  NavNeed need{.size = 0, .centre = {6.4f, 0, 6.4f}, .radius = 5};
  REQUIRE(builder->Finish({&need, 1}, wait));
  CHECK(builder->Stats().cells == 1);
  CHECK(builder->IsReady(0, {1, 0, 1}));
  CHECK_FALSE(builder->IsReady(0, {-1, 0, 1}));
  for (const float nowhere : {std::numeric_limits<float>::quiet_NaN(), 1e30f, -2e4f}) {
    CHECK_FALSE(builder->IsReady(0, {nowhere, 0, 1}));
    CHECK_FALSE(builder->IsReady(0, {1, 0, nowhere}));
  }
  // A step to the side needs the neighbour, and keeps the first cell.
  need.centre.x = 19.2f;
  REQUIRE(builder->Finish({&need, 1}, wait));
  CHECK(builder->Stats().cells == 2);
  CHECK(builder->Stats().removed == 0);
  need.centre.x = 32.0f;
  REQUIRE(builder->Finish({&need, 1}, wait));
  CHECK_FALSE(builder->IsReady(0, {1, 0, 1}));
  CHECK(builder->Stats().removed == 1);
  REQUIRE(builder->Finish({}, wait));
  CHECK(builder->Stats().cells == 0);
  CHECK(builder->mesh(0).CountCells(wait) == 0);
}

TEST_CASE("where there is no room for all cells, each agent has those around it") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto builder = MakeBuilder(*world, pool, {.max_cells = 6});
  WaitTime wait;
  NavNeed needs[] = {{.size = 0, .centre = {-26, 0, -26}, .radius = 30},
                     {.size = 0, .centre = {32, 0, 32}, .radius = 20}};
  for (int step = 0; step < 5; ++step) {
    REQUIRE(builder->Finish(needs, wait));
    for (const NavNeed& need : needs) CHECK(builder->IsReady(0, need.centre));
    CHECK(builder->Stats().cells == 6);
    CHECK(builder->Stats().left_out > 0);
    CHECK(builder->mesh(0).CountCells(wait) == 6);
    needs[0].centre.x += 12.8f;
  }
}

TEST_CASE("the nearest cell is built first, and one that waits has its turn") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto builder = MakeBuilder(*world, pool, {.pace = NavPace::kStepAFrame});
  const NavNeed need[] = {{.size = 0, .centre = {6.4f, 0, 6.4f}, .radius = 30}};
  int frames = 0;
  while (builder->Stats().built == 0 && frames < 100) {
    Frame(*builder, pool, need);
    ++frames;
  }
  CHECK(builder->IsReady(0, {6.4f, 0, 6.4f}));
  CHECK(frames >= static_cast<int>(kNavStages));
  // The cell in the middle changes in each frame. The others are finished nevertheless.
  while (builder->Stats().missing > 1 && frames < 10'000) {
    REQUIRE(builder->Changed(Around({6.4f, 0, 6.4f}, 1)));
    Frame(*builder, pool, need);
    ++frames;
  }
  CHECK(builder->Stats().missing <= 1);
  CHECK(builder->Stats().rebuilt > 0);
}

TEST_CASE("a build is cancelled in whatever stage it is, and its cell can be built again") {
  const PoolHere pool(GENERATE(0u, 1u));
  Clutter clutter(3);
  const NavNeed here[] = {{.size = 0, .centre = {6.4f, 0, 6.4f}, .radius = 1}};
  const NavNeed there[] = {{.size = 0, .centre = {200, 0, 200}, .radius = 1}};
  WaitTime wait;
  const std::uint64_t whole = test::BuildCell(clutter.world(), {0, 0}).Hash();
  CHECK(whole != 0);
  for (std::size_t stages = 0; stages <= kNavStages; ++stages) {
    const auto builder = MakeBuilder(clutter.world(), pool, {.pace = NavPace::kStepAFrame});
    for (std::size_t i = 0; i <= stages; ++i) REQUIRE(builder->Update(here, wait));
    REQUIRE(builder->Finish(there, wait));
    CHECK(builder->Stats().cells == 1);
    REQUIRE(builder->Finish(here, wait));
    CHECK(builder->IsReady(0, {6.4f, 0, 6.4f}));
    CHECK(builder->mesh(0).CountCells(wait) == 1);
    // And the builder may end at any time.
    REQUIRE(builder->Changed(Around({6.4f, 0, 6.4f}, 1)));
    for (std::size_t i = 0; i <= stages; ++i) REQUIRE(builder->Update(here, wait));
  }
}

TEST_CASE("a build that is cancelled while a stage runs begins no further one") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  NavTask* running = nullptr;
  QueryFilter filter{.dynamics = false};
  // Asked in the first stage, by the thread that runs it, which is the only one here.
  filter.accept = [&](const BodySnapshot&) {
    running->Cancel();
    return true;
  };
  NavTask task(pool, NavPace::kBackground, *world, {}, {0, 0}, filter);
  running = &task;
  REQUIRE(task.Advance());
  REQUIRE(task.Wait());
  CHECK(task.IsOver());
  CHECK(task.times().stages == 1);
  CHECK(task.times().builds == 0);
}

TEST_CASE("a change beside a border is a change of both cells") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto builder = MakeBuilder(*world, pool);
  const NavNeed need[] = {{.size = 0, .centre = {12.8f, 0, 6.4f}, .radius = 1}};
  WaitTime wait;
  REQUIRE(builder->Finish(need, wait));
  REQUIRE(builder->Changed(Around({13.4f, 0, 6.4f}, 0.2f)));
  REQUIRE(builder->Finish(need, wait));
  CHECK(builder->Stats().rebuilt == 2);
  REQUIRE(builder->Changed(Around({19, 0, 6.4f}, 0.2f)));
  REQUIRE(builder->Finish(need, wait));
  CHECK(builder->Stats().rebuilt == 3);
}

TEST_CASE("a mesh is the same for any number of threads, of builds and for either pace") {
  std::vector<std::vector<Vec3>> all;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    for (const NavPace pace : {NavPace::kBackground, NavPace::kStepAFrame}) {
      const PoolHere pool(workers);
      Clutter clutter(9, 40);
      const auto builder =
          MakeBuilder(clutter.world(), pool, {.max_building = workers + 1, .pace = pace});
      const NavNeed need[] = {{.size = 0, .centre = {12.8f, 0, 12.8f}, .radius = 30}};
      WaitTime wait;
      REQUIRE(builder->Finish(need, wait));
      std::vector<NavPolygon> polygons;
      builder->mesh(0).CopyPolygons(polygons, wait);
      std::vector<Vec3>& corners = all.emplace_back();
      for (const NavPolygon& polygon : polygons) {
        corners.insert(corners.end(), polygon.corners.begin(), polygon.corners.end());
      }
    }
  }
  CHECK(all[0].size() > 500);
  for (const auto& corners : all) CHECK((corners == all[0]));
}

// A wall comes and goes while cells are built, and those that need them walk on.
TEST_CASE("replayed, a mesh is the same in each update for any number of threads") {
  std::vector<std::vector<Vec3>> first;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    const PoolHere pool(workers);
    Clutter clutter(5, 40);
    const auto builder =
        MakeBuilder(clutter.world(), pool, {.max_cells = 7, .max_building = 4, .replay = 3});
    WaitTime wait;
    std::vector<std::vector<Vec3>> meshes;
    std::optional<BodyId> wall;
    for (int update = 0; update < 60; ++update) {
      for (TaskId due = builder->Due(); due.IsTask(); due = builder->Due()) {
        REQUIRE(pool->Wait(due));
      }
      const NavNeed need[] = {
          {.size = 0, .centre = {0.5f * static_cast<float>(update), 0, 9}, .radius = 8}};
      REQUIRE(builder->Update(need, wait));
      if (update % 5 == 2) {
        if (wall) REQUIRE(clutter.world().DestroyBody(*std::exchange(wall, {}), wait));
      } else if (update % 5 == 4) {
        wall = Add(clutter.world(), StaticBox({6, 2, 0.3f}, {12, 1, 9}));
      }
      REQUIRE(builder->Changed({{5, -2, 8}, {19, 4, 10}}));
      std::vector<NavPolygon> polygons;
      builder->mesh(0).CopyPolygons(polygons, wait);
      std::vector<Vec3>& corners = meshes.emplace_back();
      for (const NavPolygon& polygon : polygons) {
        corners.insert(corners.end(), polygon.corners.begin(), polygon.corners.end());
      }
    }
    CHECK(builder->Stats().rebuilt > 10);
    CHECK(builder->Stats().removed > 0);
    if (first.empty()) first = meshes;
    for (std::size_t i = 0; i < meshes.size(); ++i) REQUIRE(meshes[i] == first[i]);
  }
}

TEST_CASE("each size of agent has its own mesh") {
  const PoolHere pool(1);
  auto world = test::FlatWorld();
  Add(*world, StaticBox({0.2f, 3, 30}, {0, 1, -31.5f}));
  Add(*world, StaticBox({0.2f, 3, 30}, {0, 1, 31.5f}));
  const auto builder = MakeBuilder(
      *world, pool, {.sizes = {{}, {.agent_radius = 2.0f, .agent_height = 4.0f, .voxel = 0.4f}}});
  const NavNeed needs[] = {{.size = 0, .centre = {0, 0, 0}, .radius = 20},
                           {.size = 1, .centre = {0, 0, 0}, .radius = 20}};
  WaitTime wait;
  REQUIRE(builder->Finish(needs, wait));
  std::vector<Vec3> points;
  CHECK(PathBetween(builder->mesh(0), {-8, 0, 0}, {8, 0, 0}, points) == NavReach::kWhole);
  CHECK(PathBetween(builder->mesh(1), {-8, 0, 0}, {8, 0, 0}, points) == NavReach::kPart);
}

TEST_CASE("a cell that fails loses its mesh, is counted, and is tried again when it changes") {
  const PoolHere pool(0);
  auto world = test::FlatWorld();
  const auto builder = MakeBuilder(*world, pool);
  const NavNeed need[] = {{.size = 0, .centre = {6.4f, 0, 6.4f}, .radius = 1}};
  WaitTime wait;
  REQUIRE(builder->Finish(need, wait));
  const BodyId high = Add(*world, StaticBox({1, 1, 1}, {6, 2000, 6}));
  REQUIRE(builder->Changed(Around({6, 2000, 6}, 1)));
  REQUIRE(builder->Finish(need, wait));
  CHECK(builder->Stats().failed == 1);
  CHECK(builder->Stats().failure.subject == std::string("voxels of height"));
  CHECK(builder->mesh(0).CountCells(wait) == 0);
  REQUIRE(builder->Finish(need, wait));
  CHECK(builder->Stats().failed == 1);
  REQUIRE(world->DestroyBody(high, wait));
  REQUIRE(builder->Changed(Around({6, 2000, 6}, 1)));
  REQUIRE(builder->Finish(need, wait));
  CHECK(builder->IsReady(0, {6, 0, 6}));
}

TEST_CASE("a builder names what is wrong, and then nothing has happened") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto subject = [&](NavBuilderDef def) {
    return std::string(NavBuilder::Create(*world, pool, std::move(def)).error().subject);
  };
  CHECK(subject({.sizes = {}}) == "sizes");
  CHECK(subject({.sizes = {{}, {.agent_radius = 0.0f}}}) == "agent radius");
  CHECK(subject({.max_cells = 0}) == "cells");
  CHECK(subject({.max_building = 0}) == "building");
  CHECK(subject({.pace = NavPace::kStepAFrame, .replay = 4}) == "replay");
  const auto builder = MakeBuilder(*world, pool, {.max_cells = 2});
  WaitTime wait;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto refused = [&](NavNeed need) {
    const NavNeed needs[] = {{.size = 0, .centre = {6, 0, 6}, .radius = 1}, need};
    const auto updated = builder->Update(needs, wait);
    REQUIRE_FALSE(updated);
    CHECK(builder->Stats().cells == 0);
    return std::string(updated.error().subject);
  };
  CHECK(refused({.size = 1, .centre = {}}) == "size");
  CHECK(refused({.size = 0, .centre = {nan, 0, 0}}) == "centre");
  CHECK(refused({.size = 0, .centre = {2e4f, 0, 0}}) == "centre");
  CHECK(refused({.size = 0, .centre = {}, .radius = nan}) == "radius");
  CHECK(refused({.size = 0, .centre = {}, .radius = -1}) == "radius");
  CHECK(builder->Changed({{nan, 0, 0}, {1, 1, 1}}).error().subject == std::string("box"));
  CHECK(builder->Changed({{2, 0, 0}, {1, 1, 1}}).error().subject == std::string("box"));
  // Two of six cells have room.
  const NavNeed wide[] = {{.size = 0, .centre = {6, 0, 6}, .radius = 9}};
  REQUIRE(builder->Finish(wide, wait));
  CHECK(builder->Stats().cells == 2);
  CHECK(builder->Stats().left_out == 4);
}

TEST_CASE("a definition and a need at their bounds are taken, and beyond them are named") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto subject = [&](NavBuilderDef def) {
    const auto made = NavBuilder::Create(*world, pool, std::move(def));
    return made ? std::string("made") : std::string(made.error().subject);
  };
  CHECK(subject({.sizes = std::vector<NavSettings>(8), .max_cells = 1}) == "made");
  CHECK(subject({.sizes = std::vector<NavSettings>(9), .max_cells = 1}) == "sizes");
  CHECK(subject({.max_cells = NavMesh::kMaxCells}) == "made");
  CHECK(subject({.max_cells = NavMesh::kMaxCells + 1}) == "cells");
  CHECK(subject({.max_building = 64}) == "made");
  CHECK(subject({.max_building = 65}) == "building");
  const auto builder = MakeBuilder(*world, pool, {.max_cells = 1});
  WaitTime wait;
  const auto needed = [&](NavNeed need) {
    const auto updated = builder->Update({&need, 1}, wait);
    return updated ? std::string("taken") : std::string(updated.error().subject);
  };
  CHECK(needed({.size = 0, .centre = {0, 0, 0}, .radius = 1'001}) == "radius");
  CHECK(needed({.size = 0, .centre = {kNavReach + 1, 0, 0}, .radius = 1}) == "centre");
  CHECK(needed({.size = 0, .centre = {0, 0, -kNavReach}, .radius = 0}) == "taken");
  CHECK(needed({.size = 0, .centre = {0, 0, 0}, .radius = 1'000}) == "taken");
}

TEST_CASE("a change that is refused leaves the cells as they are, one beside them too") {
  const PoolHere pool(0);
  const auto world = test::FlatWorld();
  const auto builder = MakeBuilder(*world, pool);
  const NavNeed need[] = {{.size = 0, .centre = {6.4f, 0, 6.4f}, .radius = 1}};
  WaitTime wait;
  REQUIRE(builder->Finish(need, wait));
  const float infinite = std::numeric_limits<float>::infinity();
  CHECK_FALSE(builder->Changed({{0, 0, 5}, {9, 9, 4}}));
  CHECK_FALSE(builder->Changed({{0, 0, 0}, {9, infinite, 9}}));
  REQUIRE(builder->Changed(Around({100, 0, 6}, 5)));
  CHECK(builder->IsReady(0, {6, 0, 6}));
  CHECK(builder->Stats().missing == 0);
  REQUIRE(builder->Changed(Around({6, 0, 6}, 0)));  // a point is a box
  CHECK_FALSE(builder->IsReady(0, {6, 0, 6}));
  CHECK(builder->Stats().missing == 1);
  REQUIRE(builder->Finish(need, wait));
  CHECK(builder->Stats().rebuilt == 1);
  CHECK(builder->Stats().built == 2);
}

}  // namespace
}  // namespace nowait
