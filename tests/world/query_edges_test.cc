// Queries at their limits: distances that are just reached, boxes that just touch, results that
// replace what was there.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

// Two balls whose boxes end at x = -2 and begin at x = 3; the origin lies between them.
struct Two {
  Two() : left(Add(*world, SphereAt(1, {-3, 0, 0}))), right(Add(*world, SphereAt(1, {4, 0, 0}))) {}
  std::unique_ptr<World> world = MakeWorld();
  BodyId left, right;
  WaitTime wait;
};

TEST_CASE("a body exactly at the distance is near enough, and one float farther it is not") {
  Two two;
  const WorldView view = two.world->Read();
  const auto found = view.FindNearest({}, 2.0f, {}, two.wait);
  REQUIRE(found);
  CHECK(found->body == two.left);
  CHECK(found->distance == 2.0f);
  CHECK_FALSE(view.FindNearest({}, std::nextafter(2.0f, 0.0f), {}, two.wait));
  CHECK_FALSE(view.FindNearest({}, -1.0f, {}, two.wait));
  CHECK(view.FindNearest({-3, 0, 0}, 0.0f, {}, two.wait)->distance == 0.0f);
  std::vector<NearSnapshot> near;
  view.CollectNearest({}, 3.0f, 5, {}, near, two.wait);
  REQUIRE(near.size() == 2);
  CHECK(near[0].body.id == two.left);
  CHECK(near[0].distance == 2.0f);
  CHECK(near[1].body.id == two.right);
  CHECK(near[1].distance == 3.0f);
  view.CollectNearest({}, std::nextafter(3.0f, 0.0f), 5, {}, near, two.wait);
  CHECK(near.size() == 1);
}

TEST_CASE("the nearest bodies replace what was there, also if no body is near") {
  Two two;
  const WorldView view = two.world->Read();
  std::vector<NearSnapshot> near(7);
  view.CollectNearest({}, 100, 1, {}, near, two.wait);
  REQUIRE(near.size() == 1);
  CHECK(near[0].body.id == two.left);
  view.CollectNearest({}, 100, 0, {}, near, two.wait);
  CHECK(near.empty());
  std::vector<NearSnapshot> none;
  view.CollectNearest({}, 100, 0, {}, none, two.wait);
  CHECK(none.empty());
  near.resize(7);
  view.CollectNearest({}, 1, 5, {}, near, two.wait);
  CHECK(near.empty());
}

TEST_CASE("the distance to a body is to its box, on each axis, and not to the tree's wider one") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId id = Add(*world, BoxAt({1, 2, 3}, {10, 20, 30}));
  const WorldView view = world->Read();
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      Vec3 point{10, 20, 30};
      point.Set(axis, point[axis] + sign * (static_cast<float>(axis + 1) + 4));
      CAPTURE(axis, sign);
      const auto found = view.FindNearest(point, 100, {}, wait);
      REQUIRE(found);
      CHECK(found->body == id);
      CHECK(found->distance == Approx(4.0f));
    }
  }
}

TEST_CASE("a box finds bodies to the margin of 0.1 m around theirs, of static ones to none") {
  for (const BodyType type : {BodyType::kDynamic, BodyType::kStatic}) {
    auto world = MakeWorld();
    WaitTime wait;
    BodyDef def = SphereAt(1, {5, 5, 5});
    def.type = type;
    const BodyId id = Add(*world, def);
    const WorldView view = world->Read();
    const float margin = type == BodyType::kDynamic ? 0.1f : 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      for (const float sign : {-1.0f, 1.0f}) {
        for (const float off : {-0.01f, 0.01f}) {
          CAPTURE(axis, sign, margin, off);
          Vec3 at{5, 5, 5};
          at.Set(axis, 5 + sign * (1 + margin + off));
          std::vector<BodyId> found{BodyId(), BodyId()};
          view.FindInBox(ToBounds(at, at), {}, found, wait);
          CHECK(found == (off < 0 ? std::vector{id} : std::vector<BodyId>()));
          std::vector<BodySnapshot> copies(3);
          view.Collect(ToBounds(at, at), {}, copies, wait);
          CHECK(copies.size() == found.size());
        }
      }
    }
  }
}

TEST_CASE("a moved body is found where it is and no longer where it was, before any update") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId id = Add(*world, SphereAt(1, {}));
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 there;
    there.Set(axis, 50);
    REQUIRE(world->MoveBody(id, there, {}, wait));
    const WorldView view = world->Read();
    std::vector<BodyId> found;
    const Vec3 half{0.5f, 0.5f, 0.5f};
    view.FindInBox(ToBounds(there - half, there + half), {}, found, wait);
    CHECK(found == std::vector{id});
    view.FindInBox(ToBounds(-half, half), {}, found, wait);
    CHECK(found.empty());
    view.FindInBox(ToBounds(there * 0.5f - half, there * 0.5f + half), {}, found, wait);
    CHECK(found.empty());
  }
}

TEST_CASE("a ray's hit has the fraction of its translation, the place and the normal there") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId id = Add(*world, SphereAt(2, {10, 20, 30}));
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      Vec3 side;
      side.Set(axis, sign);
      const RayCast ray{Vec3{10, 20, 30} + side * 6.0f, side * -16.0f};
      const auto hit = world->CastRay(ray, {}, wait);
      CAPTURE(axis, sign);
      REQUIRE(hit);
      CHECK(hit->body == id);
      CHECK(hit->fraction == Approx(0.25f));
      CHECK(Length(hit->point - (Vec3{10, 20, 30} + side * 2.0f)) < 1e-4f);
      CHECK(Length(hit->normal - side) < 1e-4f);
      const auto same = world->Read().CastRay(ray, {}, wait);
      REQUIRE(same);
      CHECK(same->fraction == hit->fraction);
      // Just long enough, and just too short.
      CHECK(world->CastRay({ray.origin, side * -4.001f}, {}, wait));
      CHECK_FALSE(world->CastRay({ray.origin, side * -3.999f}, {}, wait));
    }
  }
}

TEST_CASE("rays that miss clear what was there before, each in its own place") {
  Two two;
  const std::array rays = {RayCast{{0, 0, 0}, {9, 0, 0}}, RayCast{{0, 9, 0}, {9, 0, 0}},
                           RayCast{{0, 0, 0}, {-9, 0, 0}}};
  std::array<std::optional<RayHit>, 3> hits;
  hits.fill(RayHit{two.left, 0.5f, {}, {}});
  two.world->Read().CastRays(rays, {}, hits, two.wait);
  REQUIRE(hits[0]);
  CHECK(hits[0]->body == two.right);
  CHECK_FALSE(hits[1]);
  REQUIRE(hits[2]);
  CHECK(hits[2]->body == two.left);
}

TEST_CASE("a ray as an area collects all bodies on its way, not the first one alone") {
  Two two;
  std::vector<BodySnapshot> found;
  two.world->Read().Collect(RayCast{{-20, 0, 0}, {40, 0, 0}}, {}, found, two.wait);
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == two.left);
  CHECK(found[1].id == two.right);
  two.world->Read().Collect(RayCast{{-20, 0, 0}, {17, 0, 0}}, {}, found, two.wait);
  CHECK(found.size() == 1);
}

TEST_CASE("a turned box collects along its own axes, a swept one along its way to its end") {
  Two two;
  const WorldView view = two.world->Read();
  std::vector<BodySnapshot> found;
  // Long along its own x, which lies along the world's z, or along the world's x.
  const Vec3 half{10, 0.1f, 0.1f};
  view.Collect(OrientedBox{{}, half, {}}, {}, found, two.wait);
  CHECK(found.size() == 2);
  view.Collect(OrientedBox{{}, half, FromAxisAngle({0, 1, 0}, 1.57079633f)}, {}, found, two.wait);
  CHECK(found.empty());
  const Vec3 small{0.1f, 0.1f, 0.1f};
  view.Collect(SweptBox{{}, small, {2.7f, 0, 0}}, {}, found, two.wait);
  CHECK(found.empty());
  view.Collect(SweptBox{{}, small, {2.9f, 0, 0}}, {}, found, two.wait);
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == two.right);
  view.Collect(SweptBox{{}, small, {0, 5, 0}}, {}, found, two.wait);
  CHECK(found.empty());
}

TEST_CASE("a view that is moved goes on, also into one that there was") {
  Two two;
  WorldView view = two.world->Read();
  WorldView moved(std::move(view));
  CHECK(moved.FindNearest({}, 9, {}, two.wait)->body == two.left);
  WorldView other = two.world->Read();
  other = std::move(moved);
  CHECK(other.FindNearest({}, 9, {}, two.wait)->body == two.left);
}

TEST_CASE("a filter by default lets all pass, and ignores no body") {
  const QueryFilter filter;
  CHECK(filter.statics);
  CHECK(filter.dynamics);
  CHECK_FALSE(filter.ignore.valid());
  CHECK(filter.layers == LayerSet::All());
  CHECK_FALSE(filter.accept);
}

}  // namespace
}  // namespace nowait
