// Shape casts and closest bodies of a world, compared with all bodies one by one.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/shape_cast.h"
#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

// A hilly scene with every kind of shape in it, after they have fallen.
struct Fallen {
  explicit Fallen(std::uint64_t seed)
      : scene(MakeHillScene(150, seed, {}, Falling::kAllKinds)), pool(0), random(seed) {
    REQUIRE(Run(*scene.world, pool, 80));
    scene.world->Snapshot(bodies);
  }
  PlacedShape Anything() {
    const Shape shape = FallingShape(Falling::kAllKinds, random);
    return {shape, random.InBox({5, 0, 5}, {35, 12, 35}), random.Rotation()};
  }

  HillScene scene;
  PoolHere pool;
  Random random;
  std::vector<BodySnapshot> bodies;  // by ascending slot
};

Placed Of(const PlacedShape& s) { return {s.shape, s.position, s.rotation}; }
Placed Of(const BodySnapshot& b) { return {b.shape, b.position, b.rotation}; }

TEST_CASE("a cast through the world hits the body that the search through all bodies hits first") {
  Fallen fallen(71);
  const WorldView view = fallen.scene.world->Read();
  WaitTime wait;
  int hits = 0, on_bodies = 0;
  for (int round = 0; round < 150; ++round) {
    const PlacedShape shape = fallen.Anything();
    const Vec3 way = fallen.random.InBox({-12, -12, -12}, {12, 4, 12});
    const QueryFilter filter{.statics = round % 3 != 0, .ignore = {}};
    const auto found = view.CastShape(shape, way, filter, wait);
    REQUIRE(found);
    std::optional<RayHit> best;
    for (const BodySnapshot& body : fallen.bodies) {
      if (body.type == BodyType::kStatic && !filter.statics) continue;
      const auto hit = CastShapeAgainst(Of(shape), way, 1.0f, Of(body));
      if (hit && (!best || hit->fraction < best->fraction)) {
        best = RayHit{body.id, hit->fraction, hit->point, hit->normal};
      }
    }
    CAPTURE(round);
    REQUIRE(found->has_value() == best.has_value());
    if (!best) continue;
    ++hits;
    on_bodies += best->body == fallen.bodies[0].id ? 0 : 1;
    CHECK((*found)->fraction == Approx(best->fraction).margin(1e-5));
    // Bodies that are as far as rounding tells may stand for each other.
    if ((*found)->body == best->body) CHECK(Length((*found)->normal - best->normal) < 1e-2f);
  }
  CHECK(hits > 80);
  CHECK(on_bodies > 30);
}

TEST_CASE("the closest body is the one that the search through all bodies finds") {
  Fallen fallen(72);
  const WorldView view = fallen.scene.world->Read();
  WaitTime wait;
  int found_some = 0, overlaps = 0, none = 0;
  for (int round = 0; round < 150; ++round) {
    const PlacedShape shape = fallen.Anything();
    const float distance = round % 2 == 0 ? 0.5f : 50.0f;
    const QueryFilter filter{.statics = round % 3 == 0, .ignore = {}};
    const auto found = view.FindClosest(shape, distance, filter, wait);
    REQUIRE(found);
    std::optional<ClosestPoints> best;
    for (const BodySnapshot& body : fallen.bodies) {
      if (body.type == BodyType::kStatic && !filter.statics) continue;
      const auto points = FindClosestPoints(Of(shape), Of(body), distance);
      if (points && (!best || points->distance < best->distance)) best = points;
    }
    CAPTURE(round);
    REQUIRE(found->has_value() == best.has_value());
    none += best ? 0 : 1;
    if (!best) continue;
    ++found_some;
    overlaps += best->distance < 0.0f ? 1 : 0;
    CHECK((*found)->distance == Approx(best->distance).margin(1e-6));
    CHECK(Length(((*found)->on_body - (*found)->on_shape) - (*found)->normal * (*found)->distance) <
          1e-4f);
  }
  CHECK(found_some > 80);
  CHECK(overlaps > 5);
  CHECK(none > 10);
}

TEST_CASE("of bodies at the same place, a cast and a search name the one with the lowest id") {
  const auto world = MakeWorld();
  std::vector<BodyId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(Add(*world, SphereAt(1.0f, {0, 0, 0})));
  WaitTime wait;
  const WorldView view = world->Read();
  const PlacedShape ball{Shape::Sphere(0.5f), {0, 5, 0}, {}};
  CHECK((*view.CastShape(ball, {0, -9, 0}, {}, wait))->body == ids[0]);
  CHECK((*view.FindClosest(ball, 9, {}, wait))->body == ids[0]);
  CHECK((*view.FindClosest(ball, 9, {}, wait))->distance == Approx(3.5f));
  CHECK_FALSE(*view.FindClosest(ball, 3.4f, {}, wait));
  CHECK((*view.CastShape(ball, {0, -9, 0}, {.ignore = ids[0]}, wait))->body == ids[1]);
}

TEST_CASE("a query that makes no sense is refused, with the name of what is wrong") {
  const auto world = MakeWorld();
  const HillScene hills = MakeHillScene(1, 1);
  const WorldView view = world->Read();
  WaitTime wait;
  const float nan = std::nanf("");
  const PlacedShape good{Shape::Sphere(0.5f), {}, {}};
  const auto both_refuse = [&](const PlacedShape& shape, std::string_view subject) {
    CAPTURE(subject);
    CHECK(view.CastShape(shape, {1, 0, 0}, {}, wait).error().subject == subject);
    CHECK(view.FindClosest(shape, 1, {}, wait).error().subject == subject);
  };
  both_refuse({Shape::Sphere(nan), {}, {}}, "radius");
  both_refuse({Shape::Capsule(0, 1), {}, {}}, "half height");
  both_refuse({Shape::Box({1, nan, 1}), {}, {}}, "half extents");
  both_refuse({Shape::Ground(hills.field.get()), {}, {}}, "shape kind");
  both_refuse({Shape::Sphere(1), {0, nan, 0}, {}}, "position");
  both_refuse({Shape::Sphere(1), {}, {0, 0, 0, 2}}, "rotation");
  for (const float wrong : {nan, 2e7f, INFINITY}) {
    CHECK(view.CastShape(good, {0, wrong, 0}, {}, wait).error().subject ==
          std::string_view("translation"));
    CHECK(view.FindClosest(good, wrong, {}, wait).error().subject == std::string_view("distance"));
  }
  CHECK(view.FindClosest(good, -1, {}, wait).error().subject == std::string_view("distance"));
  CHECK(view.FindClosest(good, 0, {}, wait));  // whether a place is free
}

}  // namespace
}  // namespace nowait
