// Cells side by side, and paths over them.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

using test::BuildCell;
using test::MeshOf;
using test::PathBetween;
using test::StaticBox;

TEST_CASE("a path crosses the borders of cells, straight where nothing is in the way") {
  const auto world = test::FlatWorld();
  const auto mesh = MeshOf(*world, 3);
  std::vector<Vec3> points;
  CHECK(PathBetween(*mesh, {1, 0, 2}, {36, 0, 30}, points) == NavReach::kWhole);
  REQUIRE(points.size() == 2);
  CHECK(points[0].x == Approx(1));
  CHECK(points[1].z == Approx(30));
}

TEST_CASE("cells join in any order, and a cell that is gone is a hole") {
  const auto world = test::FlatWorld();
  WaitTime wait;
  const auto mesh = std::move(*NavMesh::Create({}, 8));
  std::vector<Vec3> points;
  for (const std::int32_t x : {2, 0, 1}) REQUIRE(mesh->Insert(BuildCell(*world, {x, 0}), wait));
  CHECK(PathBetween(*mesh, {1, 0, 5}, {37, 0, 5}, points) == NavReach::kWhole);
  CHECK(mesh->CountCells(wait) == 3);
  CHECK(mesh->Remove({1, 0}, wait));
  CHECK_FALSE(mesh->Remove({1, 0}, wait));
  CHECK(mesh->CountCells(wait) == 2);
  CHECK(PathBetween(*mesh, {1, 0, 5}, {37, 0, 5}, points) == NavReach::kPart);
  CHECK(points.back().x == Approx(12.8f).margin(0.01));
  REQUIRE(mesh->Insert(BuildCell(*world, {1, 0}), wait));
  CHECK(PathBetween(*mesh, {1, 0, 5}, {37, 0, 5}, points) == NavReach::kWhole);
}

TEST_CASE("a wall across the mesh ends the path before it; a gap that is too narrow, too") {
  auto world = test::FlatWorld();
  // From side to side, with a gap of one metre. Only the small agent goes through.
  Add(*world, StaticBox({0.2f, 2, 25}, {13, 1, -18.0f}));
  Add(*world, StaticBox({0.2f, 2, 25}, {13, 1, 33.0f}));
  std::vector<Vec3> points;
  const NavSettings small{.agent_radius = 0.2f, .voxel = 0.1f};
  CHECK(PathBetween(*MeshOf(*world, 2, small), {5, 0, 5}, {20, 0, 5}, points) == NavReach::kWhole);
  bool through = false;
  for (const Vec3 point : points) through |= std::abs(point.z - 7.5f) < 0.5f;
  CHECK(through);
  CHECK(PathBetween(*MeshOf(*world, 2), {5, 0, 5}, {20, 0, 5}, points) == NavReach::kPart);
  CHECK(points.back().x < 13);
}

TEST_CASE("a ramp is a way up unless it is too steep") {
  // Up to a platform of 2.5 metres.
  const float max_slope = GENERATE(0.5f, 1.0f);
  for (const float angle : {0.42f, 0.52f, 0.72f, 0.87f, 1.0f}) {
    CAPTURE(max_slope, angle);
    auto world = test::FlatWorld();
    Add(*world, StaticBox({3, 1.25f, 3}, {17, 1.25f, 6}));
    const float length = 2.5f / std::sin(angle);
    // Its upper side ends at the platform's edge, and on the floor.
    const Vec3 up{std::cos(angle), std::sin(angle), 0}, out{-std::sin(angle), std::cos(angle), 0};
    const Vec3 top{14, 2.5f, 6};
    Add(*world, StaticBox({0.5f * length, 0.2f, 2}, top - up * (0.5f * length) - out * 0.2f,
                          FromAxisAngle({0, 0, 1}, angle)));
    std::vector<Vec3> points;
    const auto mesh = MeshOf(*world, 2, {.max_slope = max_slope});
    const NavReach reach = PathBetween(*mesh, {5, 0, 6}, {17, 2.5f, 6}, points);
    CHECK((reach == NavReach::kWhole) == (std::tan(angle) < max_slope));
  }
}

TEST_CASE("a cell takes the place of the one before") {
  auto world = test::FlatWorld();
  const auto mesh = MeshOf(*world, 1);
  std::vector<Vec3> points;
  CHECK(PathBetween(*mesh, {2, 0, 6}, {11, 0, 6}, points) == NavReach::kWhole);
  const BodyId wall = Add(*world, StaticBox({0.2f, 2, 20}, {6, 1, 6}));
  WaitTime wait;
  REQUIRE(mesh->Insert(BuildCell(*world, {0, 0}), wait));
  CHECK(PathBetween(*mesh, {2, 0, 6}, {11, 0, 6}, points) == NavReach::kPart);
  REQUIRE(world->DestroyBody(wall, wait));
  REQUIRE(mesh->Insert(BuildCell(*world, {0, 0}), wait));
  CHECK(PathBetween(*mesh, {2, 0, 6}, {11, 0, 6}, points) == NavReach::kWhole);
  CHECK(mesh->CountCells(wait) == 1);
}

TEST_CASE("a mesh says what it has no room for") {
  const auto world = test::FlatWorld();
  CHECK(NavMesh::Create({}, 0).error().subject == std::string("cells"));
  CHECK(NavMesh::Create({}, 4097).error().subject == std::string("cells"));
  CHECK(NavMesh::Create({.agent_radius = 0}, 8).error().subject == std::string("agent radius"));
  WaitTime wait;
  const auto mesh = std::move(*NavMesh::Create({}, 1));
  REQUIRE(mesh->Insert(BuildCell(*world, {0, 0}), wait));
  const auto full = mesh->Insert(BuildCell(*world, {1, 0}), wait);
  REQUIRE_FALSE(full);
  CHECK(full.error().code == ErrorCode::kCapacity);
  CHECK(full.error().subject == std::string("cells"));
  CHECK(mesh->Insert(BuildCell(*world, {0, 0}), wait));
  NavCell large = BuildCell(*world, {0, 0});
  large.polygons = mesh->max_polygons() + 1;
  CHECK(mesh->Insert(std::move(large), wait).error().subject == std::string("polygons of a cell"));
  std::vector<Vec3> points;
  CHECK(PathBetween(*mesh, {2, 0, 6}, {11, 0, 6}, points) == NavReach::kWhole);
}

TEST_CASE("a query says which end has no mesh, and when it gave up") {
  auto world = test::FlatWorld();
  for (int i = 0; i < 40; ++i) {
    const auto at = static_cast<float>(i);
    Add(*world, StaticBox({0.3f, 2, 0.3f}, {3.0f * (at - 8 * (i / 8)), 1, 4.0f * (i / 8)}));
  }
  const auto mesh = MeshOf(*world, 2);
  WaitTime wait;
  std::vector<Vec3> points{{1, 2, 3}};
  auto query = std::move(*NavQuery::Create(*mesh));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto fails = [&](Vec3 from, Vec3 to) {
    const auto reach = query.FindPath(from, to, points, wait);
    REQUIRE_FALSE(reach);
    CHECK(points.empty());
    return std::string(reach.error().subject);
  };
  CHECK(fails({nan, 0, 0}, {1, 0, 1}) == "from");
  CHECK(fails({1.5f, 0, 2}, {1, nan, 1}) == "to");
  CHECK(fails({1e9f, 0, 0}, {1, 0, 1}) == "mesh at from");
  CHECK(fails({1.5f, 0, 2}, {1, 50, 1}) == "mesh at to");
  CHECK(fails({1.5f, 0, 2}, {-60, 0, 1}) == "mesh at to");
  CHECK(query.FindPath({1.5f, 0, 2}, {24, 0, 24}, points, wait) == NavReach::kWhole);
  auto short_one = std::move(*NavQuery::Create(*mesh, 16));
  CHECK(short_one.FindPath({1.5f, 0, 2}, {24, 0, 24}, points, wait) == NavReach::kCutOff);
  CHECK_FALSE(points.empty());
  CHECK(NavQuery::Create(*mesh, 15).error().subject == std::string("nodes"));
  CHECK(NavQuery::Create(*mesh, 65'536).error().subject == std::string("nodes"));
}

TEST_CASE("a cell that goes, or comes without polygons, leaves its room to another") {
  const auto world = test::FlatWorld();
  const auto empty = MakeWorld();
  WaitTime wait;
  const auto mesh = std::move(*NavMesh::Create({}, 1));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(mesh->Insert(BuildCell(*world, {0, 0}), wait));
    // A cell without polygons takes no room, in a full mesh neither.
    REQUIRE(mesh->Insert(BuildCell(*empty, {1, 0}), wait));
    CHECK(mesh->CountCells(wait) == 1);
    CHECK_FALSE(mesh->Remove({1, 0}, wait));
    REQUIRE(mesh->Insert(BuildCell(*empty, {0, 0}), wait));
    CHECK(mesh->CountCells(wait) == 0);
    REQUIRE(mesh->Insert(BuildCell(*world, {1, 0}), wait));
    CHECK_FALSE(mesh->Insert(BuildCell(*world, {0, 0}), wait));
    CHECK(mesh->CountCells(wait) == 1);
    CHECK(mesh->Remove({1, 0}, wait));
    CHECK(mesh->CountCells(wait) == 0);
  }
}

TEST_CASE("the polygons of a mesh are those of its cells, in the order of the cells") {
  const auto world = test::FlatWorld();
  WaitTime wait;
  std::vector<NavPolygon> polygons(3);
  const auto mesh = std::move(*NavMesh::Create({}, 8));
  mesh->CopyPolygons(polygons, wait);
  CHECK(polygons.empty());
  for (const NavCellId cell : {NavCellId{1, 1}, NavCellId{0, 1}, NavCellId{1, 0}}) {
    REQUIRE(mesh->Insert(BuildCell(*world, cell), wait));
  }
  for (int twice = 0; twice < 2; ++twice) {
    mesh->CopyPolygons(polygons, wait);
    std::vector<NavCellId> cells;
    float area = 0.0f;
    for (const NavPolygon& polygon : polygons) {
      if (cells.empty() || cells.back() != polygon.cell) cells.push_back(polygon.cell);
      const Bounds<3> box = BoundsOf(polygon.cell);
      for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
        const Vec3 a = polygon.corners[i];
        const Vec3 b = polygon.corners[(i + 1) % polygon.corners.size()];
        CHECK(a.x >= box.min[0] - 1e-3f);
        CHECK(a.z <= box.max[2] + 1e-3f);
        area += 0.5f * (a.x * b.z - b.x * a.z);
      }
    }
    CHECK(cells == std::vector<NavCellId>{{0, 1}, {1, 0}, {1, 1}});
    CHECK(std::abs(area) == Approx(3 * kNavCellSide * kNavCellSide));
  }
}

TEST_CASE("a place of a mesh is the nearest one, or the error names what is missing") {
  const auto world = test::FlatWorld();
  const auto mesh = MeshOf(*world, 1);
  WaitTime wait;
  CHECK(NavQuery::Create(*mesh, 65'535));
  auto query = std::move(*NavQuery::Create(*mesh, 16));
  const auto near = query.FindPlace({5, 1.0f, 6}, wait);
  REQUIRE(near);
  CHECK(near->x == Approx(5));
  CHECK(near->y == Approx(0).margin(0.15));
  CHECK(near->z == Approx(6));
  const auto beside = query.FindPlace({12.8f + 0.7f, 0, 6}, wait);
  REQUIRE(beside);
  CHECK(beside->x == Approx(12.8f).margin(0.01));
  const auto subject = [&](Vec3 place) {
    return std::string(query.FindPlace(place, wait).error().subject);
  };
  CHECK(subject({12.8f + 0.9f, 0, 6}) == "mesh at place");  // twice the radius is 0.8
  CHECK(subject({5, 2.1f, 6}) == "mesh at place");
  CHECK(subject({5, std::numeric_limits<float>::infinity(), 6}) == "place");
  // A path from a place to itself.
  std::vector<Vec3> points(7);
  REQUIRE(query.FindPath({5, 0, 6}, {5, 0, 6}, points, wait) == NavReach::kWhole);
  CHECK(points.size() <= 2);
  CHECK(points.front().x == Approx(5));
  CHECK(points.back().z == Approx(6));
}

}  // namespace
}  // namespace nowait
