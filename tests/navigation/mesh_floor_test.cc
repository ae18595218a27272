// Triangle meshes as ground: floors, houses and ceilings to walk on, in and under.
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/collision/meshes.h"
#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

using test::BoxMesh;
using test::kStatics;
using test::MeshData;
using test::PathBetween;
using test::Sheet;

BodyDef Standing(const TriangleMesh& mesh, Vec3 position, Quat rotation = {}) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Mesh(&mesh);
  def.position = position;
  def.rotation = rotation;
  return def;
}

void AddBox(MeshData& data, Vec3 half, Vec3 position) {
  const MeshData box = BoxMesh(half);
  const auto first = static_cast<std::uint32_t>(data.vertices.size());
  for (const Vec3 vertex : box.vertices) data.vertices.push_back(position + vertex);
  for (const std::uint32_t index : box.indices) data.indices.push_back(first + index);
}

std::vector<NavPolygon> PolygonsOf(const World& world) {
  WaitTime wait;
  std::vector<NavPolygon> polygons;
  test::MeshOf(world, 1)->CopyPolygons(polygons, wait);
  return polygons;
}

TEST_CASE("an agent walks on a floor that is a mesh, turned or not, and not on its back") {
  const auto sheet = test::MeshOf(Sheet(64, 0.5f, 0.05f));
  const Vec3 middle{12.8f, 1, 12.8f};
  for (const Quat turn : {Quat{}, FromAxisAngle({0, 1, 0}, 0.6f), FromAxisAngle({1, 0, 0}, 0.3f)}) {
    auto world = MakeWorld();
    Add(*world, Standing(*sheet, middle, turn));
    const auto mesh = test::MeshOf(*world, 2);
    const auto on_floor = [&](float x, float z) { return middle + ToMatrix(turn) * Vec3{x, 0, z}; };
    std::vector<Vec3> points;
    REQUIRE(PathBetween(*mesh, on_floor(-8, -8), on_floor(8, 7), points) == NavReach::kWhole);
    WaitTime wait;
    const auto walk = WalkAlong(world->Read(), {}, points, kStatics, wait);
    REQUIRE(walk);
    CHECK_FALSE(walk->obstacle);
  }
  auto world = MakeWorld();
  Add(*world, Standing(*sheet, middle, {1, 0, 0, 0}));  // upside down
  CHECK(PolygonsOf(*world).empty());
}

// A house of one mesh: a floor, a roof, and walls all round but for a door, in a single cell.
MeshData House(bool has_door) {
  MeshData house;
  AddBox(house, {4, 0.1f, 4}, {0, -0.1f, 0});
  AddBox(house, {4, 0.1f, 4}, {0, 3.1f, 0});
  AddBox(house, {0.1f, 1.5f, 4}, {3.9f, 1.5f, 0});
  AddBox(house, {3.8f, 1.5f, 0.1f}, {0, 1.5f, 3.9f});
  AddBox(house, {3.8f, 1.5f, 0.1f}, {0, 1.5f, -3.9f});
  if (has_door) {
    AddBox(house, {0.1f, 1.5f, 1.5f}, {-3.9f, 1.5f, 2.5f});
    AddBox(house, {0.1f, 1.5f, 1.5f}, {-3.9f, 1.5f, -2.5f});
    AddBox(house, {0.1f, 0.3f, 1.0f}, {-3.9f, 2.7f, 0});  // the lintel
  } else {
    AddBox(house, {0.1f, 1.5f, 4}, {-3.9f, 1.5f, 0});
  }
  return house;
}

TEST_CASE("the inside of a house that is a mesh has a floor, and its door is a way") {
  const bool has_door = GENERATE(true, false);
  CAPTURE(has_door);
  const auto house = test::MeshOf(House(has_door));
  auto world = test::FlatWorld();
  Add(*world, Standing(*house, {6.4f, 0.1f, 6.4f}));
  const auto mesh = test::MeshOf(*world, 1);
  const Vec3 inside{7.4f, 0.1f, 6.4f}, far_inside{9.2f, 0.1f, 3.8f}, outside{1.0f, 0, 6.4f};
  std::vector<Vec3> points;
  CHECK(PathBetween(*mesh, inside, far_inside, points) == NavReach::kWhole);
  const NavReach reach = PathBetween(*mesh, outside, inside, points);
  CHECK((reach == NavReach::kWhole) == has_door);
  WaitTime wait;
  const auto walk = WalkAlong(world->Read(), {}, points, kStatics, wait);
  REQUIRE(walk);
  CHECK_FALSE(walk->obstacle);
  // The roof is a place, and nothing within the walls or between the floors is one.
  bool on_roof = false;
  for (const NavPolygon& polygon : PolygonsOf(*world)) {
    for (const Vec3 corner : polygon.corners) {
      on_roof |= std::abs(corner.y - 3.3f) < 0.2f;
      CHECK((std::abs(corner.y - 3.3f) < 0.2f || corner.y < 0.35f));
    }
  }
  CHECK(on_roof);
}

TEST_CASE("under a ceiling that is a mesh there is room to walk if it hangs high enough") {
  // Of one side or of two: a face that looks down is an obstacle, and no floor.
  const bool has_top = GENERATE(false, true);
  const float height = GENERATE(1.5f, 2.3f);
  CAPTURE(has_top, height);
  MeshData data = Sheet(8, 1.0f);
  const std::vector<std::uint32_t> up = data.indices;
  for (std::size_t i = 0; i < up.size(); i += 3) std::swap(data.indices[i], data.indices[i + 1]);
  if (has_top) data.indices.insert(data.indices.end(), up.begin(), up.end());
  const auto ceiling = test::MeshOf(data);
  auto world = test::FlatWorld();
  Add(*world, Standing(*ceiling, {6.4f, height, 6.4f}));
  bool above = false;
  for (const NavPolygon& polygon : PolygonsOf(*world)) {
    for (const Vec3 corner : polygon.corners) above |= corner.y > 1.0f;
  }
  CHECK(above == has_top);
  const auto mesh = test::MeshOf(*world, 1);
  WaitTime wait;
  auto query = std::move(*NavQuery::Create(*mesh));
  std::vector<Vec3> points;
  const auto reach = query.FindPath({1, 0, 1}, {6.4f, 0, 6.4f}, points, wait);
  CHECK((reach && *reach == NavReach::kWhole) == (height > 2.0f));
}

}  // namespace
}  // namespace nowait
