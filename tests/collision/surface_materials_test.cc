// Materials of triangles and cells: what rays, casts, distances and contacts say of them, against
// the place where they touch.
#include "src/collision/surface_materials.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/far_ray.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/random.h"
#include "tests/collision/compounds.h"

namespace nowait {
namespace {

constexpr std::uint32_t kSide = 12;  // cells

const std::array kTable = {SurfaceMaterial{}, SurfaceMaterial{.friction = 0.04f},
                           SurfaceMaterial{.friction = 4.0f, .restitution = 0.5f}};

std::uint8_t MaterialOfCell(std::uint32_t i, std::uint32_t k) {
  return static_cast<std::uint8_t>((i * 5 + k * 3 + i * k) % kTable.size());
}
std::uint8_t MaterialAtPlace(Vec3 place) {
  return MaterialOfCell(static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.z));
}
// Far enough from the border of its cell that rounding does not change it.
Vec3 PlaceInCell(Random& random) {
  const auto coordinate = [&] {
    return static_cast<float>(random.Below(kSide)) + random.Between(0.1f, 0.9f);
  };
  const float x = coordinate();
  return {x, 0, coordinate()};
}

// The same ground, as a field and as a mesh whose cells' triangles come in a random order, some of
// them without an area.
struct Grounds {
  explicit Grounds(Random& random) {
    std::vector<std::uint8_t> of_cells;
    for (std::uint32_t k = 0; k < kSide; ++k) {
      for (std::uint32_t i = 0; i < kSide; ++i) of_cells.push_back(MaterialOfCell(i, k));
    }
    const std::vector<float> level((kSide + 1) * (kSide + 1), 0.0f);
    field = std::move(*HeightField::Create({.columns = kSide + 1,
                                            .rows = kSide + 1,
                                            .heights = level,
                                            .materials = {kTable, of_cells}}));
    std::vector<Vec3> vertices;
    for (std::uint32_t k = 0; k <= kSide; ++k) {
      for (std::uint32_t i = 0; i <= kSide; ++i) vertices.push_back(field->Sample(i, k));
    }
    std::vector<std::uint32_t> cells;
    for (std::uint32_t cell = 0; cell < kSide * kSide; ++cell) cells.push_back(cell);
    for (std::size_t n = cells.size(); n > 1; --n) {
      std::swap(cells[n - 1], cells[random.Below(static_cast<std::uint32_t>(n))]);
    }
    std::vector<std::uint32_t> indices;
    std::vector<std::uint8_t> of_triangles;
    for (const std::uint32_t cell : cells) {
      const std::uint32_t i = cell % kSide, k = cell / kSide;
      const std::uint32_t at = k * (kSide + 1) + i, across = at + kSide + 2;
      indices.insert(indices.end(), {at, at + kSide + 1, across, at, across, at + 1});
      of_triangles.insert(of_triangles.end(), 2, MaterialOfCell(i, k));
      if (random.Below(3) != 0) continue;
      indices.insert(indices.end(), {at, at, across});
      of_triangles.push_back(2);
    }
    mesh = std::move(*TriangleMesh::Create(
        {.vertices = vertices, .indices = indices, .materials = {kTable, of_triangles}}));
    shapes = {Shape::Ground(field.get()), Shape::Mesh(mesh.get())};
  }
  std::unique_ptr<const HeightField> field;
  std::unique_ptr<const TriangleMesh> mesh;
  std::array<Shape, 2> shapes;
};

TEST_CASE("rays, casts and distances name the material of the place that they find") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  Random random(seed);
  const Grounds grounds(random);
  const Shape ball = Shape::Sphere(0.05f);
  for (int round = 0; round < 200; ++round) {
    const Vec3 place = PlaceInCell(random), at = random.InBox({-9, -9, -9}, {9, 9, 9});
    const Vec3 above = place + Vec3{0, 3, 0};
    const std::uint8_t expected = MaterialAtPlace(place);
    for (const Shape& shape : grounds.shapes) {
      CAPTURE(round, static_cast<int>(shape.kind));
      const auto hit = CastAgainstShape({at + above, {0, -9, 0}}, 1.0f, shape, at, {});
      REQUIRE(hit);
      CHECK(hit->material == expected);
      const Placed ground(shape, at, {}), moving(ball, at + above, {});
      const auto cast = CastShapeAgainst(moving, {0, -9, 0}, 1.0f, ground);
      REQUIRE(cast);
      CHECK(cast->material == expected);
      CHECK(FindClosestPoints(moving, ground, 9.0f)->material == expected);
      // Where it overlaps the surface at once.
      const Placed sunk(ball, at + place, {});
      CHECK(CastShapeAgainst(sunk, {0, -1, 0}, 1.0f, ground)->material == expected);
    }
  }
  const Vec3 place = PlaceInCell(random);
  const FarRay far(RayCast{place + Vec3{0, 1e9f, 0}, {0, -2e9f, 0}});
  for (const Shape& shape : grounds.shapes) {
    CHECK(far.Cast(far.end(), shape, {}, {})->material == MaterialAtPlace(place));
  }
  const RayCast below{place + Vec3{0, -1, 0}, {0, 5, 0}};
  CHECK(CastAgainstShape(below, 1.0f, grounds.shapes[0], {}, {})->material ==
        MaterialAtPlace(place));
}

TEST_CASE("each contact point has the friction and the bounce of the part that it lies on") {
  const std::uint64_t seed = GENERATE(4u, 5u);
  CAPTURE(seed);
  Random random(seed);
  const Grounds grounds(random);
  const auto pair = test::CompoundOf(
      std::array{CompoundChild{.shape = Shape::Sphere(0.3f), .position = {1.5f, 0, 0}},
                 CompoundChild{.shape = Shape::Sphere(0.3f), .position = {-1.5f, 0, 0}}});
  const std::array bodies = {Shape::Sphere(0.3f), Shape::Capsule(1.2f, 0.3f),
                             Shape::Box({1.1f, 0.3f, 0.9f}), Shape::Cylinder(0.3f, 1.3f),
                             Shape::Compound(pair.get())};
  int points = 0;
  for (int round = 0; round < 60; ++round) {
    for (const Shape& body : bodies) {
      for (const Shape& shape : grounds.shapes) {
        const Quat turn = body.kind == ShapeKind::kCapsule
                              ? Normalise(Quat{0.70710678f, 0, 0, 0.70710678f})
                              : Quat{};
        const Placed placed(body, PlaceInCell(random) + Vec3{0, 0.295f, 0}, turn);
        Manifold manifold;
        Collide({shape, {}, {}}, placed, 0.02f, manifold);
        for (const ContactPoint& point : manifold.points()) {
          const Vec3 at = point.position;
          const float beside =
              std::min(std::abs(at.x - std::round(at.x)), std::abs(at.z - std::round(at.z)));
          if (beside < 1e-3f) continue;  // a corner of the clipped face lies on a border of cells
          CAPTURE(round, static_cast<int>(body.kind), static_cast<int>(shape.kind), at.x, at.z);
          const std::uint8_t expected = MaterialAtPlace(at);
          CHECK(point.material == expected);
          CHECK(point.friction == kTable[expected].friction);
          CHECK(point.restitution == kTable[expected].restitution);
          ++points;
        }
      }
    }
  }
  CHECK(points > 300);
}

TEST_CASE("a surface without materials leaves the body's own to each point and has number zero") {
  const std::vector<float> level(9, 0.0f);
  const auto field = *HeightField::Create({.columns = 3, .rows = 3, .heights = level});
  const Shape ground = Shape::Ground(field.get()), ball = Shape::Sphere(0.5f);
  Manifold manifold;
  Collide({ground, {}, {}}, {ball, {1.2f, 0.49f, 1.3f}, {}}, 0.02f, manifold);
  REQUIRE(manifold.count() == 1);
  CHECK(manifold.points()[0].friction == 1.0f);
  CHECK(manifold.points()[0].restitution == 0.0f);
  CHECK(manifold.points()[0].material == 0);
  CHECK(field->MaterialAt(-9, 50) == 0);
}

TEST_CASE("materials that cannot be are refused by name and place, of a field and of a mesh") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> level(9, 0.0f);
  const std::array<Vec3, 6> vertices = {Vec3{0, 0, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0},
                                        Vec3{2, 0, 0}, Vec3{2, 0, 1}, Vec3{3, 0, 0}};
  const std::array<std::uint32_t, 12> indices = {0, 1, 2, 3, 4, 5, 2, 1, 0, 5, 4, 3};
  const auto refusal = [&](const SurfaceMaterialsDef& materials) {
    const auto field =
        HeightField::Create({.columns = 3, .rows = 3, .heights = level, .materials = materials});
    const auto mesh =
        TriangleMesh::Create({.vertices = vertices, .indices = indices, .materials = materials});
    REQUIRE(field.has_value() == mesh.has_value());
    if (field) return std::string();
    CHECK(ToString(field.error()) == ToString(mesh.error()));
    return std::string(field.error().subject) + " " + std::to_string(field.error().amount);
  };
  using Numbers = std::vector<std::uint8_t>;
  using Table = std::vector<SurfaceMaterial>;
  const Numbers all = {0, 1, 2, 0};
  CHECK(refusal({kTable, all}).empty());
  CHECK(refusal({}).empty());
  CHECK(refusal({{}, all}) == "surface materials 0");
  CHECK(refusal({Table(257), all}) == "surface materials 257");
  CHECK(refusal({kTable, {}}) == "material numbers 0");
  CHECK(refusal({kTable, Numbers(5)}) == "material numbers 5");
  CHECK(refusal({kTable, Numbers{0, 1, 3, 0}}) == "material number 2");
  for (const float wrong : {kNaN, -0.1f, 101.0f, std::numeric_limits<float>::infinity()}) {
    CHECK(refusal({Table{{}, {.friction = wrong}, {}}, all}) == "surface friction 1");
    CHECK(refusal({Table{{}, {}, {.restitution = wrong}}, all}) == "surface restitution 2");
  }
}

}  // namespace
}  // namespace nowait
