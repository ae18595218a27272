// Cylinders with parallel axes: they meet along a line, and a shape cast ends so near to it that
// the difference of the closest points is rounding. Deep in each other, their surfaces are nearly
// equally far in many directions.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/core_distance.h"
#include "src/collision/shape_cast.h"
#include "src/collision/shape_geometry.h"
#include "src/math/random.h"

namespace nowait {
namespace {

Shape Draw(Random& random, float least, float most) {
  const float half_height = random.Between(least, most);
  return Shape::Cylinder(half_height, random.Between(least, most));
}

// The normal's direction a little before the hit, where the cylinders are clearly apart.
double CosineToBefore(const Placed& a, Vec3 way, const CastContact& hit, const Placed& b,
                      float size) {
  const double before = double{hit.fraction} - 3e-4 * double{size} / double{Length(way)};
  const Core core(a, a.position);
  const CoreDistance there = DistanceOf(core.Moved(ToDouble(way) * before), Core(b, a.position));
  return -Dot(there.normal, ToDouble(hit.normal));
}

TEST_CASE("a cylinder that is cast through the middle of one of the same turn meets it") {
  Random random(81);
  int missed = 0, crooked = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    const Shape sa = Draw(random, 0.1f, 2.0f), sb = Draw(random, 0.1f, 2.0f);
    const Quat turn = random.Rotation();
    const float size = RadiiOf(sa).outer + RadiiOf(sb).outer;
    const Vec3 from = random.Direction() * (size * random.Between(1.1f, 3.0f));
    const Vec3 way = from * -2.0f;
    const Placed a(sa, from, turn), b(sb, {}, turn);
    const auto hit = CastShapeAgainst(a, way, 1.0f, b);
    if (!hit) {
      ++missed;
    } else if (CosineToBefore(a, way, *hit, b, size) < 0.98) {
      ++crooked;
    }
  }
  CHECK(missed == 0);
  // A cast that meets a rim may turn its normal within the last 0.3 mm.
  CHECK(crooked < kRounds / 1000);
}

TEST_CASE("logs whose sides touch have the normal from axis to axis, apart, touching or within") {
  Random random(82);
  for (const double gap : {1e-3, 1e-6, 0.0, -1e-6, -1e-3}) {
    for (int round = 0; round < 20'000; ++round) {
      const Shape sa = Draw(random, 0.2f, 1.5f), sb = Draw(random, 0.2f, 1.5f);
      const Placed a(sa, {}, random.Rotation());
      const float angle = random.Between(-3.0f, 3.0f);
      const Vec3 side = a.rotation * Vec3{std::cos(angle), 0.0f, std::sin(angle)};
      const float along = random.Between(-0.6f, 0.6f) * (sa.half_height + sb.half_height);
      const double apart = double{sa.radius} + double{sb.radius} + gap;
      const Vec3 at = ToFloat(ToDouble(side) * apart + ToDouble(a.rotation.y) * double{along});
      Placed b = a;
      b.shape = &sb;
      b.position = at;
      CAPTURE(gap, round);
      const auto closest = FindClosestPoints(a, b, 1.0f);
      REQUIRE(closest);
      REQUIRE(std::abs(double{closest->distance} - gap) < 3e-6);
      REQUIRE(Dot(closest->normal, side) > 0.98f);
      Manifold manifold;
      Collide(a, b, 0.02f, manifold);
      REQUIRE(!manifold.empty());
      for (const ContactPoint& point : manifold.points()) REQUIRE(Dot(point.normal, side) > 0.98f);
    }
  }
}

// Of parts of the size, by rounding of the axes to floats.
constexpr double kRounding = 2e-6;

TEST_CASE("the depth of cylinders and capsules with parallel axes has its closed form") {
  Random random(83);
  for (int round = 0; round < 40'000; ++round) {
    const Shape a = Draw(random, 0.1f, 2.0f);
    const Shape b = round % 2 == 0
                        ? Draw(random, 0.1f, 2.0f)
                        : Shape::Capsule(random.Between(0.1f, 2.0f), random.Between(0.1f, 1.0f));
    // The capsule's core is a segment.
    const float ring = b.kind == ShapeKind::kCylinder ? b.radius : 0.0f;
    const float radius = a.radius + ring, height = a.half_height + b.half_height;
    // Many are nearly around the same line.
    const float least = round % 3 == 0 ? 0.001f : 1.0f;
    const float beside = radius * least * random.Between(0.0f, 0.99f);
    const float along = height * random.Between(-0.99f, 0.99f), angle = random.Between(-3.0f, 3.0f);
    const Placed placed(a, {}, random.Rotation());
    Placed other = placed;
    other.shape = &b;
    other.position =
        placed.rotation * Vec3{beside * std::cos(angle), along, beside * std::sin(angle)};
    const CoreDistance of = DistanceOf(Core(placed, {}), Core(other, {}));
    const double rounded = b.kind == ShapeKind::kCapsule ? double{b.radius} : 0.0;
    const double to_the_side = double{radius} - double{beside};
    const double to_the_end = double{height} - std::abs(double{along});
    const double size = std::hypot(double{radius}, double{height}) + rounded;
    CAPTURE(round);
    REQUIRE(-of.distance ==
            Approx(std::min(to_the_side, to_the_end) + rounded).margin(kRounding * size));
  }
}

// Likewise: how much shorter than the depth a way beside it may be.
constexpr double kShorter = 5e-6;

TEST_CASE("no way out of a cylinder beside the one that is found is shorter") {
  Random random(84);
  for (int round = 0; round < 10'000; ++round) {
    const Shape a = Draw(random, 0.02f, 1.0f), b = Draw(random, 0.02f, 1.0f);
    // Of every other pair the axes are nearly parallel.
    const Quat turn = random.Rotation();
    const Quat other = round % 2 == 0
                           ? random.Rotation()
                           : turn * FromAxisAngle(random.Direction(), random.Between(0.0f, 0.1f));
    const float size = RadiiOf(a).outer + RadiiOf(b).outer;
    const Core core(Placed(a, {}, turn), {});
    const Core around(Placed(b, random.Direction() * (0.2f * size * random.Between(0, 1)), other),
                      {});
    const CoreDistance of = DistanceOf(core, around);
    if (of.distance > 0.0) continue;
    CAPTURE(round);
    for (const double far : {1e-3, 1e-2, 1e-1}) {
      for (int i = 0; i < 16; ++i) {
        const Double3 beside = of.normal + ToDouble(random.Direction()) * far;
        const Double3 normal = beside * (1.0 / Length(beside));
        const double depth = Dot(normal, core.Support(normal) - around.Support(-normal));
        REQUIRE(depth > -of.distance - kShorter * double{size});
      }
    }
  }
}

}  // namespace
}  // namespace nowait
