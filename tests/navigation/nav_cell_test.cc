// One cell: its stages, what it is made of, and what can go wrong.
#include <recastnavigation/RecastAlloc.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

using test::BuildCell;
using test::Clutter;
using test::kStatics;
using test::StaticBox;

TEST_CASE("a flat cell is one floor, without a hole and without a gap at its edges") {
  const auto world = test::FlatWorld();
  const auto mesh = test::MeshOf(*world, 1);
  WaitTime wait;
  std::vector<NavPolygon> polygons;
  mesh->CopyPolygons(polygons, wait);
  double area = 0;
  for (const NavPolygon& polygon : polygons) {
    for (std::size_t i = 2; i < polygon.corners.size(); ++i) {
      area += 0.5 * Length(Cross(polygon.corners[i - 1] - polygon.corners[0],
                                 polygon.corners[i] - polygon.corners[0]));
    }
    for (const Vec3 corner : polygon.corners) CHECK(std::abs(corner.y) <= 0.11f);
  }
  CHECK(area == Approx(kNavCellSide * kNavCellSide).epsilon(1e-4));
}

TEST_CASE("the inside of a solid is no place to walk") {
  auto world = test::FlatWorld();
  // Large enough for a person to stand in, and a plate inside the floor.
  Add(*world, StaticBox({4, 4, 4}, {6.4f, 4, 6.4f}));
  Add(*world, StaticBox({4, 0.5f, 4}, {6.4f, -1, 6.4f}));
  WaitTime wait;
  std::vector<NavPolygon> polygons;
  test::MeshOf(*world, 1)->CopyPolygons(polygons, wait);
  bool on_top = false;
  for (const NavPolygon& polygon : polygons) {
    for (const Vec3 corner : polygon.corners) {
      const bool beside = std::max(std::abs(corner.x - 6.4f), std::abs(corner.z - 6.4f)) > 4.3f;
      const bool top = std::abs(corner.y - 8) < 0.2f;
      on_top |= top;
      CHECK((top || (beside && std::abs(corner.y) < 0.2f)));
    }
  }
  CHECK(on_top);
}

// A body that is removed after its copy was taken leaves a shape that the next stage looks at.
TEST_CASE("a build pins shapes until it has looked at the last one") {
  const auto world = test::FlatWorld();
  ReaderEpochs<> epochs;
  WaitTime wait;
  NavCellBuild build(*world, {}, {0, 0}, kStatics, [&epochs] { return epochs.Pin(); });
  const auto is_pinned = [&epochs] { return !(epochs.TryAdvance() && epochs.TryAdvance()); };
  CHECK_FALSE(is_pinned());
  REQUIRE(build.Step(wait));
  CHECK(build.next() == NavStage::kTriangles);
  CHECK(is_pinned());
  REQUIRE(build.Step(wait));
  CHECK_FALSE(is_pinned());
}

TEST_CASE("below a field there is only ground") {
  std::vector<float> heights(30 * 30, 5.0f);
  const auto field = std::move(
      *HeightField::Create({.columns = 30, .rows = 30, .spacing = 1.0f, .heights = heights}));
  auto world = MakeWorld();
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(field.get());
  Add(*world, ground);
  Add(*world, StaticBox({5, 0.1f, 5}, {6, 1, 6}));
  WaitTime wait;
  std::vector<NavPolygon> polygons;
  test::MeshOf(*world, 1)->CopyPolygons(polygons, wait);
  CHECK_FALSE(polygons.empty());
  for (const NavPolygon& polygon : polygons) {
    for (const Vec3 corner : polygon.corners) CHECK(corner.y == Approx(5).margin(0.11));
  }
}

void AddPlane(World& world, Vec3 normal, float distance) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Plane(normal, distance);
  Add(world, def);
}

TEST_CASE(
    "a level plane is ground without end, with nothing below it, and a wall of one is a border") {
  auto world = MakeWorld();
  AddPlane(*world, {0, 1, 0}, 0);
  AddPlane(*world, {1, 0, 0}, 4);
  Add(*world, StaticBox({4, 0.5f, 4}, {6.4f, -9, 6.4f}));
  WaitTime wait;
  std::vector<NavPolygon> polygons;
  test::MeshOf(*world, 1)->CopyPolygons(polygons, wait);
  REQUIRE_FALSE(polygons.empty());
  float nearest = 1e9f;
  for (const NavPolygon& polygon : polygons) {
    float most = -1e9f;
    for (const Vec3 corner : polygon.corners) {
      CHECK(std::abs(corner.y) <= 0.11f);
      most = std::max(most, corner.x);
      if (corner.x > 4) nearest = std::min(nearest, corner.x);
    }
    CHECK(most > 0);
  }
  // An agent's radius beside the wall.
  CHECK(nearest > 4.2f);
  CHECK(nearest < 5.0f);
}

TEST_CASE("a wall without end alone is nothing to walk on") {
  auto world = MakeWorld();
  AddPlane(*world, {1, 0, 0}, 4);
  AddPlane(*world, {0.1f, 0.02f, 1}, 5);
  AddPlane(*world, {0, -1, 0}, -3);
  CHECK(BuildCell(*world, {0, 0}).size == 0);
}

TEST_CASE("of two grounds without end the higher one counts, however far the other is below it") {
  auto world = MakeWorld();
  AddPlane(*world, {0, 1, 0}, 0);
  AddPlane(*world, {-0.5f, 1, 0}, 0);  // a hillside: a metre up in two of x
  for (const float x : {-5000.0f, 0.0f, 5000.0f}) {
    CAPTURE(x);
    WaitTime wait;
    std::vector<NavPolygon> polygons;
    auto mesh = std::move(*NavMesh::Create({}, 4));
    REQUIRE(mesh->Insert(BuildCell(*world, NavCellAt({x, 0, 0})), wait));
    mesh->CopyPolygons(polygons, wait);
    REQUIRE_FALSE(polygons.empty());
    for (const NavPolygon& polygon : polygons) {
      for (const Vec3 corner : polygon.corners) {
        CHECK(corner.y == Approx(std::max(0.5f * corner.x, 0.0f)).margin(0.25));
      }
    }
  }
}

TEST_CASE("nothing to walk on is a cell without polygons") {
  auto world = MakeWorld();
  CHECK(BuildCell(*world, {0, 0}).size == 0);
  Add(*world, StaticBox({20, 1, 20}, {0, 0, 0}, FromAxisAngle({1, 0, 0}, 1.2f)));
  CHECK(BuildCell(*world, {0, 0}).polygons == 0);
  // Bodies that move are not of this filter.
  Add(*world, BoxAt({20, 1, 20}, {100, 0, 100}));
  CHECK(BuildCell(*world, {7, 7}).size == 0);
}

TEST_CASE("a cell is the same bytes each time, and can be given up after every stage") {
  Clutter clutter(5);
  const std::uint64_t whole = BuildCell(clutter.world(), {0, 1}).Hash();
  WaitTime wait;
  for (std::size_t stages = 0; stages < kNavStages; ++stages) {
    NavCellBuild build(clutter.world(), {}, {0, 1}, kStatics);
    for (std::size_t i = 0; i < stages; ++i) {
      CHECK(build.next() == static_cast<NavStage>(i));
      REQUIRE(build.Step(wait));
    }
    // Here it ends, with what the stages have made; the sanitizer looks for what is left behind.
  }
  CHECK(BuildCell(clutter.world(), {0, 1}).Hash() == whole);
  CHECK(BuildCell(clutter.world(), {1, 1}).Hash() != whole);
}

TEST_CASE("a cell has the same bytes with every compiler") {
  Hash all;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Clutter clutter(seed, 30);
    const std::uint64_t cell = BuildCell(clutter.world(), {0, 0}).Hash();
    all.Add(static_cast<std::uint32_t>(cell));
    all.Add(static_cast<std::uint32_t>(cell >> 32));
  }
  CHECK(all.value() == 0xb93cd8cd6b075729ull);  // of Recast 1.5.1
}

TEST_CASE("only the first stage looks at the world") {
  Clutter clutter(6);
  const std::uint64_t before = BuildCell(clutter.world(), {0, 0}).Hash();
  WaitTime wait;
  NavCellBuild build(clutter.world(), {}, {0, 0}, kStatics);
  REQUIRE(build.Step(wait));
  Add(clutter.world(), StaticBox({6, 6, 6}, {6, 3, 6}));
  while (build.next() != NavStage::kDone) REQUIRE(build.Step(wait));
  CHECK(build.Take().Hash() == before);
  CHECK(BuildCell(clutter.world(), {0, 0}).Hash() != before);
}

std::string FirstError(const World& world, NavCellId cell, const NavSettings& settings = {}) {
  WaitTime wait;
  NavCellBuild build(world, settings, cell, kStatics);
  while (build.next() != NavStage::kDone) {
    if (const auto step = build.Step(wait); !step) {
      CHECK(build.next() == NavStage::kDone);
      return step.error().subject;
    }
  }
  return "built";
}

TEST_CASE("a cell that cannot be built says why") {
  auto world = test::FlatWorld();
  CHECK(FirstError(*world, {800, 0}) == "cell");
  CHECK(FirstError(*world, {0, -801}) == "cell");
  CHECK(FirstError(*world, {0, 0}) == "built");
  // A second floor 900 metres above the first one is too many voxels of 0.1 metres.
  Add(*world, StaticBox({5, 1, 5}, {5, 900, 5}));
  CHECK(FirstError(*world, {0, 0}) == "voxels of height");
  CHECK(FirstError(*world, {0, 0}, {.voxel_height = 0.2f}) == "built");
}

// Recast's memory, which ends after a number of allocations, and without a number never. It is
// kept in a list, so that the test can free what Recast forgets.
std::optional<int> left;
std::set<void*> given;
void* Allocate(std::size_t size, rcAllocHint) {
  if (left && (*left)-- <= 0) throw std::bad_alloc();
  return *given.insert(std::calloc(1, size)).first;
}
void Free(void* memory) {
  given.erase(memory);
  std::free(memory);
}

TEST_CASE("a build without memory is an error at every allocation") {
  Clutter clutter(7, 10);
  rcAllocSetCustom(&Allocate, &Free);
  int refused = 0;
  std::size_t forgotten = 0;
  for (int allocations = 0;; ++allocations) {
    left = allocations;
    Result<void> step;
    {
      WaitTime wait;
      NavCellBuild build(clutter.world(), {}, {0, 0}, kStatics);
      while (step && build.next() != NavStage::kDone) step = build.Step(wait);
      left = std::nullopt;
    }
    forgotten += given.size();
    while (!given.empty()) Free(*given.begin());
    if (step) break;
    CHECK(step.error().code == ErrorCode::kCapacity);
    ++refused;
  }
  CHECK(refused > 100);
  // At a few places Recast itself loses the object that it was making.
  CHECK(forgotten * 100 < static_cast<std::size_t>(refused));
}

}  // namespace
}  // namespace nowait
