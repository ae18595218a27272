// Planes: closed forms, and convex shapes, rays and ways at random against the definition of a
// half-space and against a box of kilometres whose top is the plane.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/far_ray.h"
#include "src/collision/half_space.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/time_of_impact.h"
#include "src/collision/triangles.h"
#include "src/math/random.h"
#include "tests/collision/compounds.h"
#include "tests/collision/convex_shapes.h"

namespace nowait {
namespace {

constexpr float kHalfBox = 2000.0f;

// A plane at random, and a box whose top face lies on it near the plane's own place.
struct Ground {
  explicit Ground(Random& random) {
    position = random.InBox({-20, -20, -20}, {20, 20, 20});
    rotation = random.Rotation();
    plane = Shape::Plane(random.Direction(), random.Between(-5, 5));
    const Vec3 up = plane.normal;
    const Vec3 across = NormaliseOr(Cross({0, 1, 0}, up), {1, 0, 0});
    const float half_cosine = std::sqrt(std::max(0.5f * (1.0f + up.y), 1e-6f));
    const float sine = std::sqrt(std::max(1.0f - half_cosine * half_cosine, 0.0f));
    const Quat from_y =
        Normalise(Quat{across.x * sine, across.y * sine, across.z * sine, half_cosine});
    box_rotation = Normalise(rotation * from_y);
    normal = Rotate(rotation, up);
    surface = position + normal * plane.distance;
    box_position = surface - normal * kHalfBox;
  }
  Placed Plane() const { return {plane, position, rotation}; }
  Placed Box() const { return {box, box_position, box_rotation}; }
  float Above(Vec3 point) const { return Dot(normal, point - surface); }

  Shape plane, box = Shape::Box({kHalfBox, kHalfBox, kHalfBox});
  Vec3 position, box_position;
  Quat rotation, box_rotation;
  Vec3 normal, surface;
};

// A convex shape whose middle lies `height` metres over the ground.
Placed Over(const Ground& ground, const Shape& shape, float height, Random& random) {
  const Vec3 across = Cross(ground.normal, random.Direction()) * random.Between(0, 10);
  return {shape, ground.surface + across + ground.normal * height, random.Rotation()};
}

TEST_CASE("a plane's normal is made one metre long, and one without a direction is refused") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  CHECK(Shape::Plane({0, 5, 0}, 3) == Shape::Plane({0, 1, 0}, 3));
  CHECK(Validate(Shape::Plane({1e-3f, -2, 7}, -1e6f)).has_value());
  for (const Vec3 normal : {Vec3{}, Vec3{kNaN, 1, 0}, Vec3{kInfinite, 0, 0}, Vec3{1e30f, 0, 0}}) {
    const auto valid = Validate(Shape::Plane(normal, 0));
    REQUIRE_FALSE(valid);
    CHECK(ToString(valid.error()).find("plane normal") != std::string::npos);
  }
  for (const float distance : {kNaN, kInfinite, -kInfinite, 1.1e6f, -1.1e6f}) {
    const auto valid = Validate(Shape::Plane({0, 1, 0}, distance));
    REQUIRE_FALSE(valid);
    CHECK(ToString(valid.error()).find("plane distance") != std::string::npos);
  }
  Shape longer = Shape::Plane({0, 1, 0}, 0);
  longer.normal.y = 1.01f;
  CHECK_FALSE(Validate(longer));
}

TEST_CASE("a plane's box has an end where its normal lies along an axis, and is usable by a tree") {
  const Bounds<3> level = BoundsOf(Shape::Plane({0, 1, 0}, 2.5f), {7, -1, 3}, {});
  CHECK(level.max[1] >= 1.5f);
  CHECK(level.max[1] < 1.50001f);
  CHECK(level.min[1] == -kPlaneReach);
  CHECK(level.max[0] == kPlaneReach);
  const Bounds<3> wall = BoundsOf(Shape::Plane({-1, 0, 0}, 2), {10, 0, 0}, {});
  CHECK(wall.min[0] <= 8.0f);
  CHECK(wall.min[0] > 7.9999f);
  const Bounds<3> tilted = BoundsOf(Shape::Plane({1, 9, 0}, 0), {}, {});
  CHECK(tilted.max[1] == kPlaneReach);
  for (const Bounds<3>& box : {level, wall, tilted}) CHECK(box.IsUsable());
}

TEST_CASE("shapes on a level floor have the contacts that one draws by hand") {
  const Shape floor = Shape::Plane({0, 1, 0}, 0);
  const Placed plane(floor, {5, 0, 5}, {});
  const auto on_floor = [&](const Shape& shape, float height, Quat rotation = {}) {
    Manifold manifold;
    Collide(plane, {shape, {0, height, 0}, rotation}, 0.02f, manifold);
    for (const ContactPoint& point : manifold.points()) CHECK(point.normal == Vec3{0, 1, 0});
    return manifold;
  };
  const Manifold ball = on_floor(Shape::Sphere(1), 0.9f);
  REQUIRE(ball.count() == 1);
  CHECK(ball.points()[0].separation == Approx(-0.1f));
  CHECK(ball.points()[0].position.y == Approx(-0.05f));
  CHECK(on_floor(Shape::Sphere(1), 1.03f).empty());
  const Manifold box = on_floor(Shape::Box({1, 2, 3}), 2.01f);
  REQUIRE(box.count() == 4);
  for (const ContactPoint& point : box.points()) {
    CHECK(point.separation == Approx(0.01f).margin(1e-6));
    CHECK(std::abs(point.position.x) == 1.0f);
    CHECK(std::abs(point.position.z) == 3.0f);
  }
  const Quat on_side{0.70710678f, 0, 0, 0.70710678f};
  CHECK(on_floor(Shape::Capsule(1, 0.5f), 1.5f).count() == 1);
  CHECK(on_floor(Shape::Capsule(1, 0.5f), 0.5f, on_side).count() == 2);
  CHECK(on_floor(Shape::Cylinder(1, 0.5f), 0.5f, on_side).count() == 2);
  CHECK(on_floor(Shape::Cylinder(1, 0.5f), 1.0f).count() == 4);
}

TEST_CASE(
    "two shapes that do not move have no contact, and the order of a pair turns its normals") {
  const Shape plane = Shape::Plane({0, 1, 0}, 0), other = Shape::Plane({1, 0, 0}, 0);
  const Shape ball = Shape::Sphere(1);
  Manifold manifold, turned;
  Collide({plane, {}, {}}, {other, {}, {}}, 1.0f, manifold);
  CHECK(manifold.empty());
  Collide({plane, {}, {}}, {ball, {0, 0.5f, 0}, {}}, 0.02f, manifold);
  Collide({ball, {0, 0.5f, 0}, {}}, {plane, {}, {}}, 0.02f, turned);
  REQUIRE(turned.count() == 1);
  CHECK(turned.points()[0].normal == -manifold.points()[0].normal);
}

TEST_CASE("the contacts of any convex shape lie on it, and the deepest is as deep as the shape") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u);
  CAPTURE(seed);
  Random random(seed);
  test::Shapes shapes;
  for (int round = 0; round < 100; ++round) {
    const Ground ground(random);
    for (const ShapeKind kind : test::kConvex) {
      CAPTURE(round, static_cast<int>(kind));
      const Shape shape = shapes.Draw(kind, random);
      const Placed placed = Over(ground, shape, random.Between(-3, 1.5f), random);
      const double lowest =
          -test::Reach(placed, -ground.normal) - Dot(ground.normal, ground.surface);
      Manifold manifold;
      Collide(ground.Plane(), placed, 0.02f, manifold);
      REQUIRE(manifold.empty() == (lowest > 0.02));
      float deepest = 1e9f;
      for (const ContactPoint& point : manifold.points()) {
        CHECK(Length(point.normal - ground.normal) < 1e-5f);
        const Vec3 half = point.normal * (0.5f * point.separation);
        CHECK(ground.Above(point.position - half) == Approx(0).margin(1e-4));
        CHECK(test::OutsideOf(placed, point.position + half) < 2e-3f);
        deepest = std::min(deepest, point.separation);
      }
      // Of points within two millimetres of the deepest, Reduce keeps the outermost.
      if (!manifold.empty()) CHECK(deepest == Approx(lowest).margin(2.1e-3));
      const auto closest = FindClosestPoints(placed, ground.Plane(), 10.0f);
      REQUIRE(closest);
      CHECK(closest->distance == Approx(lowest).margin(2e-5));
      CHECK(ground.Above(closest->on_b) == Approx(0).margin(1e-4));
      CHECK(Length(closest->on_a - closest->on_b) ==
            Approx(std::abs(closest->distance)).margin(1e-4));
      CHECK(Length(closest->normal + ground.normal) < 1e-5f);
    }
  }
}

TEST_CASE("a plane supports a shape as the top of a wide box does") {
  const std::uint64_t seed = GENERATE(11u, 12u, 13u, 14u);
  CAPTURE(seed);
  Random random(seed);
  test::Shapes shapes;
  for (int round = 0; round < 60; ++round) {
    const Ground ground(random);
    for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kBox}) {
      const Shape shape = shapes.Draw(kind, random);
      const Placed placed = Over(ground, shape, random.Between(0.1f, 1.2f), random);
      Manifold on_plane, on_box;
      Collide(ground.Plane(), placed, 0.02f, on_plane);
      Collide(ground.Box(), placed, 0.02f, on_box);
      CAPTURE(round, static_cast<int>(kind));
      const auto least = [](const Manifold& manifold) {
        float separation = 1.0f;
        for (const ContactPoint& p : manifold.points()) {
          separation = std::min(separation, p.separation);
        }
        return separation;
      };
      // Floats at the box's middle, two kilometres away, have steps of a tenth of a millimetre.
      if (!on_plane.empty() && !on_box.empty()) {
        CHECK(least(on_plane) == Approx(least(on_box)).margin(3e-3));
      } else {
        CHECK(std::min(least(on_plane), least(on_box)) > 0.015f);
      }
    }
  }
}

// The features of the contacts of a body whose lowest point is on the plane y = 0.
std::vector<std::uint32_t> FeaturesOn(const Shape& shape, Quat rotation) {
  const Shape floor = Shape::Plane({0, 1, 0}, 0);
  Placed placed(shape, {}, rotation);
  placed.position.y = FindClosestPoints(placed, {floor, {}, {}}, 10.0f)->distance * -1.0f;
  Manifold manifold;
  Collide({floor, {}, {}}, placed, 0.01f, manifold);
  std::vector<std::uint32_t> features;
  for (const ContactPoint& point : manifold.points()) features.push_back(point.feature);
  std::ranges::sort(features);
  return features;
}

Quat TurnedBy(float radians, Vec3 axis) {
  const float sine = std::sin(0.5f * radians);
  return {axis.x * sine, axis.y * sine, axis.z * sine, std::cos(0.5f * radians)};
}

TEST_CASE("a box and a hull that rock over an edge keep the features of the edge") {
  std::vector<Vec3> corners;
  for (const float x : {-1.0f, 1.0f}) {
    for (const float y : {-1.0f, 1.0f}) {
      for (const float z : {-1.0f, 1.0f}) corners.push_back({x, y, z});
    }
  }
  const auto hull = ConvexHull::Create({.points = corners});
  REQUIRE(hull);
  for (const Shape& shape : {Shape::Box({1, 1, 1}), Shape::Hull(hull->get())}) {
    CAPTURE(static_cast<int>(shape.kind));
    const auto edge = FeaturesOn(shape, TurnedBy(0.7f, {0, 0, 1}));
    CHECK(edge.size() == 2);
    // Across 45 degrees, where another face is the lower one.
    CHECK(FeaturesOn(shape, TurnedBy(0.87f, {0, 0, 1})) == edge);
    const auto face = FeaturesOn(shape, {});
    CHECK(face.size() == 4);
    CHECK(std::ranges::includes(face, edge));
    CHECK(std::ranges::includes(FeaturesOn(shape, TurnedBy(1.5707963f, {0, 0, 1})), edge));
  }
}

TEST_CASE("a disc that rolls on its rim touches at one place, which stays one feature") {
  const Shape coin = Shape::Cylinder(0.1f, 1.0f), floor = Shape::Plane({0, 1, 0}, 0);
  for (int step = 0; step < 64; ++step) {
    CAPTURE(step);
    // It has turned about its own axis, and leans by half a radian.
    const Quat rotation =
        Normalise(TurnedBy(0.5f, {1, 0, 0}) * TurnedBy(0.1f * static_cast<float>(step), {0, 1, 0}));
    CHECK(FeaturesOn(coin, rotation) == FeaturesOn(coin, TurnedBy(0.5f, {1, 0, 0})));
    const float height = 0.1f * std::cos(0.5f) + std::sin(0.5f);
    Manifold manifold;
    Collide({floor, {}, {}}, {coin, {0, height - 0.003f, 0}, rotation}, 0.0f, manifold);
    REQUIRE(manifold.count() >= 1);
    float deepest = 1.0f;
    for (const ContactPoint& point : manifold.points()) {
      deepest = std::min(deepest, point.separation);
    }
    CHECK(deepest == Approx(-0.003f).margin(1e-5));
  }
}

TEST_CASE("a compound on a plane stands on its lowest children") {
  const auto table = test::CompoundOf(
      std::array{CompoundChild{.shape = Shape::Box({1, 0.1f, 1}), .position = {0, 1, 0}},
                 CompoundChild{.shape = Shape::Sphere(0.2f), .position = {0.9f, 0.2f, 0.9f}},
                 CompoundChild{.shape = Shape::Sphere(0.2f), .position = {-0.9f, 0.2f, 0.9f}},
                 CompoundChild{.shape = Shape::Sphere(0.2f), .position = {0.9f, 0.2f, -0.9f}},
                 CompoundChild{.shape = Shape::Sphere(0.2f), .position = {-0.9f, 0.2f, -0.9f}}});
  const Shape shape = Shape::Compound(table.get()), floor = Shape::Plane({0, 1, 0}, 0);
  const Placed standing(shape, table->centre(), table->rotation());
  Manifold manifold;
  Collide(standing, {floor, {}, {}}, 0.02f, manifold);
  REQUIRE(manifold.count() == 4);
  for (const ContactPoint& point : manifold.points()) {
    CHECK(point.normal == Vec3{0, -1, 0});
    CHECK(point.separation == Approx(0).margin(1e-5));
    CHECK(std::abs(point.position.x) == Approx(0.9f));
  }
}

TEST_CASE("rays meet a plane where the definition says, and from inside at once") {
  const std::uint64_t seed = GENERATE(21u, 22u, 23u);
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Ground ground(random);
    const RayCast ray{random.InBox({-50, -50, -50}, {50, 50, 50}),
                      random.InBox({-90, -90, -90}, {90, 90, 90})};
    const auto hit = CastAgainstShape(ray, 1.0f, ground.plane, ground.position, ground.rotation);
    const float start = ground.Above(ray.origin), end = ground.Above(ray.origin + ray.translation);
    if (std::min(std::abs(start), std::abs(end)) < 1e-3f) continue;
    CHECK(IsInside(ray.origin, ground.plane, ground.position, ground.rotation) == (start < 0));
    REQUIRE(hit.has_value() == (start < 0 || end < 0));
    if (!hit) continue;
    if (start < 0) {
      CHECK(hit->fraction == 0.0f);
      CHECK(Dot(hit->normal, ray.translation) < 0);
      continue;
    }
    CHECK(Length(hit->normal - ground.normal) < 1e-5f);
    CHECK(ground.Above(ray.origin + ray.translation * hit->fraction) == Approx(0).margin(1e-4));
  }
}

TEST_CASE("a ray from a thousand times farther than the moon meets the plane to the millimetre") {
  const Shape plane = Shape::Plane({0.6f, 0.8f, 0}, 3.0f);
  for (const float far : {1e9f, 1e12f, 1e20f, 1e30f}) {
    CAPTURE(far);
    const FarRay ray(RayCast{{0, far, 0}, {0, -2 * far, 0}});
    const auto hit = ray.Cast(ray.end(), plane, {}, {});
    REQUIRE(hit);
    CHECK(ray.PointAt(hit->along).y == Approx(3.75f).epsilon(1e-6));
    CHECK_FALSE(FarRay(RayCast{{0, far, 0}, {0, far, 0}}).Cast(1e31, plane, {}, {}));
    CHECK(FarRay(RayCast{{0, -far, 0}, {0, -far, 0}}).Cast(1e31, plane, {}, {})->normal.y == 1.0f);
    CHECK_FALSE(ray.Cast(hit->along - 1e-3, plane, {}, {}));
  }
}

TEST_CASE("a shape that is cast stops where it touches") {
  const std::uint64_t seed = GENERATE(31u, 32u, 33u, 34u);
  CAPTURE(seed);
  Random random(seed);
  test::Shapes shapes;
  for (int round = 0; round < 100; ++round) {
    const Ground ground(random);
    for (const ShapeKind kind : test::kConvex) {
      CAPTURE(round, static_cast<int>(kind));
      const Shape shape = shapes.Draw(kind, random);
      const Placed placed = Over(ground, shape, random.Between(2.5f, 8), random);
      const Vec3 way = random.Direction() * random.Between(1, 20);
      const auto hit = CastShapeAgainst(placed, way, 1.0f, ground.Plane());
      const auto distance_at = [&](float fraction) {
        Placed there = placed;
        there.position = placed.position + way * fraction;
        return FindClosestPoints(there, ground.Plane(), 1e6f)->distance;
      };
      if (!hit) {
        CHECK(distance_at(1.0f) > -1e-4f);
        continue;
      }
      CHECK(distance_at(hit->fraction) == Approx(0).margin(1e-4));
      CHECK(ground.Above(hit->point) == Approx(0).margin(1e-4));
      CHECK(Length(hit->normal - ground.normal) < 1e-5f);
      CHECK(Dot(way, hit->normal) < 0);
    }
  }
}

TEST_CASE("a fast body stops in front of a plane, whatever its way, and one that leaves goes on") {
  const std::uint64_t seed = GENERATE(41u, 42u, 43u, 44u);
  CAPTURE(seed);
  Random random(seed);
  test::Shapes shapes;
  int stops = 0;
  for (int round = 0; round < 100; ++round) {
    const Ground ground(random);
    for (const ShapeKind kind : test::kConvex) {
      CAPTURE(round, static_cast<int>(kind));
      const Shape shape = shapes.Draw(kind, random);
      const Placed placed = Over(ground, shape, random.Between(2.2f, 5), random);
      const Vec3 end = placed.position + random.Direction() * random.Between(1, 300);
      const Quat turn = random.Rotation();
      const Mover mover{&shape, RadiiOf(shape), {placed.position, end, turn, random.Rotation()}};
      const Mover still{&ground.plane, {}, Sweep::AtRest(ground.position, ground.rotation)};
      const std::optional<ImpactStop> stop = TimeOfImpact(mover, still, 1.0f);
      const float last = stop ? stop->fraction : 1.0f;
      constexpr int kParts = 50;
      for (int i = 0; i <= kParts; ++i) {
        const float at = last * static_cast<float>(i) / kParts;
        REQUIRE(ground.Above(mover.sweep.PositionAt(at)) > 0.5f * mover.radii.inner - 2e-3f);
      }
      if (!stop) continue;
      ++stops;
      CHECK_FALSE(stop->wedged);
      CHECK(Length(stop->normal + ground.normal) < 1e-5f);
      const Placed there(shape, mover.sweep.PositionAt(last), mover.sweep.RotationAt(last));
      CHECK(FindClosestPoints(there, ground.Plane(), 1e6f)->distance < kStopDistance + 2e-3f);
    }
  }
  CHECK(stops > 100);
}

TEST_CASE("the triangles of a plane are the part of it in the box, seen from outside") {
  const std::uint64_t seed = GENERATE(51u, 52u, 53u);
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const Ground ground(random);
    const Vec3 low = random.InBox({-30, -30, -30}, {10, 10, 10});
    const Vec3 size = random.InBox({1, 1, 1}, {40, 40, 40});
    double area = 0.0;
    int count = 0;
    VisitTriangles(ground.plane, ground.position, ground.rotation, ToBounds(low, low + size),
                   [&](Vec3 a, Vec3 b, Vec3 c) {
                     ++count;
                     const Vec3 normal = Cross(b - a, c - a);
                     area += 0.5 * Length(normal);
                     CHECK(Dot(normal, ground.normal) >= -1e-3f);
                     for (const Vec3 corner : {a, b, c}) {
                       CHECK(ground.Above(corner) == Approx(0).margin(2e-4));
                       const Vec3 beyond = Max(low - corner, corner - (low + size));
                       CHECK(std::max({beyond.x, beyond.y, beyond.z}) < 2e-4f);
                     }
                   });
    CHECK(count <= 4);
    // The oracle: columns along the axis that is nearest to the normal.
    const Vec3 n = Abs(ground.normal);
    const int axis = n.x >= n.y && n.x >= n.z ? 0 : n.y >= n.z ? 1 : 2;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    constexpr int kSide = 60;
    int inside = 0;
    for (int i = 0; i < kSide; ++i) {
      for (int k = 0; k < kSide; ++k) {
        Vec3 foot = low;
        foot.Set(u, low[u] + size[u] * (static_cast<float>(i) + 0.5f) / kSide);
        foot.Set(v, low[v] + size[v] * (static_cast<float>(k) + 0.5f) / kSide);
        const float height = low[axis] - ground.Above(foot) / ground.normal[axis];
        if (height >= low[axis] && height <= low[axis] + size[axis]) ++inside;
      }
    }
    const double column = double{size[u]} * size[v] / (kSide * kSide) / n[axis];
    CHECK(area == Approx(inside * column).epsilon(0.03).margin(column * 4 * kSide));
  }
}

TEST_CASE("a level plane gives one square, also in a box without end in height") {
  const Shape floor = Shape::Plane({0, 1, 0}, 0.25f);
  std::vector<Vec3> corners;
  VisitTriangles(floor, {0, 1, 0}, {}, ToBounds({-3, -1e30f, 2}, {5, 1e30f, 4}),
                 [&](Vec3 a, Vec3 b, Vec3 c) {
                   corners.insert(corners.end(), {a, b, c});
                 });
  REQUIRE(corners.size() == 6);
  for (const Vec3 corner : corners) CHECK(corner.y == 1.25f);
  VisitTriangles(floor, {0, 1, 0}, {}, ToBounds({-3, 2, 2}, {5, 9, 4}),
                 [&](Vec3, Vec3, Vec3) { FAIL("the box is above the plane"); });
}

}  // namespace
}  // namespace nowait
