// Queries of compounds, against the same queries of their children one by one.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/compound_shape.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "src/collision/time_of_impact.h"
#include "tests/collision/compounds.h"
#include "tests/whole/single_steps.h"

namespace nowait {
namespace {

using test::Compounds;

struct Target {
  Shape shape;
  Vec3 position;
  Quat rotation;
};

Target Draw(Compounds& compounds, Random& random) {
  return {compounds.Draw(random, 1 + random.Below(30)), random.InBox({-1, -1, -1}, {1, 1, 1}),
          random.Rotation()};
}

TEST_CASE("a ray meets the child that it meets first, near and from far away") {
  constexpr std::uint64_t kSeed = 81;
  CAPTURE(kSeed);
  Random random(kSeed);
  Compounds compounds;
  int hits = 0, inside = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const Target target = Draw(compounds, random);
    const float far = round % 10 == 0 ? 3e7f : 6.0f;
    const Vec3 from =
        round % 5 == 1 ? random.InBox({-1, -1, -1}, {1, 1, 1}) : random.Direction() * far;
    const RayCast ray{from, (random.InBox({-2, -2, -2}, {2, 2, 2}) - from) * 1.5f};
    const auto found = CastAgainstShape(ray, 1.0f, target.shape, target.position, target.rotation);
    std::optional<ShapeHit> first;
    bool is_inside = false;
    std::vector<float> of_child(target.shape.compound->children().size(), 2.0f);
    VisitParts(target.shape, target.position, target.rotation,
               [&, i = std::size_t{0}](const Shape& part, Vec3 at, Quat turn) mutable {
                 const auto hit = CastAgainstShape(ray, 1.0f, part, at, turn);
                 const auto& child = target.shape.compound->children()[i++];
                 if (hit) of_child[child.number] = hit->fraction;
                 if (hit && (!first || hit->fraction < first->fraction)) first = hit;
                 is_inside = is_inside || IsInside(from, part, at, turn);
               });
    CHECK(IsInside(from, target.shape, target.position, target.rotation) == is_inside);
    REQUIRE(found.has_value() == first.has_value());
    if (!found) continue;
    ++hits;
    if (is_inside) ++inside;
    const float rounding = far > 1e3f ? 1e-6f : 2e-5f;
    CHECK(found->fraction == Approx(first->fraction).margin(rounding));
    REQUIRE(found->child < of_child.size());
    CHECK(of_child[found->child] == Approx(first->fraction).margin(rounding));
  }
  CHECK(hits > 500);
  CHECK(inside > 30);
}

TEST_CASE("closest points and casts are those of the child that is closest or met first") {
  constexpr std::uint64_t kSeed = 82;
  CAPTURE(kSeed);
  Random random(kSeed);
  Compounds compounds;
  int apart = 0, overlapping = 0, met = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const Target target = Draw(compounds, random);
    const Placed placed(target.shape, target.position, target.rotation);
    const Shape shape =
        compounds.shapes().Draw(test::kConvex[random.Below(test::kConvex.size())], random, 0.4f);
    const Placed from(shape, random.InBox({-3, -3, -3}, {3, 3, 3}), random.Rotation());
    const float most = round % 3 == 0 ? 0.5f : 10.0f;
    const auto closest = FindClosestPoints(from, placed, most);
    const Vec3 way = random.InBox({-6, -6, -6}, {6, 6, 6});
    const auto cast = CastShapeAgainst(from, way, 1.0f, placed);
    std::optional<ClosestPoints> least;
    std::optional<CastContact> first;
    for (const CompoundShape::Child& child : target.shape.compound->children()) {
      const Placed of_child = PlacedChild(placed, child);
      const auto points = FindClosestPoints(from, of_child, most);
      if (points && (!least || points->distance < least->distance)) {
        least = points;
        least->child = child.number;
      }
      const auto hit = CastShapeAgainst(from, way, 1.0f, of_child);
      if (hit && (!first || hit->fraction < first->fraction)) first = hit;
    }
    REQUIRE(closest.has_value() == least.has_value());
    if (closest) {
      CHECK(closest->distance == least->distance);
      CHECK(closest->child == least->child);
      CHECK(closest->on_b == least->on_b);
      ++(closest->distance < 0.0f ? overlapping : apart);
    }
    REQUIRE(cast.has_value() == first.has_value());
    if (cast) {
      CHECK(cast->fraction == first->fraction);
      if (cast->fraction > 0.0f) ++met;
    }
  }
  CHECK(apart > 300);
  CHECK(overlapping > 80);
  CHECK(met > 100);
}

// The centre of a child whose way ends behind a wall has been stopped in front of it; one whose way
// leads nowhere near the wall has not been stopped.
TEST_CASE("no child of a compound passes a thin wall, however the compound turns") {
  constexpr std::uint64_t kSeed = 83;
  CAPTURE(kSeed);
  Random random(kSeed);
  Compounds compounds;
  const Shape wall = Shape::Box({0.01f, 60, 60});
  const Mover still{&wall, RadiiOf(wall), Sweep::AtRest({0, 0, 0}, {})};
  int stopped = 0, passed_by = 0;
  for (int round = 0; round < 800; ++round) {
    CAPTURE(round);
    const Shape shape = compounds.Draw(random, 1 + random.Below(6));
    const float outer = RadiiOf(shape).outer;
    const Vec3 start{outer + random.Between(0.02f, 1.0f), 0, 0};
    const Vec3 way = random.InBox({-12, -3, -3}, {1, 3, 3});
    const Sweep sweep{start, start + way, random.Rotation(), random.Rotation()};
    const auto stop = TimeOfImpact({&shape, RadiiOf(shape), sweep}, still, 1.0f);
    const float until = stop ? stop->fraction : 1.0f;
    bool is_near = false;
    for (int i = 0; i <= 400; ++i) {
      const float fraction = static_cast<float>(i) / 400.0f;
      for (const CompoundShape::Child& child : shape.compound->children()) {
        const Mover mover{&child.shape, child.radii, sweep, child.position, child.rotation};
        const float x = mover.CentreAt(fraction).x;
        if (fraction <= until) REQUIRE(x > 0.0f);
        if (x < child.radii.outer + 0.1f) is_near = true;
      }
    }
    if (stop) {
      CHECK(is_near);
      ++stopped;
    } else {
      ++passed_by;
    }
  }
  CHECK(stopped > 300);
  CHECK(passed_by > 50);
}

// A child looks at the ground that it may come to, and not at all that lies under the compound.
TEST_CASE("a wide compound on its way to the ground costs little more than its children alone") {
  const std::vector<float> level(24 * 24, 0.0f);
  const auto field = std::move(*HeightField::Create({24, 24, 1.0f, level}));
  const Shape ground = Shape::Ground(field.get());
  const Mover still{&ground, {}, Sweep::AtRest({-11.3f, 0, -11.3f}, {})};
  const Shape ball = Shape::Sphere(0.1f);
  std::vector<CompoundChild> children;
  for (const float x : {-8.0f, -4.0f, 4.0f, 8.0f}) {
    for (const float z : {-8.0f, 8.0f}) children.push_back({.shape = ball, .position = {x, 0, z}});
  }
  const auto compound = test::CompoundOf(children);
  const Shape shape = Shape::Compound(compound.get());
  const auto stop_of = [&](const Shape& moving, Vec3 at) {
    return TimeOfImpact(
        {&moving, RadiiOf(moving), {at + Vec3{0, 2, 0}, at - Vec3{0, 2, 0}, {}, {}}}, still, 1.0f);
  };
  std::optional<ImpactStop> stop;
  const auto of_whole = whole::CountInstructions([&] { stop = stop_of(shape, {}); });
  std::uint64_t of_children = 0;
  for (const CompoundShape::Child& child : compound->children()) {
    std::optional<ImpactStop> alone;
    of_children += whole::CountInstructions([&] { alone = stop_of(ball, child.position); }).all;
    REQUIRE(alone);
    REQUIRE(stop);
    CHECK(alone->fraction == Approx(stop->fraction).margin(1e-3));
  }
  INFO(of_whole.all << " and " << of_children << " instructions");
  CHECK(of_whole.all <= 4 * of_children);
  CHECK((of_whole.all > 100) == whole::kCountsInstructions);
}

TEST_CASE(
    "a compound of one child in its middle is stopped like the child alone, and as a target") {
  constexpr std::uint64_t kSeed = 84;
  CAPTURE(kSeed);
  Random random(kSeed);
  test::Shapes shapes;
  int stopped = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Shape alone = shapes.Draw(test::kConvex[random.Below(3)], random, 0.5f);
    const auto compound = test::CompoundOf(std::array{CompoundChild{.shape = alone}});
    const Shape shape = Shape::Compound(compound.get());
    const Shape other = shapes.Draw(test::kConvex[random.Below(5)], random);
    const Vec3 start = random.Direction() * 4.0f;
    const Sweep sweep{start, start * -1.0f, random.Rotation(), random.Rotation()};
    const Mover target{&other, RadiiOf(other),
                       Sweep::AtRest(random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation())};
    const auto of_child = TimeOfImpact({&alone, RadiiOf(alone), sweep}, target, 1.0f);
    const auto of_compound = TimeOfImpact({&shape, RadiiOf(shape), sweep}, target, 1.0f);
    REQUIRE(of_child.has_value() == of_compound.has_value());
    if (!of_child) continue;
    ++stopped;
    CHECK(of_compound->fraction == Approx(of_child->fraction).margin(1e-4));
    const auto towards = TimeOfImpact(target, {&alone, RadiiOf(alone), sweep}, 1.0f);
    const auto onto = TimeOfImpact(target, {&shape, RadiiOf(shape), sweep}, 1.0f);
    REQUIRE(towards.has_value() == onto.has_value());
    if (onto) CHECK(onto->fraction == Approx(towards->fraction).margin(1e-4));
  }
  CHECK(stopped > 100);
}

}  // namespace
}  // namespace nowait
