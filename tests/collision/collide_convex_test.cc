// Contacts of any two convex shapes: against their distance, which convex_test.cc checks against
// sampled directions, against those of boxes, and in the poses that bodies rest in.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "src/collision/clipped_face.h"
#include "src/collision/collide.h"
#include "src/collision/core_distance.h"
#include "src/collision/supporting_face.h"
#include "tests/collision/convex_shapes.h"

namespace nowait {
namespace {

using test::CornersOfBox;
using test::HullOf;
using test::kConvex;
using test::OutsideOf;
using test::Reach;
using test::Shapes;

constexpr float kMargin = 0.02f;
constexpr float kPreference = 0.003f;  // a face may separate less than the axis by so much
const Quat kLying = FromAxisAngle({0, 0, 1}, 1.57079633f);

Manifold Contacts(const Placed& a, const Placed& b, float margin = kMargin) {
  Manifold manifold;
  Collide(a, b, margin, manifold);
  return manifold;
}

float Least(const Manifold& manifold) {
  float least = 1e30f;
  for (const ContactPoint& point : manifold.points()) least = std::min(least, point.separation);
  return least;
}

float DistanceBetween(const Placed& a, const Placed& b) {
  return static_cast<float>(DistanceOf(Core(a, a.position), Core(b, a.position)).distance);
}

void CheckPoints(const Placed& a, const Placed& b, const Manifold& manifold) {
  std::set<std::uint32_t> features;
  CHECK(manifold.count() <= 4);
  for (const ContactPoint& point : manifold.points()) {
    features.insert(point.feature);
    CHECK(Length(point.normal) == Approx(1.0f).epsilon(1e-4));
    CHECK(point.separation <= kMargin);
    // Midway between two surfaces. One is a plane of a face, which the point may be beside by the
    // width of the other shape's face, so only the way along the normal is bounded.
    const Vec3 half = point.normal * (0.5f * point.separation);
    const float on_a = OutsideOf(a, point.position - half);
    const float on_b = OutsideOf(b, point.position + half);
    CHECK(std::min(std::abs(on_a), std::abs(on_b)) < 2e-3f);
    CHECK(on_a < kMargin + 2e-3f);
    CHECK(on_b < kMargin + 2e-3f);
  }
  CHECK(features.size() == manifold.count());
}

TEST_CASE("of each pair, contacts are where the shapes are near, and as deep as they are") {
  Random random(91);
  Shapes shapes;
  int near = 0, deep = 0, many = 0;
  for (const ShapeKind of_a : kConvex) {
    for (const ShapeKind of_b : kConvex) {
      if (of_a != ShapeKind::kHull && of_b != ShapeKind::kHull && of_a != ShapeKind::kCylinder &&
          of_b != ShapeKind::kCylinder) {
        continue;
      }
      for (int round = 0; round < 300; ++round) {
        const Shape sa = shapes.Draw(of_a, random), sb = shapes.Draw(of_b, random);
        const Placed a(sa, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
        Placed b(sb, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
        if (round % 2 == 0) {  // to where they touch, or nearly
          const CoreDistance of = DistanceOf(Core(a, {}), Core(b, {}));
          const float by = random.Between(-0.02f, 0.02f) - static_cast<float>(of.distance);
          b.position += ToFloat(of.normal) * by;
        }
        const float distance = DistanceBetween(a, b);
        const Manifold manifold = Contacts(a, b);
        CAPTURE(static_cast<int>(of_a), static_cast<int>(of_b), round, distance);
        if (distance > kMargin) {
          CHECK(manifold.empty());
          continue;
        }
        if (distance > kMargin - kPreference - 1e-4f) continue;
        REQUIRE(!manifold.empty());
        near += distance > 0.0f ? 1 : 0;
        deep += distance < 0.0f ? 1 : 0;
        many += manifold.count() > 1 ? 1 : 0;
        CHECK(std::abs(Least(manifold) - distance) < kPreference + 1e-4f);
        CheckPoints(a, b, manifold);
        // No normal separates more than the distance says; each nearly as much.
        for (const ContactPoint& point : manifold.points()) {
          const auto gap = static_cast<float>(test::Gap(a, b, point.normal));
          CHECK(gap > distance - kPreference - 1e-4f);
        }
      }
    }
  }
  CHECK(near > 300);
  CHECK(deep > 1000);
  CHECK(many > 200);
}

TEST_CASE("the shapes may change places, and move together") {
  Random random(92);
  Shapes shapes;
  constexpr std::array kNew = {ShapeKind::kCylinder, ShapeKind::kHull};
  for (int round = 0; round < 600; ++round) {
    const Shape sa = shapes.Draw(kNew[random.Below(2)], random);
    const Shape sb = shapes.Draw(kConvex[random.Below(kConvex.size())], random);
    const Vec3 pa = random.InBox({-0.7f, -0.7f, -0.7f}, {0.7f, 0.7f, 0.7f});
    const Quat ra = random.Rotation(), rb = random.Rotation();
    const Placed a(sa, pa, ra), b(sb, {}, rb);
    const Manifold forth = Contacts(a, b), back = Contacts(b, a);
    CAPTURE(round);
    REQUIRE(forth.empty() == back.empty());
    if (forth.empty()) continue;
    CHECK(std::abs(Least(forth) - Least(back)) < 2.0f * kPreference);
    const Quat turn = random.Rotation();
    const Vec3 by = random.InBox({-5, -5, -5}, {5, 5, 5});
    const Manifold moved =
        Contacts({sa, by + Rotate(turn, pa), Normalise(turn * ra)}, {sb, by, Normalise(turn * rb)});
    REQUIRE(!moved.empty());
    CHECK(std::abs(Least(forth) - Least(moved)) < 2.0f * kPreference);
    // Between equal axes rounding decides; elsewhere the normal turns with the shapes.
    const auto other = DistanceOf(Core(a, {}), Core(b, {}));
    const Vec3 turned = Rotate(turn, ToFloat(other.normal));
    const auto again = DistanceOf(Core({sa, by + Rotate(turn, pa), Normalise(turn * ra)}, by),
                                  Core({sb, by, Normalise(turn * rb)}, by));
    CHECK(again.distance == Approx(other.distance).margin(1e-4));
    if (other.distance > -0.05) CHECK(Dot(turned, ToFloat(again.normal)) > 0.99f);
  }
}

TEST_CASE("hulls of boxes have the contacts of boxes") {
  Random random(93);
  Shapes shapes;
  int compared = 0, same_count = 0;
  for (int round = 0; round < 1500; ++round) {
    const Shape box_a = shapes.Draw(ShapeKind::kBox, random);
    const Shape box_b = shapes.Draw(ShapeKind::kBox, random);
    const Shape hull_a = shapes.BoxAsHull(box_a.half), hull_b = shapes.BoxAsHull(box_b.half);
    // Half of them stand on each other, a little tilted.
    const bool stands = round % 2 == 0;
    const float tilt = round % 4 == 0 ? 0.0f : 0.01f;
    const Quat turn = stands ? Normalise(FromAxisAngle({0, 1, 0}, random.Between(0, 6)) *
                                         FromAxisAngle(random.Direction(), tilt))
                             : random.Rotation();
    const Vec3 place = stands ? Vec3{random.Between(-0.2f, 0.2f),
                                     box_a.half.y + box_b.half.y + random.Between(-0.01f, 0.005f),
                                     random.Between(-0.2f, 0.2f)}
                              : random.InBox({-1, -1, -1}, {1, 1, 1});
    const Placed a(box_a, {}, {}), b(box_b, place, turn);
    const Placed ha(hull_a, {}, {}), hb(hull_b, place, turn);
    const Manifold boxes = Contacts(a, b);
    for (const Manifold& hulls : {Contacts(ha, hb), Contacts(ha, b), Contacts(a, hb)}) {
      CAPTURE(round, stands, boxes.count());
      if (boxes.empty() || hulls.empty()) {
        const Manifold& other = boxes.empty() ? hulls : boxes;
        CHECK((other.empty() || Least(other) > kMargin - 2.0f * kPreference));
        continue;
      }
      ++compared;
      CHECK(std::abs(Least(boxes) - Least(hulls)) < 2.0f * kPreference);
      if (!stands || tilt > 0.0f) continue;
      // The same face of the same box: the same points, in some order.
      REQUIRE(hulls.count() == boxes.count());
      ++same_count;
      for (const ContactPoint& point : boxes.points()) {
        CHECK(std::ranges::any_of(hulls.points(), [&](const ContactPoint& other) {
          return Length(other.position - point.position) < 1e-4f &&
                 Length(other.normal - point.normal) < 1e-4f &&
                 std::abs(other.separation - point.separation) < 1e-4f;
        }));
      }
    }
  }
  CHECK(compared > 2000);
  CHECK(same_count > 500);
}

TEST_CASE("a hull that lies on a face has four corners of it, which stay the same as it rocks") {
  Shapes shapes;
  const Shape ground = Shape::Box({5, 1, 5}), hull = shapes.BoxAsHull({0.5f, 0.5f, 0.5f});
  std::set<std::uint32_t> before;
  for (int step = 0; step < 40; ++step) {
    const float angle = 0.002f * std::sin(static_cast<float>(step));
    const Placed top(hull, {0.3f, 1.498f, 0}, FromAxisAngle({0.8f, 0, 0.6f}, angle));
    const Manifold manifold = Contacts({ground, {}, {}}, top);
    REQUIRE(manifold.count() == 4);
    std::set<std::uint32_t> features;
    for (const ContactPoint& point : manifold.points()) {
      features.insert(point.feature);
      CHECK(point.normal == Vec3{0, 1, 0});
      CHECK(std::abs(point.position.x - 0.3f) == Approx(0.5f).margin(0.002));
      CHECK(std::abs(point.position.z) == Approx(0.5f).margin(0.002));
    }
    if (step > 0) CHECK(features == before);
    before = features;
  }
}

TEST_CASE("edges and corners that coincide, and faces in one plane") {
  Shapes shapes;
  const Shape cube = shapes.BoxAsHull({1, 1, 1});
  const Placed a(cube, {}, {});
  // The whole face, half of it, an edge of it, a corner.
  for (const Vec3 place : {Vec3{0, 2, 0}, Vec3{1, 2, 0}, Vec3{1, 2, 1}}) {
    const Manifold manifold = Contacts(a, {cube, place, {}});
    REQUIRE(manifold.count() == 4);
    for (const ContactPoint& point : manifold.points()) {
      CHECK(point.separation == Approx(0.0f).margin(1e-5));
      CHECK(point.normal.y == Approx(1.0f));
    }
  }
  for (const Vec3 place : {Vec3{2, 2, 0}, Vec3{2, 2, 2}, Vec3{2, 2, 1}}) {
    const Manifold manifold = Contacts(a, {cube, place, {}});
    CHECK(!manifold.empty());
    CHECK(Least(manifold) == Approx(0.0f).margin(1e-4));
  }
  // A corner on an edge.
  const Quat up =
      Normalise(FromAxisAngle({1, 0, 0}, 0.95531662f) * FromAxisAngle({0, 0, 1}, 0.78539816f));
  const float low = static_cast<float>(Reach(Placed(cube, {}, up), {0, -1, 0}));
  const Manifold corner = Contacts(a, {cube, {1, 1 + low - 0.001f, 0}, up});
  REQUIRE(corner.count() == 1);
  CHECK(Least(corner) == Approx(-0.001f).margin(5e-4));
  // Two edges that cross.
  const Quat ridge = FromAxisAngle({0, 0, 1}, 0.78539816f),
             other = FromAxisAngle({1, 0, 0}, 0.78539816f);
  const Manifold cross =
      Contacts({cube, {}, ridge}, {cube, {0, 2 * 1.41421356f - 0.01f, 0}, other});
  REQUIRE(cross.count() == 1);
  CHECK(cross.points()[0].normal.y == Approx(1.0f).margin(1e-4));
  CHECK(Length(cross.points()[0].position - Vec3{0, 1.41421356f - 0.005f, 0}) < 1e-3f);
}

TEST_CASE("a cylinder stands on four points, lies on two, and leans on one") {
  Shapes shapes;
  const Shape cylinder = Shape::Cylinder(0.5f, 0.3f);
  const Shape grounds[] = {Shape::Box({5, 1, 5}), shapes.BoxAsHull({5, 1, 5}),
                           Shape::Cylinder(1.0f, 4.0f)};
  for (const Shape& shape : grounds) {
    const Placed ground(shape, {}, {});
    const Manifold standing = Contacts(ground, {cylinder, {0.1f, 1.499f, 0.2f}, {}});
    REQUIRE(standing.count() == 4);
    for (const ContactPoint& point : standing.points()) {
      CHECK(point.normal.y == Approx(1.0f));
      CHECK(point.separation == Approx(-0.001f).margin(1e-5));
      CHECK(Length(point.position - Vec3{0.1f, 0.9995f, 0.2f}) == Approx(0.3f).margin(1e-4));
    }
    const Manifold lying = Contacts(ground, {cylinder, {0, 1.299f, 0}, kLying});
    REQUIRE(lying.count() == 2);
    for (const ContactPoint& point : lying.points()) {
      CHECK(point.normal.y == Approx(1.0f));
      CHECK(point.separation == Approx(-0.001f).margin(1e-4));
      CHECK(std::abs(point.position.x) == Approx(0.5f).margin(1e-3));
    }
    const Quat leaning = FromAxisAngle({0, 0, 1}, 0.5f);
    const Placed at_origin(cylinder, {}, leaning);
    const auto low = static_cast<float>(Reach(at_origin, {0, -1, 0}));
    const Manifold rim = Contacts(ground, {cylinder, {0, 1 + low - 0.001f, 0}, leaning}, 0.002f);
    REQUIRE(rim.count() == 1);
    CHECK(Least(rim) == Approx(-0.001f).margin(1e-4));
  }
}

TEST_CASE("the sides of two logs touch along a line when they are parallel, at a point elsewhere") {
  const Shape log = Shape::Cylinder(1.0f, 0.25f), rod = Shape::Capsule(1.0f, 0.25f);
  for (const Shape& other : {log, rod}) {
    const Placed below(log, {}, kLying);
    const Manifold parallel = Contacts(below, {other, {0.5f, 0.499f, 0}, kLying});
    REQUIRE(parallel.count() == 2);
    CHECK(Least(parallel) == Approx(-0.001f).margin(1e-4));
    for (const ContactPoint& point : parallel.points()) {
      CHECK(point.normal.y == Approx(1.0f).margin(1e-3));
      CHECK((point.position.x == Approx(-0.5f).margin(1e-3) ||
             point.position.x == Approx(1.0f).margin(1e-3)));
    }
    const Quat across = FromAxisAngle({1, 0, 0}, 1.57079633f);
    const Manifold crossing = Contacts(below, {other, {0.5f, 0.499f, 0}, across});
    REQUIRE(crossing.count() == 1);
    CHECK(Least(crossing) == Approx(-0.001f).margin(1e-4));
    CHECK(crossing.points()[0].position.x == Approx(0.5f).margin(1e-3));
  }
}

TEST_CASE("a supporting face is a face of the shape, counter-clockwise from outside") {
  Random random(94);
  Shapes shapes;
  for (int round = 0; round < 500; ++round) {
    const ShapeKind kind = kConvex[random.Below(kConvex.size())];
    const Shape shape = shapes.Draw(kind, random);
    const Vec3 origin = random.InBox({-3, -3, -3}, {3, 3, 3});
    const Placed placed(shape, random.InBox({-3, -3, -3}, {3, 3, 3}), random.Rotation());
    const Vec3 direction = random.Direction();
    const SupportingFace face = SupportingFaceOf(placed, origin, direction);
    CAPTURE(round, static_cast<int>(kind));
    REQUIRE(face.count >= 1);
    CHECK(face.number < 512);
    for (std::uint32_t i = 0; i < face.count; ++i) {
      CHECK(std::abs(OutsideOf(placed, origin + face.corners[i]) +
                     shape.radius * (kind == ShapeKind::kCapsule || kind == ShapeKind::kSphere
                                         ? 1.0f
                                         : 0.0f)) < 1e-4f);
      if (!face.is_flat()) continue;
      const Vec3 a = face.corners[i], b = face.corners[(i + 1) % face.count];
      const Vec3 c = face.corners[(i + 2) % face.count];
      CHECK(Dot(face.normal, Cross(b - a, c - b)) > -1e-5f);
      CHECK(Dot(face.normal, a) ==
            Approx(Reach(placed, face.normal) - Dot(origin, face.normal)).margin(1e-4));
    }
    if (face.is_flat()) CHECK(Dot(face.normal, direction) > 0.1f);
  }
}

TEST_CASE("a face is clipped to what lies below all planes, and each corner has its own feature") {
  Random random(95);
  Shapes shapes;
  for (int round = 0; round < 500; ++round) {
    const Shape shape =
        shapes.Draw(round % 2 == 0 ? ShapeKind::kCylinder : ShapeKind::kHull, random);
    const Placed placed(shape, {}, random.Rotation());
    const SupportingFace face = SupportingFaceOf(placed, {}, random.Direction());
    const std::uint32_t planes = 3;
    ClippedFace clipped(face, planes);
    std::array<Vec3, 3> normals;
    std::array<float, 3> offsets;
    for (std::uint32_t i = 0; i < planes; ++i) {
      normals[i] = random.Direction();
      offsets[i] = random.Between(-0.1f, 0.4f);
      clipped.Clip(normals[i], offsets[i], i);
    }
    std::set<std::uint32_t> features;
    CAPTURE(round, face.count);
    for (std::uint32_t i = 0; i < clipped.count(); ++i) {
      features.insert(clipped[i].feature);
      CHECK(clipped[i].feature < 61);
      for (std::uint32_t k = 0; k < planes; ++k) {
        CHECK(Dot(normals[k], clipped[i].position) <= offsets[k] + 1e-5f);
      }
    }
    CHECK(features.size() == clipped.count());
    // Corners of the face that lie below all planes stay.
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < face.count; ++i) {
      bool below = true;
      for (std::uint32_t k = 0; k < planes; ++k) {
        below = below && Dot(normals[k], face.corners[i]) <= offsets[k];
      }
      kept += below ? 1 : 0;
      CHECK(below == features.contains(i));
    }
    CHECK(clipped.count() >= kept);
  }
}

}  // namespace
}  // namespace nowait
