// Distances, casts and rays at the very end of their range, onto each kind of shape.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "tests/collision/compounds.h"
#include "tests/collision/convex_shapes.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

constexpr std::array kAllKinds = {
    ShapeKind::kSphere,   ShapeKind::kCapsule,  ShapeKind::kBox,
    ShapeKind::kCylinder, ShapeKind::kHull,     ShapeKind::kHeightField,
    ShapeKind::kMesh,     ShapeKind::kCompound, ShapeKind::kPlane};

// A body of each kind whose highest place over the origin is the origin.
class Grounds {
 public:
  Grounds()
      : hull_(test::HullOf(test::CornersOfBox({4, 2, 4}))),
        compound_(test::CompoundOf(std::array{CompoundChild{.shape = Shape::Box({4, 2, 4})}})),
        mesh_(test::MeshOf(test::Sheet(5, 2.0f))),
        field_(std::move(*HeightField::Create({6, 6, 2.0f, std::vector<float>(36, 0.0f)}))) {}

  Placed Of(ShapeKind kind) {
    switch (kind) {
      case ShapeKind::kSphere:
        return Put(Shape::Sphere(4), {0, -4, 0});
      case ShapeKind::kCapsule:
        return Put(Shape::Capsule(2, 4), {0, -6, 0});
      case ShapeKind::kBox:
        return Put(Shape::Box({4, 2, 4}), {0, -2, 0});
      case ShapeKind::kCylinder:
        return Put(Shape::Cylinder(2, 4), {0, -2, 0});
      case ShapeKind::kHull:
        return Put(Shape::Hull(hull_.get()), {0, -2, 0});
      case ShapeKind::kHeightField:
        return Put(Shape::Ground(field_.get()), {-5, 0, -5});
      case ShapeKind::kCompound:
        return Put(Shape::Compound(compound_.get()), {0, -2, 0});
      case ShapeKind::kPlane:
        return Put(Shape::Plane({0, 3, 0}, 2), {0, -2, 0});
      case ShapeKind::kMesh:
        break;
    }
    return Put(Shape::Mesh(mesh_.get()), {});
  }

 private:
  Placed Put(const Shape& shape, Vec3 position) {
    shape_ = shape;
    return {shape_, position, Quat{}};
  }

  Shape shape_;
  std::unique_ptr<const ConvexHull> hull_;
  std::unique_ptr<const CompoundShape> compound_;
  std::unique_ptr<const TriangleMesh> mesh_;
  std::unique_ptr<const HeightField> field_;
};

float JustBelow(float value) { return std::nextafter(value, 0.0f); }

TEST_CASE("a shape that is exactly as far away as asked for is found, and one float less is not") {
  Grounds grounds;
  const Shape ball = Shape::Sphere(1);
  for (const ShapeKind kind : kAllKinds) {
    CAPTURE(static_cast<int>(kind));
    const Placed ground = grounds.Of(kind);
    const auto points = FindClosestPoints({ball, {0, 3, 0}, Quat{}}, ground, 2.0f);
    REQUIRE(points);
    CHECK(points->distance == 2.0f);
    CHECK(points->normal.y == Approx(-1));
    CHECK_FALSE(FindClosestPoints({ball, {0, 3, 0}, Quat{}}, ground, JustBelow(2.0f)));
  }
}

TEST_CASE("shapes that only touch are at distance zero, and asking for no distance finds them") {
  Grounds grounds;
  const Shape ball = Shape::Sphere(1);
  for (const ShapeKind kind : kAllKinds) {
    CAPTURE(static_cast<int>(kind));
    const auto points = FindClosestPoints({ball, {0, 1, 0}, Quat{}}, grounds.Of(kind), 0.0f);
    REQUIRE(points);
    CHECK(points->distance == 0.0f);
  }
}

TEST_CASE("a cast that touches at the very end of its way is a hit, and one float less is a miss") {
  Grounds grounds;
  const Shape ball = Shape::Sphere(1);
  for (const ShapeKind kind : kAllKinds) {
    CAPTURE(static_cast<int>(kind));
    const Placed ground = grounds.Of(kind);
    const Placed moving(ball, {0, 3, 0}, Quat{});
    for (const float end : {1.0f, 0.5f}) {
      const auto hit = CastShapeAgainst(moving, {0, -2.0f / end, 0}, end, ground);
      REQUIRE(hit);
      CHECK(hit->fraction == end);
      CHECK(hit->normal.y == Approx(1));
      CHECK_FALSE(CastShapeAgainst(moving, {0, -2.0f / end, 0}, JustBelow(end), ground));
    }
  }
}

TEST_CASE(
    "a cast from where the shapes touch is a hit at once into the other, and none out of it") {
  Grounds grounds;
  const Shape ball = Shape::Sphere(1);
  for (const ShapeKind kind : kAllKinds) {
    CAPTURE(static_cast<int>(kind));
    const Placed ground = grounds.Of(kind);
    const auto hit = CastShapeAgainst({ball, {0, 1, 0}, Quat{}}, {0, -1, 0}, 1.0f, ground);
    REQUIRE(hit);
    CHECK(hit->fraction == 0.0f);
    CHECK(hit->normal.y == Approx(1));
    CHECK_FALSE(CastShapeAgainst({ball, {0, 1, 0}, Quat{}}, {0, 1, 0}, 1.0f, ground));
  }
}

TEST_CASE("a ray that ends on a surface meets it, and one that may go a float less far does not") {
  Grounds grounds;
  for (const ShapeKind kind : kAllKinds) {
    CAPTURE(static_cast<int>(kind));
    const Placed ground = grounds.Of(kind);
    const auto cast = [&](float max_fraction) {
      return CastAgainstShape({{0, 2, 0}, {0, -4, 0}}, max_fraction, *ground.shape, ground.position,
                              Quat{});
    };
    const auto hit = cast(0.5f);
    REQUIRE(hit);
    CHECK(hit->fraction == 0.5f);
    CHECK_FALSE(cast(JustBelow(0.5f)));
  }
}

TEST_CASE("a ray without length meets the shape that it starts in, and a mesh never") {
  Grounds grounds;
  for (const ShapeKind kind : kAllKinds) {
    CAPTURE(static_cast<int>(kind));
    const Placed ground = grounds.Of(kind);
    const auto hit =
        CastAgainstShape({{0, -0.5f, 0}, {}}, 1.0f, *ground.shape, ground.position, {});
    CHECK(hit.has_value() == (kind != ShapeKind::kMesh));
    if (hit) CHECK(hit->fraction == 0.0f);
    CHECK_FALSE(CastAgainstShape({{0, 0.5f, 0}, {}}, 1.0f, *ground.shape, ground.position, {}));
  }
}

TEST_CASE("a place on the ground is not in it: a ray from there meets the ground downwards alone") {
  Grounds grounds;
  const Placed ground = grounds.Of(ShapeKind::kHeightField);
  const Vec3 below{0.5f, std::nextafter(0.0f, -1.0f), 0.25f}, on{0.5f, 0, 0.25f};
  CHECK_FALSE(IsInside(on, *ground.shape, ground.position, {}));
  CHECK(IsInside(below, *ground.shape, ground.position, {}));
  const auto cast = [&](Vec3 along) {
    return CastAgainstShape({on, along}, 1.0f, *ground.shape, ground.position, {});
  };
  CHECK_FALSE(cast({0, 1, 0}));
  CHECK_FALSE(cast({}));
  const auto down = cast({0, -1, 0});
  REQUIRE(down);
  CHECK(down->fraction == 0.0f);
  CHECK(down->normal == Vec3{0, 1, 0});
}

}  // namespace
}  // namespace nowait
