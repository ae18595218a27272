// Height fields with holes: every query and every pair against the mesh of the triangles that are
// left, against closed forms at a rim, and fields edited in a region against ones made anew.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/field_blob.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/time_of_impact.h"
#include "src/collision/triangle_mesh.h"
#include "src/collision/triangles.h"
#include "src/math/random.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

constexpr std::uint8_t kHole = SurfaceMaterials::kHole;
const std::array kTable = {SurfaceMaterial{}, SurfaceMaterial{.friction = 0.5f}};
using Numbers = std::vector<std::uint8_t>;
using Heights = std::vector<float>;

std::unique_ptr<const HeightField> Make(std::uint32_t columns, std::uint32_t rows,
                                        const Heights& heights, const Numbers& numbers,
                                        float spacing = 1.0f) {
  auto made = HeightField::Create({.columns = columns,
                                   .rows = rows,
                                   .spacing = spacing,
                                   .heights = heights,
                                   .materials = {kTable, numbers}});
  if (!made) FAIL(ToString(made.error()));
  return std::move(*made);
}

Heights RandomHeights(Random& random, std::size_t count) {
  Heights heights;
  for (std::size_t i = 0; i < count; ++i) heights.push_back(random.Between(-0.6f, 0.6f));
  return heights;
}
Numbers RandomNumbers(Random& random, std::size_t count, std::uint32_t one_hole_in) {
  Numbers numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_hole = i > 0 && random.Below(one_hole_in) == 0;
    numbers.push_back(is_hole ? kHole : static_cast<std::uint8_t>(random.Below(2)));
  }
  return numbers;
}

// A bumpy field with holes, and the mesh of its triangles by the definition of the cells.
struct Holed {
  static constexpr std::uint32_t kColumns = 14, kRows = 11;

  explicit Holed(std::uint64_t seed) : random(seed) {
    numbers = RandomNumbers(random, (kColumns - 1) * (kRows - 1), 3);
    const Heights heights = RandomHeights(random, kColumns * kRows);
    field = Make(kColumns, kRows, heights, numbers);
    test::MeshData data;
    for (std::uint32_t k = 0; k < kRows; ++k) {
      for (std::uint32_t i = 0; i < kColumns; ++i) {
        data.vertices.push_back(
            {static_cast<float>(i), heights[k * kColumns + i], static_cast<float>(k)});
        if (i + 1 == kColumns || k + 1 == kRows || IsHole(i, k)) continue;
        const std::uint32_t at = k * kColumns + i;
        data.AddTriangle(at, at + kColumns, at + kColumns + 1);
        data.AddTriangle(at, at + kColumns + 1, at + 1);
      }
    }
    triangles = data.triangles();
    // Where its grid has the samples exactly, the mesh's places are those of the field.
    mesh = test::MeshOf(data);
    ground = Shape::Ground(field.get());
    sheet = Shape::Mesh(mesh.get());
  }
  bool IsHole(std::uint32_t i, std::uint32_t k) const {
    return numbers[k * (kColumns - 1) + i] == kHole;
  }
  Vec3 Above() { return random.InBox({0.5f, 1.5f, 0.5f}, {12.5f, 3, 9.5f}); }

  Random random;
  Numbers numbers;
  std::size_t triangles = 0;
  std::unique_ptr<const HeightField> field;
  std::unique_ptr<const TriangleMesh> mesh;
  Shape ground, sheet;
};

TEST_CASE("rays, casts, the closest points and the time of impact pass through holes alone") {
  const std::uint64_t seed = GENERATE(range(1u, 5u));
  CAPTURE(seed);
  Holed holed(seed);
  const double room = 4.0 * static_cast<double>(holed.mesh->rounding()) + 1e-4;
  // Where an edge is passed within the rounding, one of the two may be met and not the other.
  const auto differ = [&](const auto& a, const auto& b, float room) {
    return a.has_value() != b.has_value() || (a && std::abs(a->fraction - b->fraction) > room);
  };
  int different = 0, met = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Vec3 from = holed.Above();
    const Vec3 way = holed.random.InBox({-3, -6, -3}, {3, -4, 3});
    const RayCast ray{from, way};
    const auto hit = CastAgainstShape(ray, 1.0f, holed.ground, {}, {});
    const auto wanted = CastAgainstShape(ray, 1.0f, holed.sheet, {}, {});
    if (differ(hit, wanted, 1e-3f)) ++different;
    if (hit) {
      const Vec3 place = from + way * hit->fraction;
      const auto i = static_cast<std::uint32_t>(place.x), k = static_cast<std::uint32_t>(place.z);
      const float beside = std::min(std::abs(place.x - std::round(place.x)),
                                    std::abs(place.z - std::round(place.z)));
      if (beside > 1e-3f) CHECK_FALSE(holed.IsHole(i, k));
      if (beside > 1e-3f) CHECK(hit->material == holed.field->MaterialOf(i, k));
      ++met;
    }
    const Shape ball = Shape::Sphere(0.3f);
    const Placed placed(ball, from, {});
    const auto near = FindClosestPoints(placed, {holed.ground, {}, {}}, 9.0f);
    const auto near_sheet = FindClosestPoints(placed, {holed.sheet, {}, {}}, 9.0f);
    REQUIRE(near);
    REQUIRE(near_sheet);
    CHECK(near->distance == Approx(near_sheet->distance).margin(room));
    const auto cast = CastShapeAgainst(placed, way, 1.0f, {holed.ground, {}, {}});
    const auto cast_sheet = CastShapeAgainst(placed, way, 1.0f, {holed.sheet, {}, {}});
    if (differ(cast, cast_sheet, 1e-3f)) ++different;
    const Radii radii = RadiiOf(ball);
    const Mover moving{&ball, radii, {from, from + way, {}, {}}};
    const auto stop =
        TimeOfImpact(moving, {&holed.ground, RadiiOf(holed.ground), Sweep::AtRest({}, {})}, 1.0f);
    const auto stop_sheet =
        TimeOfImpact(moving, {&holed.sheet, RadiiOf(holed.sheet), Sweep::AtRest({}, {})}, 1.0f);
    // A stop is somewhere before the surfaces touch.
    if (differ(stop, stop_sheet, 0.1f)) ++different;
  }
  CHECK(met > 100);
  CHECK(different <= 3);
}

TEST_CASE("a place in a hole is not below the ground, and one beside it is") {
  Holed holed(7);
  for (std::uint32_t k = 0; k + 1 < Holed::kRows; ++k) {
    for (std::uint32_t i = 0; i + 1 < Holed::kColumns; ++i) {
      const Vec3 deep{static_cast<float>(i) + 0.4f, -2, static_cast<float>(k) + 0.7f};
      const auto hit = CastAgainstShape({deep, {0, -1, 0}}, 1.0f, holed.ground, {}, {});
      CHECK(hit.has_value() == !holed.IsHole(i, k));
      CHECK(holed.field->IsHole(i, k) == holed.IsHole(i, k));
      CHECK(holed.field->IsHoleAt(deep.x, deep.z) == holed.IsHole(i, k));
      if (!holed.IsHole(i, k)) {
        CHECK(holed.field->MaterialAt(deep.x, deep.z) == holed.field->MaterialOf(i, k));
      } else {
        CHECK(holed.field->MaterialAt(deep.x, deep.z) < kTable.size());
      }
    }
  }
}

TEST_CASE("no triangle comes out of a hole, and all others do") {
  Holed holed(8);
  std::size_t found = 0;
  VisitTriangles(holed.ground, {}, {}, {{-9, -9, -9}, {99, 9, 99}}, [&](Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 middle = (a + b + c) * (1.0f / 3.0f);
    CHECK_FALSE(
        holed.IsHole(static_cast<std::uint32_t>(middle.x), static_cast<std::uint32_t>(middle.z)));
    ++found;
  });
  CHECK(found == holed.triangles);
}

// Level ground of 9 x 9 cells of a metre, with a hole of 3 x 3 from (3, 3) to (6, 6), in which the
// inner samples stand high.
std::unique_ptr<const HeightField> Shaft(float inner = 5.0f) {
  Heights heights(100, 0.0f);
  Numbers numbers(81, 0);
  for (std::size_t k = 3; k < 6; ++k) {
    for (std::size_t i = 3; i < 6; ++i) numbers[k * 9 + i] = kHole;
  }
  for (std::size_t k = 4; k < 6; ++k) {
    for (std::size_t i = 4; i < 6; ++i) heights[k * 10 + i] = inner;
  }
  return Make(10, 10, heights, numbers);
}

TEST_CASE("a body in a shaft touches nothing at any depth, and one beside it is in the ground") {
  const auto field = Shaft();
  const Shape ground = Shape::Ground(field.get());
  CHECK(field->max_height() == 0.0f);
  CHECK(field->min_height() == 0.0f);
  CHECK(BoundsOf(ground, {}, {}).max[1] == 0.0f);
  Random random(3);
  const std::array bodies = {Shape::Sphere(0.7f), Shape::Capsule(0.5f, 0.3f),
                             Shape::Box({0.4f, 0.5f, 0.4f}), Shape::Cylinder(0.5f, 0.5f)};
  for (const Shape& body : bodies) {
    for (int round = 0; round < 40; ++round) {
      const Vec3 place{random.Between(4.0f, 5.0f), random.Between(-20, 3), random.Between(4, 5)};
      const Quat turn = random.Rotation();
      const Placed placed(body, place, turn);
      CAPTURE(static_cast<int>(body.kind), place.x, place.y, place.z);
      Manifold manifold;
      Collide({ground, {}, {}}, placed, 0.02f, manifold);
      CHECK(manifold.empty());
      const Vec3 beside = place - Vec3{2.8f, 0, 0};
      Collide({ground, {}, {}}, {body, beside, turn}, 0.02f, manifold);
      const float lowest = BoundsOf(body, beside, turn).min[1];
      if (lowest < 0.0f) CHECK(!manifold.empty());
      if (lowest > 0.03f) CHECK(manifold.empty());
    }
  }
}

TEST_CASE("a round body rests on the rim of a shaft, pushed off along the way from its edge") {
  const auto field = Shaft();
  const Shape ground = Shape::Ground(field.get());
  // Centres over the hole, by so much from the rim at x = 3; the other way is that at x = 6.
  for (const float beyond : {0.1f, 0.3f, 0.45f}) {
    for (const bool far : {false, true}) {
      const float rim = far ? 6.0f : 3.0f, side = far ? -1.0f : 1.0f;
      const float height = std::sqrt(0.25f - beyond * beyond);
      const Vec3 centre{rim + side * beyond, height - 0.001f, 4.6f};
      const Vec3 way{side * beyond, height - 0.001f, 0};
      const Vec3 out = NormaliseOr(way, {});
      for (const Shape& body : {Shape::Sphere(0.5f), Shape::Capsule(0.3f, 0.5f)}) {
        // The capsule lies along the rim.
        const bool lies = body.kind == ShapeKind::kCapsule;
        const Quat turn = lies ? Quat{0.70710678f, 0, 0, 0.70710678f} : Quat{};
        Manifold manifold;
        Collide({ground, {}, {}}, {body, centre, turn}, 0.02f, manifold);
        CAPTURE(beyond, far, lies);
        REQUIRE(!manifold.empty());
        for (const ContactPoint& point : manifold.points()) {
          CHECK(Length(point.normal - out) < 0.01f);
          CHECK(point.separation == Approx(Length(way) - 0.5f).margin(1e-5));
          CHECK(point.material == 0);
        }
      }
    }
  }
  // At a corner of the hole, where the surface goes on round it.
  Manifold manifold;
  const Shape ball = Shape::Sphere(0.5f);
  Collide({ground, {}, {}}, {ball, {3.1f, 0.48f, 3.1f}, {}}, 0.02f, manifold);
  CHECK(manifold.count() >= 2);
}

TEST_CASE("a ball meets the corner of ground round which all is hole, whatever the samples there") {
  const float beyond = GENERATE(-3.0f, 0.0f, 5.0f);
  const Heights heights = {0, 0, 0, 0, 0, beyond, 0, beyond, beyond};
  const auto field = Make(3, 3, heights, {0, kHole, kHole, kHole});
  const Shape ground = Shape::Ground(field.get()), ball = Shape::Sphere(0.5f);
  const Vec3 way{0.2f, 0.4f, 0.2f};
  Manifold manifold;
  Collide({ground, {}, {}}, {ball, Vec3{1, 0, 1} + way, {}}, 0.02f, manifold);
  CAPTURE(beyond);
  REQUIRE(manifold.count() == 1);
  CHECK(Length(manifold.points()[0].normal - NormaliseOr(way, {})) < 1e-5f);
  CHECK(manifold.points()[0].separation == Approx(Length(way) - 0.5f).margin(1e-5));
}

TEST_CASE("a capsule meets a peak beside holes, also where the peak's own cell is one") {
  const Numbers numbers = GENERATE(Numbers{0, kHole, kHole, 0}, Numbers{0, 0, 0, kHole},
                                   Numbers{0, kHole, kHole, kHole});
  const auto field = Make(3, 3, Heights{0, 0, 0, 0, 1, 0, 0, 0, 0}, numbers);
  const Shape ground = Shape::Ground(field.get());
  // It lies across the peak, along the diagonal.
  const Shape capsule = Shape::Capsule(0.8f, 0.2f);
  const Quat turn = Normalise(Quat{0.5f, 0, -0.5f, 0.70710678f});
  Manifold manifold;
  Collide({ground, {}, {}}, {capsule, {1.0f, 1.195f, 1.0f}, turn}, 0.02f, manifold);
  REQUIRE(!manifold.empty());
  float least = 1.0f;
  for (const ContactPoint& point : manifold.points()) least = std::min(least, point.separation);
  CHECK(least == Approx(-0.005f).margin(1e-3));
}

TEST_CASE("a large body stands on the ground between holes whose samples are high") {
  constexpr std::uint32_t kCells = 96, kSamples = kCells + 1;
  Heights heights(kSamples * kSamples, 0.0f);
  Numbers numbers(kCells * kCells, 0);
  for (std::uint32_t k = 0; k < kCells; ++k) {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      if (i % 8 >= 6 || k % 8 >= 6) continue;
      numbers[k * kCells + i] = kHole;
      if (i % 8 > 0 && k % 8 > 0) heights[k * kSamples + i] = 5.0f;
    }
  }
  const auto field = Make(kSamples, kSamples, heights, numbers);
  const Shape ground = Shape::Ground(field.get());
  const std::array bodies = {Shape::Box({47, 1, 47}), Shape::Cylinder(1.0f, 47.0f)};
  for (const Shape& body : bodies) {
    Manifold manifold;
    Collide({ground, {}, {}}, {body, {48, 1.005f, 48}, {}}, 0.02f, manifold);
    CHECK(manifold.count() >= 4);
    Vec3 low{1e9f, 0, 1e9f}, high{-1e9f, 0, -1e9f};
    for (const ContactPoint& point : manifold.points()) {
      CHECK(point.separation == Approx(0.005f).margin(1e-4));
      low = Min(low, point.position);
      high = Max(high, point.position);
    }
    CHECK((low.x < 30 && low.z < 30 && high.x > 66 && high.z > 66));
  }
}

TEST_CASE("a field that is edited in a region is the one that is made so, and the old one stays") {
  const std::uint64_t seed = GENERATE(range(1u, 9u));
  CAPTURE(seed);
  Random random(seed);
  const std::uint32_t columns = 2 + random.Below(30), rows = 2 + random.Below(30);
  const Heights first = RandomHeights(random, columns * rows);
  const Numbers before = RandomNumbers(random, (columns - 1) * (rows - 1), 4);
  Heights heights = first;
  Numbers numbers = before;
  const auto old = Make(columns, rows, heights, numbers);
  std::vector<std::unique_ptr<const HeightField>> versions;
  const HeightField* from = old.get();
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    FieldRegion region;
    region.columns = 1 + random.Below(columns);
    region.rows = 1 + random.Below(rows);
    region.first_i = random.Below(columns - region.columns + 1);
    region.first_k = random.Below(rows - region.rows + 1);
    const Heights part = RandomHeights(random, region.columns * region.rows);
    const Numbers cells =
        RandomNumbers(random, (region.columns - 1) * (region.rows - 1), 1 + random.Below(4));
    if (random.Below(4) > 0) region.heights = part;
    if (random.Below(4) > 0) region.materials = cells;
    for (std::uint32_t k = 0; k < region.rows; ++k) {
      for (std::uint32_t i = 0; i < region.columns; ++i) {
        const std::uint32_t at_i = region.first_i + i, at_k = region.first_k + k;
        if (!region.heights.empty()) {
          heights[at_k * columns + at_i] = part[k * region.columns + i];
        }
        if (!region.materials.empty() && i + 1 < region.columns && k + 1 < region.rows) {
          numbers[at_k * (columns - 1) + at_i] = cells[k * (region.columns - 1) + i];
        }
      }
    }
    auto edited = from->Edited(region);
    if (std::ranges::count(numbers, kHole) == std::ranges::ssize(numbers)) {
      CHECK(edited.error().subject == std::string("height field cells"));
      break;
    }
    REQUIRE(edited);
    const HeightField& field = **edited;
    const auto anew = Make(columns, rows, heights, numbers);
    CHECK(std::ranges::equal(field.heights(), anew->heights()));
    CHECK(std::ranges::equal(field.materials().numbers(), anew->materials().numbers()));
    CHECK(field.min_height() == anew->min_height());
    CHECK(field.max_height() == anew->max_height());
    CHECK(field.has_holes() == anew->has_holes());
    for (std::uint32_t level = 0; level < anew->tops().levels(); ++level) {
      for (std::uint32_t k = 0; k < anew->tops().rows(level); ++k) {
        for (std::uint32_t i = 0; i < anew->tops().columns(level); ++i) {
          CHECK(field.tops().TopOf({level, i, k}) == anew->tops().TopOf({level, i, k}));
        }
      }
    }
    from = edited->get();
    versions.push_back(std::move(*edited));
  }
  CHECK(std::ranges::equal(old->heights(), first));
  CHECK(std::ranges::equal(old->materials().numbers(), before));
}

TEST_CASE("a field that keeps its materials shares them with the edited one") {
  const auto field = Shaft();
  const Heights one = {2.5f};
  const auto edited =
      field->Edited({.first_i = 9, .first_k = 9, .columns = 1, .rows = 1, .heights = one});
  REQUIRE(edited);
  CHECK((*edited)->materials().numbers().data() == field->materials().numbers().data());
  CHECK((*edited)->max_height() == 2.5f);
  CHECK((*edited)->HeightOf(9, 9) == 2.5f);
  CHECK(field->HeightOf(9, 9) == 0.0f);
}

TEST_CASE("regions and holes that cannot be are refused by name and place") {
  const auto field = Shaft();
  const auto refusal = [&](const FieldRegion& region) {
    const Error error = field->Edited(region).error();
    return std::string(error.subject) + " " + std::to_string(error.amount);
  };
  const Heights four = {1, 2, std::numeric_limits<float>::quiet_NaN(), 4};
  const Numbers one = {2}, two = {0, 0}, hole = {kHole};
  CHECK(refusal({}) == "field region 0");
  CHECK(refusal({.first_i = 9, .columns = 2, .rows = 2}) == "field region 0");
  CHECK(refusal({.first_k = 4'294'967'295u, .columns = 2, .rows = 2}) == "field region 0");
  CHECK(refusal({.columns = 11, .rows = 2}) == "field region 0");
  CHECK(refusal({.columns = 3, .rows = 2, .heights = four}) == "field region heights 4");
  CHECK(refusal({.columns = 2, .rows = 2, .heights = four}) == "height field height 2");
  CHECK(refusal({.columns = 2, .rows = 2, .materials = two}) == "field region materials 2");
  CHECK(refusal({.columns = 2, .rows = 2, .materials = one}) == "material number 0");
  CHECK(field->Edited({.columns = 2, .rows = 2, .materials = hole}));
  const Heights level(9, 0.0f);
  const auto plain = *HeightField::Create({.columns = 3, .rows = 3, .heights = level});
  CHECK(plain->Edited({.columns = 2, .rows = 2, .materials = hole}).error().subject ==
        std::string("field region materials"));
  const Numbers all(4, kHole);
  CHECK(HeightField::Create({.columns = 3, .rows = 3, .heights = level, .materials = {kTable, all}})
            .error()
            .subject == std::string("height field cells"));
  const test::MeshData sheet = test::Sheet(1, 1.0f);
  const Numbers of_mesh = {0, kHole};
  const auto mesh = TriangleMesh::Create(
      {.vertices = sheet.vertices, .indices = sheet.indices, .materials = {kTable, of_mesh}});
  CHECK(mesh.error().subject == std::string("material number"));
}

TEST_CASE("a blob has the holes, and one of the version before is refused") {
  Holed holed(9);
  const auto bytes = MakeFieldBlob(*holed.field);
  REQUIRE(bytes);
  const auto opened = OpenFieldBlob(*bytes, {});
  REQUIRE(opened);
  CHECK(std::ranges::equal((*opened)->materials().numbers(), holed.numbers));
  CHECK((*opened)->has_holes());
  CHECK((*opened)->max_height() == holed.field->max_height());
  BlobWriter before(kFieldKind, kFieldVersion - 1, 1000);
  REQUIRE(before.Add(FieldBlobHeader{}));
  CHECK(OpenFieldBlob(*before.Finish(), {}).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("a point on a hole's border has the material of the ground that it lies on") {
  // Each of the eight cells round the hole has its own.
  const std::vector<SurfaceMaterial> table(8);
  const Numbers numbers = {0, 1, 2, 3, kHole, 4, 5, 6, 7};
  const Heights heights(16, 0.0f);
  const auto made = HeightField::Create(
      {.columns = 4, .rows = 4, .heights = heights, .materials = {table, numbers}});
  REQUIRE(made);
  const Shape ground = Shape::Ground(made->get()), box = Shape::Box({0.1f, 0.1f, 0.1f});
  for (const float x : {1.3f, 1.7f}) {
    Manifold manifold;
    Collide(Placed(ground, {}, Quat{}), Placed(box, {x, 0.1f, 1.0f}, Quat{}), 0.02f, manifold);
    REQUIRE(manifold.count() == 4);
    for (const ContactPoint& point : manifold.points()) {
      CAPTURE(point.position.x, point.position.z);
      CHECK(point.material == 1);
    }
  }
}

TEST_CASE("a long capsule over many cells meets a peak at a hole's border") {
  constexpr std::uint32_t kSide = 128, kPeak = 64;
  Heights heights(kSide * kSide, -50.0f);
  heights[kPeak * kSide + kPeak] = 0.0f;
  Numbers numbers((kSide - 1) * (kSide - 1), 0);
  for (std::uint32_t k = kPeak; k < kPeak + 8; ++k) {
    for (std::uint32_t i = kPeak; i < kPeak + 8; ++i) numbers[k * (kSide - 1) + i] = kHole;
  }
  const auto field = Make(kSide, kSide, heights, numbers);
  const Shape ground = Shape::Ground(field.get());
  const float half = std::sqrt(0.5f);
  // Along the diagonal that lies across the hole's corner.
  const Quat turn = Quat{0, 0.38268343f, 0, 0.92387953f} * Quat{0, 0, half, half};
  for (const float half_height : {8.0f, 30.0f}) {
    Manifold manifold;
    const Vec3 above{static_cast<float>(kPeak), 0.5f, static_cast<float>(kPeak)};
    Collide(Placed(ground, {}, Quat{}), Placed(Shape::Capsule(half_height, 1.0f), above, turn),
            0.02f, manifold);
    CAPTURE(half_height);
    CHECK(manifold.count() == 1);
  }
}

}  // namespace
}  // namespace nowait
