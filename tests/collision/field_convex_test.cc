// Hulls and cylinders on a height field: against points of them that are sampled, against a box,
// and in the poses that they rest in.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "tests/collision/convex_shapes.h"

namespace nowait {
namespace {

using test::OutsideOf;
using test::Shapes;

constexpr float kMargin = 0.02f;
const Quat kLying = FromAxisAngle({0, 0, 1}, 1.57079633f);

struct Field {
  // bumps: the height of the samples; they lie 0.7 metres apart.
  explicit Field(float bumps, std::uint32_t side = 30) {
    Random random(61);
    std::vector<float> heights(std::size_t{side} * side);
    for (float& height : heights) height = random.Between(-bumps, bumps);
    field = std::move(*HeightField::Create({side, side, 0.7f, heights}));
    ground = Shape::Ground(field.get());
  }
  std::unique_ptr<const HeightField> field;
  Shape ground;
};

Manifold Contacts(const Placed& ground, const Placed& shape) {
  Manifold manifold;
  Collide(ground, shape, kMargin, manifold);
  return manifold;
}

float Least(const Manifold& manifold) {
  float least = 1e30f;
  for (const ContactPoint& point : manifold.points()) least = std::min(least, point.separation);
  return least;
}

// Of a point from the plane of the triangle that it is over or under.
float Above(const HeightField& field, Vec3 point, Vec3& normal) {
  const auto cell = field.CellsIn(point.x, point.x, point.z, point.z);
  const float u = point.x / field.spacing() - static_cast<float>(cell.first_i);
  const float v = point.z / field.spacing() - static_cast<float>(cell.first_k);
  const auto triangle = field.TriangleAt(cell.first_i, cell.first_k, u <= v ? 0 : 1);
  normal = triangle.normal;
  return Dot(triangle.normal, point - triangle.vertices[0]);
}

TEST_CASE("contacts with hills are as deep as the deepest point of the shape") {
  const Field hills(0.3f);
  const Vec3 corner{-10, 2, -10};
  const Placed ground(hills.ground, corner, {});
  Random random(62);
  Shapes shapes;
  int touching = 0, missed = 0;
  for (int round = 0; round < 400; ++round) {
    const ShapeKind kind = round % 2 == 0 ? ShapeKind::kCylinder : ShapeKind::kHull;
    const Shape shape = shapes.Draw(kind, random);
    const Placed placed(shape, random.InBox({-7, 1.8f, -7}, {7, 3, 7}), random.Rotation());
    float deepest = 1e30f;
    for (int i = 0; i < 4000; ++i) {
      const Vec3 local = random.InBox({-1, -1, -1}, {1, 1, 1});
      const Vec3 p = placed.ToWorld(local);
      if (OutsideOf(placed, p) > 0.0f) continue;
      Vec3 normal;
      deepest = std::min(deepest, Above(*hills.field, p - corner, normal));
    }
    const Manifold manifold = Contacts(ground, placed);
    CAPTURE(round, deepest);
    if (deepest > 0.0f) {
      // Samples come near the surface of the shape, not to it.
      if (deepest > 0.3f) CHECK(manifold.empty());
      continue;
    }
    ++touching;
    // Ridges between samples, as collide_field_convex.cc says.
    if (manifold.empty()) {
      ++missed;
      CHECK(deepest > -0.02f);
      continue;
    }
    // A cylinder's side is taken as five lines.
    const float most = kind == ShapeKind::kHull ? deepest : 0.5f * deepest;
    CHECK(Least(manifold) < most + 0.02f);
    std::set<std::uint32_t> features;
    for (const ContactPoint& point : manifold.points()) {
      features.insert(point.feature);
      CHECK(point.separation <= kMargin);
      // The normal is that of the triangle under the point, or one beside it.
      CHECK(point.normal.y > 0.5f);
      const Vec3 half = point.normal * (0.5f * point.separation);
      CHECK(std::abs(OutsideOf(placed, point.position + half)) < 2e-3f);
    }
    CHECK(features.size() == manifold.count());
  }
  CHECK(touching > 150);
  CHECK(missed <= 2);
}

TEST_CASE("a hull of a box has no fewer contacts with hills than the box, and none that is wrong") {
  const Field hills(0.2f);
  const Placed ground(hills.ground, {-10, 0, -10}, {});
  Random random(63);
  Shapes shapes;
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    const Shape box = shapes.Draw(ShapeKind::kBox, random), hull = shapes.BoxAsHull(box.half);
    const Vec3 at = random.InBox({-8, -0.2f, -8}, {8, 1.2f, 8});
    const Quat turn = random.Rotation();
    const Manifold of_box = Contacts(ground, {box, at, turn});
    const Manifold of_hull = Contacts(ground, {hull, at, turn});
    CAPTURE(round);
    if (of_box.empty()) continue;
    ++compared;
    REQUIRE(!of_hull.empty());
    CHECK(Least(of_hull) <= Least(of_box) + 2e-3f);
  }
  CHECK(compared > 150);
}

TEST_CASE("on level ground a cylinder stands on four points and lies on two ends") {
  const Field flat(0.0f);
  const Placed ground(flat.ground, {-10, 0, -10}, {});
  const Shape cylinder = Shape::Cylinder(0.5f, 0.3f);
  const Manifold standing = Contacts(ground, {cylinder, {0.1f, 0.499f, 0.2f}, {}});
  REQUIRE(standing.count() == 4);
  for (const ContactPoint& point : standing.points()) {
    CHECK(point.normal == Vec3{0, 1, 0});
    CHECK(point.separation == Approx(-0.001f).margin(1e-5));
  }
  const Manifold lying = Contacts(ground, {cylinder, {0.1f, 0.299f, 0.2f}, kLying});
  REQUIRE(!lying.empty());
  float low = 1e30f, high = -1e30f;
  for (const ContactPoint& point : lying.points()) {
    CHECK(point.separation == Approx(-0.001f).margin(1e-4));
    CHECK(point.position.z == Approx(0.2f).margin(1e-3));
    low = std::min(low, point.position.x);
    high = std::max(high, point.position.x);
  }
  CHECK(low == Approx(-0.4f).margin(1e-3));
  CHECK(high == Approx(0.6f).margin(1e-3));
  CHECK(Contacts(ground, {cylinder, {0.1f, 0.53f, 0.2f}, {}}).empty());
  CHECK(Contacts(ground, {cylinder, {30, 0, 0.2f}, {}}).empty());
}

TEST_CASE("on level ground the deepest corner of a hull counts, whichever faces it is on") {
  const Field flat(0.0f);
  const Placed ground(flat.ground, {-10, 0, -10}, {});
  Random random(65);
  Shapes shapes;
  for (int round = 0; round < 400; ++round) {
    const Shape shape =
        shapes.Draw(round % 4 == 0 ? ShapeKind::kCylinder : ShapeKind::kHull, random);
    const Quat turn = random.Rotation();
    const auto reach = static_cast<float>(test::Reach({shape, {}, turn}, {0, -1, 0}));
    const Manifold manifold = Contacts(ground, {shape, {0.3f, reach - 0.001f, 0.4f}, turn});
    CAPTURE(round);
    REQUIRE(!manifold.empty());
    // Of the points of a disc, Reduce takes one of those within two millimetres of the deepest.
    const double margin = shape.kind == ShapeKind::kHull ? 1e-5 : 2e-3;
    CHECK(Least(manifold) == Approx(-0.001f).margin(margin));
  }
}

TEST_CASE("a single peak stands in any side of a hull that points down, and in a cylinder's") {
  std::vector<float> heights(11 * 11, 0.0f);
  heights[5 * 11 + 5] = 0.6f;
  const auto field = *HeightField::Create({11, 11, 1.0f, heights});
  const Shape shape = Shape::Ground(field.get());
  const Placed ground(shape, {-5, 0, -5}, {});
  Shapes shapes;
  Random random(64);
  for (int round = 0; round < 200; ++round) {
    const Shape above =
        round % 2 == 0 ? Shape::Cylinder(0.5f, 0.4f) : shapes.Draw(ShapeKind::kHull, random, 0.8f);
    // The peak is just inside of it, under its middle.
    const Quat turn = random.Rotation();
    float y = 2.0f;
    while (OutsideOf({above, {0, y, 0}, turn}, {0, 0.6f, 0}) > -0.01f && y > 0.4f) y -= 0.002f;
    const Manifold manifold = Contacts(ground, {above, {0, y, 0}, turn});
    CAPTURE(round, y);
    REQUIRE(!manifold.empty());
    CHECK(Least(manifold) < -0.003f);
  }
}

TEST_CASE("a body over more cells than are all looked at still stands") {
  const Field large(0.0f, 200);
  const Placed ground(large.ground, {-60, 0, -60}, {});
  Shapes shapes;
  for (const Shape& shape : {shapes.BoxAsHull({40, 1, 40}), Shape::Cylinder(1.0f, 40.0f)}) {
    const Manifold manifold = Contacts(ground, {shape, {0, 0.99f, 0}, {}});
    REQUIRE(manifold.count() == 4);
    for (const ContactPoint& point : manifold.points()) {
      CHECK(point.separation == Approx(-0.01f).margin(1e-4));
      CHECK(Length(point.position) > 20.0f);
    }
  }
}

}  // namespace
}  // namespace nowait
