// Scaled shapes against the stretched points that they are by definition: closed forms, insides,
// masses, supports, the fronts of mirrored triangles; and factors that are refused.
#include "src/collision/scaled_shape.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_geometry.h"
#include "src/math/random.h"
#include "tests/collision/compounds.h"
#include "tests/collision/convex_shapes.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

Vec3 Times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Vec3 Over(Vec3 a, Vec3 b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

ScaledShape ScaledOf(const Shape& shape, Vec3 factors) {
  auto scaled = Scaled(shape, factors);
  if (!scaled) FAIL(ToString(scaled.error()));
  return std::move(*scaled);
}

float AnyFactor(Random& random) {
  const float size = random.Between(0.3f, 3.0f);
  return random.Below(2) == 0 ? size : -size;
}

// Factors that the kind takes.
Vec3 FactorsFor(ShapeKind kind, Random& random) {
  const Vec3 any{AnyFactor(random), AnyFactor(random), AnyFactor(random)};
  const auto sign = [](float of) { return of < 0.0f ? -1.0f : 1.0f; };
  const float size = std::abs(any.x);
  if (kind == ShapeKind::kCylinder) return {any.x, any.y, size * sign(any.z)};
  if (kind == ShapeKind::kSphere || kind == ShapeKind::kCapsule || kind == ShapeKind::kCompound) {
    return {any.x, size * sign(any.y), size * sign(any.z)};
  }
  return any;
}

TEST_CASE("a scaled shape without shared data is the shape of the scaled sizes, bit for bit") {
  const auto is = [](const Shape& shape, Vec3 factors, const Shape& expected) {
    const ScaledShape scaled = ScaledOf(shape, factors);
    CHECK(scaled.shape == expected);
    CHECK(scaled.frame == ShapeFrame{});
  };
  is(Shape::Box({0.3f, 0.7f, 1.1f}), {1.3f, -0.9f, 7.7f},
     Shape::Box({0.3f * 1.3f, 0.7f * 0.9f, 1.1f * 7.7f}));
  is(Shape::Sphere(0.3f), {1.7f, -1.7f, 1.7f}, Shape::Sphere(0.3f * 1.7f));
  is(Shape::Capsule(0.3f, 0.2f), {-1.7f, 1.7f, 1.7f}, Shape::Capsule(0.3f * 1.7f, 0.2f * 1.7f));
  is(Shape::Cylinder(0.3f, 0.2f), {1.7f, 0.3f, -1.7f}, Shape::Cylinder(0.3f * 0.3f, 0.2f * 1.7f));
  is(Shape::Plane({0, 1, 0}, 2.0f), {5, 3, 5}, Shape::Plane({0, 1, 0}, 6.0f));
  is(Shape::Plane({0, 1, 0}, 2.0f), {5, -3, 5}, Shape::Plane({0, -1, 0}, 6.0f));
  for (const Shape& shape :
       {Shape::Box({0.3f, 0.7f, 1.1f}), Shape::Sphere(0.3f), Shape::Plane({0, 0, -1}, 4)}) {
    CHECK(ScaledOf(shape, {1, 1, 1}).shape == shape);
  }
}

// A point p is in the shape when f p is in the scaled one; near the surface rounding decides.
TEST_CASE("a scaled shape has the scaled points inside, and no others") {
  const ShapeKind kind =
      GENERATE(ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kCylinder,
               ShapeKind::kHull, ShapeKind::kPlane, ShapeKind::kCompound);
  Random random(1);
  test::Shapes shapes;
  test::Compounds compounds;
  int inside = 0, outside = 0;
  for (int i = 0; i < 60; ++i) {
    Shape shape;
    if (kind == ShapeKind::kCompound) {
      shape = compounds.Draw(random, 1 + random.Below(6));
    } else if (kind == ShapeKind::kPlane) {
      shape = Shape::Plane(random.Direction(), random.Between(-0.5f, 0.5f));
    } else {
      shape = shapes.Draw(kind, random);
    }
    const Vec3 factors = FactorsFor(kind, random);
    const ScaledShape scaled = ScaledOf(shape, factors);
    const Bounds<3> around =
        kind == ShapeKind::kPlane ? ToBounds({-2, -2, -2}, {2, 2, 2}) : BoundsOf(shape, {}, {});
    constexpr float kNear = 1e-3f;
    for (int k = 0; k < 200; ++k) {
      const Vec3 p = random.InBox(MinOf(around) * 1.3f, MaxOf(around) * 1.3f);
      const bool is_inside = IsInside(p, shape, {}, {});
      bool is_near = false;
      for (int axis = 0; axis < 6 && !is_near; ++axis) {
        const float sign = axis < 3 ? 1.0f : -1.0f;
        const Vec3 aside{axis % 3 == 0 ? sign * kNear : 0, axis % 3 == 1 ? sign * kNear : 0,
                         axis % 3 == 2 ? sign * kNear : 0};
        is_near = IsInside(p + aside, shape, {}, {}) != is_inside;
      }
      if (is_near) continue;
      INFO("factors " << factors.x << ' ' << factors.y << ' ' << factors.z);
      REQUIRE(IsInside(Times(p, factors), scaled.shape, scaled.frame.centre,
                       scaled.frame.rotation) == is_inside);
      (is_inside ? inside : outside) += 1;
    }
  }
  CHECK(inside > 100);
  CHECK(outside > 100);
}

TEST_CASE(
    "a turned child of a compound that is a hull takes any factors, and children turned by "
    "right angles what their kinds take") {
  Random random(2);
  test::Shapes shapes;
  const Quat right = Normalise(Quat{0, 0, 1, 1});  // y to -x
  for (int i = 0; i < 40; ++i) {
    // Alike on both sides of the middle, so that the frame stays as it is.
    const Shape hull = shapes.BoxAsHull({0.3f, 0.2f, 0.4f});
    const Quat turn = FromAxisAngle({0, 1, 0}, random.Between(-1.0f, 1.0f));
    const std::array children = {
        CompoundChild{.shape = Shape::Box({0.5f, 0.2f, 0.3f}), .rotation = right},
        CompoundChild{.shape = Shape::Box({0.5f, 0.2f, 0.3f}), .position = {0, 1, 0}},
        CompoundChild{.shape = Shape::Box({0.5f, 0.2f, 0.3f}), .position = {0, -1, 0}},
        CompoundChild{.shape = hull, .position = {0, 1.5f, 0}, .rotation = turn},
        CompoundChild{.shape = hull, .position = {0, -1.5f, 0}, .rotation = turn}};
    const auto compound = test::CompoundOf(children);
    const Vec3 factors{AnyFactor(random), AnyFactor(random), AnyFactor(random)};
    // The compound's own frame may have another order of axes; the factors are along those.
    auto scaled = Scaled(Shape::Compound(compound.get()), factors);
    if (!scaled) {
      // Its principal axes are turned about y with the hulls: then the boxes do not take it.
      CHECK(scaled.error().subject == std::string("child scale"));
      continue;
    }
    for (int k = 0; k < 300; ++k) {
      const Vec3 p = random.InBox({-1, -2, -1}, {1, 2, 1});
      const bool near = IsInside(p * 1.002f, Shape::Compound(compound.get()), {}, {}) !=
                        IsInside(p * 0.998f, Shape::Compound(compound.get()), {}, {});
      if (near) continue;
      CHECK(IsInside(Times(p, factors), scaled->shape, scaled->frame.centre,
                     scaled->frame.rotation) ==
            IsInside(p, Shape::Compound(compound.get()), {}, {}));
    }
  }
}

TEST_CASE("masses are those of the closed forms: volumes by all factors, moments by squares too") {
  Random random(3);
  test::Shapes shapes;
  test::Compounds compounds;
  for (int i = 0; i < 100; ++i) {
    const Shape hull = shapes.Draw(ShapeKind::kHull, random);
    const Vec3 f{AnyFactor(random), AnyFactor(random), AnyFactor(random)};
    const ScaledShape scaled = ScaledOf(hull, f);
    const MassProperties before = MassOf(hull, 1.0f), after = MassOf(scaled.shape, 1.0f);
    const float volume = std::abs(f.x * f.y * f.z);
    CHECK(after.mass == Approx(before.mass * volume).epsilon(1e-4));
    const auto moments = [](const MassProperties& of) {
      const Vec3 n = of.inertia;
      return Vec3{0.5f * (n.y + n.z - n.x), 0.5f * (n.x + n.z - n.y), 0.5f * (n.x + n.y - n.z)};
    };
    // The axes may come in another order.
    const Vec3 expected = Times(moments(before), Times(f, f)) * volume;
    std::array of_expected = {expected.x, expected.y, expected.z};
    const Vec3 m = moments(after);
    std::array of_after = {m.x, m.y, m.z};
    std::ranges::sort(of_expected);
    std::ranges::sort(of_after);
    for (std::size_t k = 0; k < 3; ++k) CHECK(of_after[k] == Approx(of_expected[k]).epsilon(1e-3));
    CHECK(Length(scaled.frame.centre) < 1e-5f * Length(f));
    CHECK(RadiiOf(scaled.shape).inner > 0.0f);

    const Shape compound = compounds.Draw(random, 4);
    const float size = random.Between(0.5f, 2.0f);
    const MassProperties of_one = MassOf(compound, 1.0f);
    const MassProperties of_size = MassOf(ScaledOf(compound, {size, -size, size}).shape, 1.0f);
    CHECK(of_size.mass == Approx(of_one.mass * size * size * size).epsilon(1e-4));
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(of_size.inertia[axis] ==
            Approx(of_one.inertia[axis] * std::pow(size, 5.0f)).epsilon(1e-3));
    }
  }
}

TEST_CASE("a scaled hull is the hull of the scaled points, a box as a hull the scaled box") {
  Random random(4);
  test::Shapes shapes;
  for (int i = 0; i < 100; ++i) {
    std::vector<Vec3> points, stretched;
    const Vec3 f{AnyFactor(random), AnyFactor(random), AnyFactor(random)};
    for (int k = 0; k < 20; ++k) points.push_back(random.Direction());
    const auto hull = test::HullOf(points);
    for (const Vec3& point : points) {
      // Where the frame of the hull has them.
      const Vec3 seen = Rotate(Conjugate(hull->rotation()), point - hull->centre());
      stretched.push_back(Times(seen, f));
    }
    const auto expected = test::HullOf(stretched);
    const ScaledShape scaled = ScaledOf(Shape::Hull(hull.get()), f);
    CHECK(scaled.shape.hull->vertices().size() == expected->vertices().size());
    const Placed one(scaled.shape, scaled.frame.centre, scaled.frame.rotation);
    const Shape of_expected = Shape::Hull(expected.get());
    const Placed other(of_expected, expected->centre(), expected->rotation());
    for (int k = 0; k < 20; ++k) {
      const Vec3 n = random.Direction();
      CHECK(test::Reach(one, n) == Approx(test::Reach(other, n)).margin(2e-5));
    }
  }
  const ScaledShape box = ScaledOf(shapes.BoxAsHull({0.25f, 0.5f, 1.0f}), {2, -4, 0.5f});
  for (const Vec3& vertex : box.shape.hull->vertices()) {
    CHECK(Abs(vertex) == Vec3{0.5f, 2.0f, 0.5f});
  }
}

constexpr std::array<SurfaceMaterial, 2> kTable = {SurfaceMaterial{},
                                                   SurfaceMaterial{.friction = 0.01f}};

TEST_CASE("a mesh is met from the fronts of its scaled triangles, mirrored or not") {
  const test::MeshData data = test::Sheet(6, 0.5f, 0.2f, 5);
  std::vector<std::uint8_t> numbers;
  for (std::size_t i = 0; i < data.triangles(); ++i) numbers.push_back(i % 3 == 0 ? 1 : 0);
  const auto mesh = std::move(*TriangleMesh::Create(
      {.vertices = data.vertices, .indices = data.indices, .materials = {kTable, numbers}}));
  const Shape shape = Shape::Mesh(mesh.get());
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 40; ++i) {
    const Vec3 f{AnyFactor(random), AnyFactor(random), AnyFactor(random)};
    const ScaledShape scaled = ScaledOf(shape, f);
    CHECK(scaled.shape.mesh->triangles() == mesh->triangles());
    for (int k = 0; k < 50; ++k) {
      const Vec3 from = random.InBox({-1.4f, 1, -1.4f}, {1.4f, 2, 1.4f});
      const Vec3 way = random.InBox({-0.3f, -4, -0.3f}, {0.3f, -3, 0.3f});
      const auto one = CastAgainstShape({from, way}, 1.0f, shape, {}, {});
      const RayCast stretched{Times(from, f), Times(way, f)};
      const auto other = CastAgainstShape(stretched, 1.0f, scaled.shape, {}, {});
      REQUIRE(one.has_value() == other.has_value());
      // From behind it meets nothing.
      const RayCast backwards{Times(from + way, f), Times(way, f) * -1.0f};
      CHECK_FALSE(CastAgainstShape(backwards, 1.0f, scaled.shape, {}, {}));
      if (!one) continue;
      ++hits;
      CHECK(other->fraction == Approx(one->fraction).margin(1e-4));
      const Vec3 normal = NormaliseOr(Over(one->normal, f), Vec3{});
      CHECK(Length(other->normal - normal) < 1e-3f);
      CHECK(other->material == one->material);
    }
  }
  CHECK(hits > 1000);
}

TEST_CASE("a body rests on the front of a mirrored mesh and passes its back") {
  const auto mesh = test::MeshOf(test::Sheet(4, 1.0f));
  const Shape ball = Shape::Sphere(0.5f);
  for (const Vec3 f : {Vec3{1, 1, 1}, Vec3{-2, 1, 3}, Vec3{1, -1, 1}, Vec3{-1, -2, 1}}) {
    const ScaledShape scaled = ScaledOf(Shape::Mesh(mesh.get()), f);
    const float up = f.y < 0.0f ? -1.0f : 1.0f;
    Manifold in_front, behind;
    Collide(Placed(scaled.shape, {}, Quat{}), Placed(ball, {0.1f, 0.45f * up, 0.2f}, Quat{}), 0.02f,
            in_front);
    REQUIRE_FALSE(in_front.empty());
    CHECK(in_front.points()[0].normal.y == Approx(up));
    Collide(Placed(scaled.shape, {}, Quat{}), Placed(ball, {0.1f, -0.45f * up, 0.2f}, Quat{}),
            0.02f, behind);
    CHECK(behind.empty());
  }
}

TEST_CASE("a scaled height field has the scaled samples, the same holes and materials") {
  Random random(6);
  std::vector<float> heights;
  for (int i = 0; i < 35; ++i) heights.push_back(random.Between(-1, 1));
  std::vector<std::uint8_t> numbers(24, 0);
  numbers[7] = SurfaceMaterials::kHole;
  numbers[9] = 1;
  const auto field = std::move(*HeightField::Create({.columns = 7,
                                                     .rows = 5,
                                                     .spacing = 0.5f,
                                                     .heights = heights,
                                                     .materials = {kTable, numbers}}));
  const ScaledShape scaled = ScaledOf(Shape::Ground(field.get()), {2, 3, 2});
  const HeightField& large = *scaled.shape.height_field;
  CHECK(large.spacing() == 1.0f);
  for (std::uint32_t k = 0; k < 5; ++k) {
    for (std::uint32_t i = 0; i < 7; ++i) CHECK(large.HeightOf(i, k) == 3 * field->HeightOf(i, k));
  }
  for (int i = 0; i < 100; ++i) {
    const float x = random.Between(0, 3), z = random.Between(0, 2);
    CHECK(large.SurfaceAt(2 * x, 2 * z) == Approx(3 * field->SurfaceAt(x, z)).margin(1e-5));
  }
  CHECK(large.IsHole(1, 1));
  CHECK(large.MaterialOf(3, 1) == 1);
}

TEST_CASE("the numbers of a compound's children stay, and it owns its hulls") {
  test::Shapes shapes;
  Random random(7);
  std::vector<CompoundChild> children;
  for (int i = 0; i < 12; ++i) {
    children.push_back(
        {.shape = i % 2 == 0 ? Shape::Sphere(0.2f) : shapes.Draw(ShapeKind::kHull, random, 0.3f),
         .position = {static_cast<float>(i * 7 % 12), 0, 0},
         .density = 1.0f + static_cast<float>(i)});
  }
  const auto compound = test::CompoundOf(children);
  const ScaledShape scaled = ScaledOf(Shape::Compound(compound.get()), {2, 2, 2});
  CHECK(scaled.hulls.size() == 6);
  for (const CompoundShape::Child& child : scaled.shape.compound->children()) {
    const CompoundChild& of = children[child.number];
    CHECK(child.shape.kind == of.shape.kind);
    CHECK(child.density == of.density);
    CHECK((child.shape.hull != of.shape.hull || of.shape.hull == nullptr));
    const Vec3 at = scaled.frame.centre + Rotate(scaled.frame.rotation, child.position);
    const Vec3 expected =
        Rotate(Conjugate(compound->rotation()), of.position - compound->centre()) * 2.0f;
    CHECK(Length(at - expected) < 0.3f * 0.3f);  // a hull's centre is not its points' origin
  }
}

void CheckRefused(const Shape& shape, Vec3 factors, const char* subject, std::int64_t amount) {
  const auto scaled = Scaled(shape, factors);
  REQUIRE_FALSE(scaled);
  CHECK(scaled.error().code == ErrorCode::kInvalidArgument);
  CHECK(scaled.error().subject == std::string(subject));
  CHECK(scaled.error().amount == amount);
}

// A box with a low roof on it: beside a long side the roof is less than a hull tells apart.
TEST_CASE("a hull keeps the detail that makes it what it is, or is refused") {
  test::Shapes shapes;
  std::vector<Vec3> points = test::CornersOfBox({0.5f, 0.5f, 0.5f});
  points.push_back({0, 0.515f, 0});
  points.push_back({0.05f, -0.515f, 0});
  const Shape roofed = shapes.Keep(test::HullOf(points));
  REQUIRE(roofed.hull->vertices().size() == 10);
  for (const Vec3 factors : {Vec3{100, 1, 100}, Vec3{1000, 1, 1000}, Vec3{1000, 1, 1}}) {
    const ScaledShape scaled = ScaledOf(roofed, factors);
    CHECK(scaled.shape.hull->vertices().size() == 10);
    const float volume = factors.x * factors.y * factors.z * roofed.hull->volume();
    CHECK(scaled.shape.hull->volume() == Approx(volume).epsilon(1e-4));
  }
  CheckRefused(roofed, {1000, 0.2f, 1000}, "scaled hull", 8);
}

TEST_CASE("a mesh keeps all of its triangles, or is refused with the number of those lost") {
  // A rail of one centimetre over a floor.
  const std::vector<Vec3> vertices = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4},     {0, 0, 4},
                                      {0, 1, 1}, {4, 1, 1}, {4, 1, 1.01f}, {0, 1, 1.01f}};
  const std::vector<std::uint32_t> indices = {0, 2, 1, 0, 3, 2, 4, 6, 5, 4, 7, 6};
  const auto mesh = TriangleMesh::Create({.vertices = vertices, .indices = indices});
  REQUIRE(mesh);
  const Shape rail = Shape::Mesh(mesh->get());
  for (const float factor : {0.1f, 1.0f, 100.0f, 200.0f}) {
    CHECK(ScaledOf(rail, {factor, 1, 1}).mesh->triangles() == 4);
  }
  CheckRefused(rail, {1000, 1, 1}, "scaled mesh", 2);
}

TEST_CASE("a slab turned by hardly more than a right angle takes the factors that hide it alone") {
  for (const Quat turn : {Quat{}, Normalise(Quat{0, 0, 1, 1}), Normalise(Quat{1, 1, 1, 1})}) {
    const float tilt = 9e-7f;
    const Quat tilted = Quat{0, 0, 0.5f * tilt, 1} * turn;
    const Vec3 half = Abs(Rotate(Conjugate(turn), Vec3{10, 0.1f, 10}));
    const std::array children = {
        CompoundChild{.shape = Shape::Box(half), .rotation = tilted},
        CompoundChild{.shape = Shape::Box({10, 0.1f, 10}), .position = {0, 5, 0}}};
    const auto compound = test::CompoundOf(children);
    const Shape shape = Shape::Compound(compound.get());
    CHECK(Scaled(shape, {2, 3, 4}));
    CHECK(Scaled(shape, {7, 7, 7}));
    CheckRefused(shape, {900, 0.02f, 1}, "child scale", 0);
  }
}

TEST_CASE("factors that a shape cannot take are refused by name and axis") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const auto refused = CheckRefused;
  test::Shapes shapes;
  const Shape hull = shapes.BoxAsHull({1, 1, 1});
  const auto mesh = test::MeshOf(test::Sheet(2, 1.0f));
  const std::vector<float> heights(4, 1.0f);
  const auto field = std::move(*HeightField::Create({2, 2, 1.0f, heights}));
  const std::array children = {CompoundChild{.shape = Shape::Box({1, 1, 1}), .position = {3, 0, 0}},
                               CompoundChild{.shape = Shape::Sphere(0.5f), .position = {-3, 0, 0}}};
  const auto compound = test::CompoundOf(children);
  const std::array all = {
      Shape::Sphere(1),          Shape::Box({1, 1, 1}),      hull,
      Shape::Mesh(mesh.get()),   Shape::Ground(field.get()), Shape::Compound(compound.get()),
      Shape::Plane({0, 1, 0}, 0)};
  for (const Shape& shape : all) {
    for (const float bad : {kNaN, kInfinite, -kInfinite, 0.0f, -0.0f, 1e-4f, 2e3f, -2e3f}) {
      refused(shape, {bad, 1, 1}, "scale", 0);
      refused(shape, {1, bad, 1}, "scale", 1);
      refused(shape, {1, 1, bad}, "scale", 2);
    }
  }
  refused(Shape::Sphere(1), {1, 2, 1}, "scale", 1);
  refused(Shape::Sphere(1), {1, 1, 2}, "scale", 2);
  refused(Shape::Capsule(1, 1), {1, 2, 1}, "scale", 1);
  refused(Shape::Cylinder(1, 1), {1, 2, 2}, "scale", 2);
  refused(Shape::Ground(field.get()), {-1, 1, 1}, "scale", 0);
  refused(Shape::Ground(field.get()), {1, -1, 1}, "scale", 1);
  refused(Shape::Ground(field.get()), {1, 1, 2}, "scale", 2);
  // The ball alone does not take it; it has number 1.
  refused(Shape::Compound(compound.get()), {1, 2, 1}, "child scale", 1);
  // Results that are no shapes.
  refused(Shape::Sphere(100), {1e3f, 1e3f, 1e3f}, "radius", 0);
  refused(Shape::Box({0.01f, 1, 1}), {1e-3f, 1, 1}, "half extents", 0);
  refused(Shape::Plane({0, 1, 0}, 1e5f), {1, 1e3f, 1}, "plane distance", 0);
  refused(shapes.BoxAsHull({1e3f, 1, 1}), {1e3f, 1, 1}, "points", 0);
  refused(shapes.BoxAsHull({10, 0.1f, 10}), {1, 1e-3f, 1}, "points", 8);
  refused(Shape::Mesh(test::MeshOf(test::Sheet(4, 10.0f)).get()), {1, 1, 1e3f}, "mesh vertex", 0);
  refused(Shape::Hull(nullptr), {1, 1, 1}, "hull", 0);
}

}  // namespace
}  // namespace nowait
