// GJK, EPA, closest points and shape casts of each pair of kinds: against closed forms, against
// directions and places that are sampled, and in the cases that are hard for them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/core_distance.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "src/math/random.h"
#include "tests/collision/convex_shapes.h"

namespace nowait {
namespace {

constexpr float kFar = 1e6f;

using test::Gap;
using test::kConvex;
using test::OutsideOf;
using test::Reach;
using test::Shapes;

ClosestPoints Closest(const Placed& a, const Placed& b) { return *FindClosestPoints(a, b, kFar); }

TEST_CASE("of each pair, no direction separates more than the normal, whose gap is the distance") {
  Random random(51);
  Shapes shapes;
  int apart = 0, shallow = 0, deep = 0;
  for (const ShapeKind of_a : kConvex) {
    for (const ShapeKind of_b : kConvex) {
      for (int round = 0; round < 250; ++round) {
        const Shape sa = shapes.Draw(of_a, random), sb = shapes.Draw(of_b, random);
        const float spread = round % 2 == 0 ? 2.5f : 0.7f;
        const Placed a(sa, random.InBox({-1, -1, -1}, {1, 1, 1}) * spread, random.Rotation());
        const Placed b(sb, random.InBox({-1, -1, -1}, {1, 1, 1}) * spread, random.Rotation());
        const ClosestPoints points = Closest(a, b);
        CAPTURE(static_cast<int>(of_a), static_cast<int>(of_b), round, points.distance);
        CHECK(Length(points.normal) == Approx(1.0f).epsilon(1e-5));
        CHECK(Gap(a, b, points.normal) == Approx(points.distance).margin(2e-5));
        // Around the normal and everywhere.
        for (int i = 0; i < 60; ++i) {
          const Vec3 n = i < 30 ? random.Direction()
                                : NormaliseOr(points.normal + random.Direction() * 0.05f, {});
          CHECK(Gap(a, b, n) <= points.distance + 2e-5);
        }
        CHECK(std::abs(OutsideOf(a, points.on_a)) < 2e-5f);
        CHECK(std::abs(OutsideOf(b, points.on_b)) < 2e-5f);
        CHECK(Length((points.on_b - points.on_a) - points.normal * points.distance) < 3e-5f);
        (points.distance > 0 ? apart : points.distance > -0.2f ? shallow : deep) += 1;
      }
    }
  }
  CHECK(apart > 200);
  CHECK(shallow > 100);
  CHECK(deep > 500);
}

// Of round cores GJK and EPA get simplices so thin that rounding decides on which side of them the
// origin is: a few in ten thousand of these pairs, before both knew of it.
TEST_CASE("of round shapes that nearly touch, the normal's gap is the distance") {
  Random random(60);
  Shapes shapes;
  for (int round = 0; round < 40'000; ++round) {
    const Shape sa = shapes.Draw(ShapeKind::kCylinder, random);
    const Shape sb = shapes.Draw(round % 2 == 0 ? ShapeKind::kCylinder : ShapeKind::kBox, random);
    const Placed a(sa, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Placed b(sb, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Core core(a, {});
    Core moved(b, {});
    for (int step = 0; step < 3; ++step) {
      const CoreDistance of = DistanceOf(core, moved);
      const double gap = -Dot(of.normal, SupportOfDifference(core, moved, of.normal).ab);
      CAPTURE(round, step, gap, of.distance);
      REQUIRE(std::abs(gap - of.distance) < 3e-5);
      const double next = random.Between(-0.02f, 0.02f);
      moved = moved.Moved(of.normal * (next - of.distance));
    }
  }
}

TEST_CASE("the distance is symmetric, and the same after any rigid motion of both") {
  Random random(52);
  Shapes shapes;
  for (int round = 0; round < 400; ++round) {
    const Shape sa = shapes.Draw(kConvex[random.Below(kConvex.size())], random);
    const Shape sb = shapes.Draw(kConvex[random.Below(kConvex.size())], random);
    const Vec3 pa = random.InBox({-1, -1, -1}, {1, 1, 1}),
               pb = random.InBox({-1, -1, -1}, {1, 1, 1});
    const Quat ra = random.Rotation(), rb = random.Rotation();
    const ClosestPoints forth = Closest({sa, pa, ra}, {sb, pb, rb});
    const ClosestPoints back = Closest({sb, pb, rb}, {sa, pa, ra});
    const Quat turn = random.Rotation();
    const Vec3 by = random.InBox({-5, -5, -5}, {5, 5, 5});
    const ClosestPoints moved = Closest({sa, by + Rotate(turn, pa), Normalise(turn * ra)},
                                        {sb, by + Rotate(turn, pb), Normalise(turn * rb)});
    CAPTURE(round, forth.distance);
    CHECK(back.distance == Approx(forth.distance).margin(1e-5));
    CHECK(moved.distance == Approx(forth.distance).margin(1e-5));
  }
}

TEST_CASE("shapes of sizes one to ten thousand, flat, thin, and touching, are told apart exactly") {
  Random random(53);
  Shapes shapes;
  for (int round = 0; round < 600; ++round) {
    // A side of the large box, met by a small shape from a known height.
    const Vec3 half = Vec3{100.0f, round % 3 == 0 ? 0.001f : 100.0f, 100.0f};
    const Shape large = Shape::Box(half);
    const Shape small = shapes.Draw(kConvex[random.Below(kConvex.size())], random, 0.01f);
    const Quat turn = random.Rotation();
    const float gaps[] = {0.0f, 1e-4f, -1e-4f, 0.01f, -0.001f};
    const float gap = gaps[round % 5];
    const Placed at_origin(small, {}, turn);
    const auto low = static_cast<float>(Reach(at_origin, {0, -1, 0}));
    const Vec3 place{random.Between(-99, 99), half.y + low + gap, random.Between(-99, 99)};
    const ClosestPoints points = Closest({large, {}, {}}, {small, place, turn});
    CAPTURE(round, gap, place.x, place.z);
    // The rounding of a place at 100 metres.
    CHECK(points.distance == Approx(gap).margin(1.6e-5));
    if (gap != 0.0f) CHECK(points.normal.y == Approx(1.0f).margin(1e-3));
  }
}

TEST_CASE("cores that lie in a plane, in a line or in a point have depth zero and a way out") {
  const Shape ball = Shape::Sphere(1.0f), capsule = Shape::Capsule(1.0f, 0.25f);
  const Quat lying = FromAxisAngle({0, 0, 1}, 1.57079633f);
  const auto check = [](const Placed& a, const Placed& b, float distance) {
    const ClosestPoints points = Closest(a, b);
    CHECK(points.distance == Approx(distance).margin(1e-5));
    CHECK(Length(points.normal) == Approx(1.0f).epsilon(1e-5));
    CHECK(Gap(a, b, points.normal) == Approx(distance).margin(1e-5));
  };
  check({ball, {1, 2, 3}, {}}, {ball, {1, 2, 3}, {}}, -2.0f);
  check({capsule, {}, {}}, {ball, {0, 0.5f, 0}, {}}, -1.25f);
  check({capsule, {}, {}}, {capsule, {}, lying}, -0.5f);
  check({capsule, {}, {}}, {capsule, {0, 0.5f, 0}, {}}, -0.5f);
}

// On and near the axis of a cylinder all ways to its side are equally long.
TEST_CASE("a ball is as deep in a cylinder as its centre, to the nearer of side and end") {
  Random random(61);
  for (int round = 0; round < 4000; ++round) {
    const float radius = random.Between(0.05f, 0.9f), half_height = random.Between(0.3f, 1.0f);
    const Shape cylinder = Shape::Cylinder(half_height, radius), ball = Shape::Sphere(0.1f);
    const Placed in(cylinder, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const float beside = round % 4 == 0 ? 0.0f : random.Between(0.0f, 0.99f) * radius;
    const float along = random.Between(-0.99f, 0.99f) * half_height;
    const Vec3 local = Vec3{std::sin(0.1f * static_cast<float>(round)), 0.0f,
                            std::cos(0.1f * static_cast<float>(round))} *
                       beside;
    const Placed of(ball, in.ToWorld(local + Vec3{0, along, 0}), random.Rotation());
    const float depth = 0.1f + std::min(radius - beside, half_height - std::abs(along));
    const bool is_end = half_height - std::abs(along) < radius - beside - 1e-5f;
    const ClosestPoints forth = Closest(of, in), back = Closest(in, of);
    CAPTURE(round, radius, half_height, beside, along);
    REQUIRE(forth.distance == Approx(-depth).margin(1e-6));
    REQUIRE(back.distance == Approx(-depth).margin(1e-6));
    REQUIRE(Length(forth.normal + back.normal) < 1e-5f);
    if (is_end) REQUIRE(std::abs(Dot(forth.normal, in.rotation.y)) > 0.9999f);
    // Moved out along the normal it only touches.
    Placed moved = in;
    moved.position = in.position + forth.normal * depth;
    REQUIRE(Closest(of, moved).distance == Approx(0.0f).margin(2e-6));
    REQUIRE(Length(forth.on_a - forth.on_b) == Approx(depth).margin(2e-6));
  }
}

TEST_CASE("GJK and SAT agree on which boxes overlap, faces and edges in one plane included") {
  Random random(54);
  const Shape box = Shape::Box({1, 1, 1});
  int touching = 0;
  for (int round = 0; round < 2000; ++round) {
    // On a lattice, so that faces, edges and corners coincide.
    const Vec3 place{0.5f * static_cast<float>(random.Below(6)),
                     0.5f * static_cast<float>(random.Below(6)),
                     0.5f * static_cast<float>(random.Below(6))};
    const Quat turn = random.Below(2) == 0 ? Quat{} : Quat{0, 0.70710678f, 0, 0.70710678f};
    const float largest = std::max({place.x, place.y, place.z});
    const ClosestPoints points = Closest({box, {}, {}}, {box, place, turn});
    CAPTURE(place.x, place.y, place.z);
    CHECK(std::abs(OutsideOf(Placed(box, {}, {}), points.on_a)) < 1e-5f);
    CHECK(std::abs(OutsideOf(Placed(box, place, turn), points.on_b)) < 1e-5f);
    if (largest <= 2.0f) {
      CHECK(points.distance == Approx(largest - 2.0f).margin(1e-5));
      touching += largest == 2.0f ? 1 : 0;
    } else {
      const Vec3 beyond = Max(place - Vec3{2, 2, 2}, {});
      CHECK(points.distance == Approx(Length(beyond)).margin(1e-5));
    }
  }
  CHECK(touching > 200);
}

TEST_CASE("parallel boxes in each other have their deepest points on faces of both") {
  Random random(59);
  Shapes shapes;
  for (int round = 0; round < 500; ++round) {
    const Shape sa = shapes.Draw(ShapeKind::kBox, random),
                sb = shapes.Draw(ShapeKind::kBox, random);
    const Quat turn = round % 2 == 0 ? Quat{} : random.Rotation();
    const Placed a(sa, {}, turn);
    const Placed b(sb, Rotate(turn, random.InBox({-0.3f, -0.3f, -0.3f}, {0.3f, 0.3f, 0.3f})), turn);
    const ClosestPoints points = Closest(a, b);
    CAPTURE(round, points.distance);
    CHECK(points.distance < 0.0f);
    CHECK(std::abs(OutsideOf(a, points.on_a)) < 2e-5f);
    CHECK(std::abs(OutsideOf(b, points.on_b)) < 2e-5f);
  }
}

TEST_CASE("of each pair, a cast ends where the shapes first touch") {
  Random random(55);
  Shapes shapes;
  int hits = 0, misses = 0, begun = 0;
  for (const ShapeKind of_a : kConvex) {
    for (const ShapeKind of_b : kConvex) {
      for (int round = 0; round < 150; ++round) {
        const Shape sa = shapes.Draw(of_a, random), sb = shapes.Draw(of_b, random);
        const Placed a(sa, random.InBox({-4, -4, -4}, {4, 4, 4}), random.Rotation());
        const Placed b(sb, {}, random.Rotation());
        const Vec3 way = random.InBox({-2, -2, -2}, {2, 2, 2}) - a.position;
        const auto at = [&](float fraction) {
          Placed moved = a;
          moved.position = a.position + way * fraction;
          return moved;
        };
        const auto hit = CastShapeAgainst(a, way, 1.0f, b);
        CAPTURE(static_cast<int>(of_a), static_cast<int>(of_b), round);
        const float end = hit ? hit->fraction : 1.0f;
        for (int i = 0; i <= 20; ++i) {
          const float t = end * static_cast<float>(i) / 20.0f;
          if (hit && hit->fraction == 0.0f) break;
          CHECK(Closest(at(t), b).distance > -2e-5f);
        }
        if (!hit) {
          ++misses;
          continue;
        }
        CHECK(std::abs(OutsideOf(b, hit->point)) < 5e-5f);
        CHECK(Length(hit->normal) == Approx(1.0f).epsilon(1e-5));
        if (hit->fraction == 0.0f) {
          ++begun;
          CHECK(Closest(a, b).distance <= kCastPrecision);
          continue;
        }
        ++hits;
        CHECK(Closest(at(hit->fraction), b).distance == Approx(0.0f).margin(4e-5));
        CHECK(Dot(hit->normal, way) < 0.0f);
        CHECK_FALSE(CastShapeAgainst(a, way, 0.999f * hit->fraction, b));
        // Of spheres, a ray with both radii.
        if (of_a == ShapeKind::kSphere && of_b == ShapeKind::kSphere) {
          const auto ray = CastAgainstShape({a.position, way}, 1.0f,
                                            Shape::Sphere(sa.radius + sb.radius), {}, {});
          REQUIRE(ray);
          CHECK(ray->fraction == Approx(hit->fraction).margin(1e-5));
        }
      }
    }
  }
  CHECK(hits > 400);
  CHECK(misses > 200);
  CHECK(begun > 10);
}

TEST_CASE("a cast that grazes ends, and one that touches and leaves or goes along misses") {
  const Shape ball = Shape::Sphere(0.5f), box = Shape::Box({1, 1, 1});
  const Placed target(box, {}, {});
  const auto cast = [&](Vec3 from, Vec3 way) {
    return CastShapeAgainst({ball, from, {}}, way, 1.0f, target);
  };
  CHECK_FALSE(cast({-5, 1.501f, 0}, {10, 0, 0}));
  const auto grazing = cast({-5, 1.499f, 0}, {10, 0, 0});
  REQUIRE(grazing);
  CHECK(grazing->normal.y > 0.9f);
  CHECK_FALSE(cast({0, 1.50001f, 0}, {0, 1, 0}));
  CHECK_FALSE(cast({0, 1.50001f, 0}, {0, 0, 0}));
  REQUIRE(cast({0, 1.4f, 0}, {0, 1, 0}));
  CHECK(cast({0, 1.4f, 0}, {0, 1, 0})->fraction == 0.0f);
  CHECK(cast({0, 1.4f, 0}, {0, 1, 0})->normal.y == Approx(1.0f));
  const auto head_on = cast({0, 1000, 0}, {0, -1000, 0});
  REQUIRE(head_on);
  CHECK(head_on->fraction == Approx(0.9985f).margin(1e-6));
  CHECK(head_on->point.y == Approx(1.0f).margin(1e-4));
}

struct Hills {
  Hills() {
    Random random(56);
    std::vector<float> heights;
    for (int i = 0; i < 30 * 30; ++i) heights.push_back(random.Between(-0.5f, 0.5f));
    field = std::move(*HeightField::Create({30, 30, 0.7f, heights}));
    ground = Shape::Ground(field.get());
  }
  std::unique_ptr<const HeightField> field;
  Shape ground;
};

TEST_CASE("the distance to the ground is that of the nearest of all triangles") {
  const Hills hills;
  Random random(57);
  Shapes shapes;
  int inside = 0, over = 0, far = 0;
  for (int round = 0; round < 150; ++round) {
    const Shape shape = shapes.Draw(kConvex[random.Below(kConvex.size())], random);
    const Vec3 corner{3, -1, 2};
    const Placed a(shape, corner + random.InBox({-3, 0.3f, -3}, {23, 4, 23}), random.Rotation());
    const Placed ground(hills.ground, corner, {});
    const float limit = round % 4 == 0 ? 0.5f : 100.0f;
    const auto points = FindClosestPoints(a, ground, limit);
    double truth = 1e30;
    for (std::uint32_t k = 0; k < 29; ++k) {
      for (std::uint32_t i = 0; i < 29; ++i) {
        for (std::uint32_t which = 0; which < 2; ++which) {
          const Core triangle =
              Core::OfTriangle(hills.field->TriangleAt(i, k, which).vertices, corner, a.position);
          truth = std::min(truth, DistanceOf(Core(a, a.position), triangle).distance);
        }
      }
    }
    CAPTURE(round, truth);
    if (truth < 0) {
      ++inside;
      REQUIRE(points);
      CHECK(points->distance <= 0.0f);
    } else if (truth > limit) {
      ++far;
      CHECK_FALSE(points);
    } else {
      ++over;
      REQUIRE(points);
      CHECK(points->distance == Approx(truth).margin(1e-4));
      CHECK(std::abs(OutsideOf(a, points->on_a)) < 1e-4f);
    }
  }
  CHECK(inside > 10);
  CHECK(over > 50);
  CHECK(far > 5);
}

TEST_CASE("a cast onto the ground ends where the shape first touches it") {
  const Hills hills;
  const Placed ground(hills.ground, {-10, 0, -10}, {});
  Random random(58);
  Shapes shapes;
  int hits = 0;
  for (int round = 0; round < 150; ++round) {
    const Shape shape = shapes.Draw(kConvex[random.Below(kConvex.size())], random, 0.5f);
    const Placed a(shape, random.InBox({-9, 1.5f, -9}, {9, 5, 9}), random.Rotation());
    const Vec3 way = random.InBox({-5, -9, -5}, {5, -1, 5});
    const auto hit = CastShapeAgainst(a, way, 1.0f, ground);
    const auto distance_at = [&](float fraction) {
      Placed moved = a;
      moved.position = a.position + way * fraction;
      return FindClosestPoints(moved, ground, 1e3f)->distance;
    };
    CAPTURE(round);
    const float end = hit ? hit->fraction : 1.0f;
    for (int i = 0; i < 10; ++i) CHECK(distance_at(end * static_cast<float>(i) / 10) > -1e-4f);
    if (!hit) continue;
    ++hits;
    CHECK(std::abs(distance_at(end)) < 1e-3f);
    CHECK(hit->normal.y > 0.0f);
    CHECK_FALSE(CastShapeAgainst(a, way, 0.999f * end, ground));
  }
  CHECK(hits > 80);
  // From below it goes out through the backs of the triangles; from inside it has met it.
  const Shape ball = Shape::Sphere(0.2f);
  const auto sunk = CastShapeAgainst({ball, {0, -3, 0}, {}}, {0, 6, 0}, 1.0f, ground);
  REQUIRE(sunk);
  CHECK(sunk->fraction == 0.0f);
}

}  // namespace
}  // namespace nowait
