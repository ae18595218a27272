// Collecting queries, the nearest body, ray batches, and views for when nothing changes: compared
// with a search through all bodies.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr int kBodies = 300;
constexpr float kWorld = 30.0f;

// Spheres of many sizes, a third of them static. A sphere's box is exact, whatever its rotation.
struct Spheres {
  explicit Spheres(std::uint64_t seed) : world(MakeWorld()), random(seed) {
    for (int i = 0; i < kBodies; ++i) {
      BodyDef def = SphereAt(random.Between(0.1f, 2.0f), Somewhere());
      def.user = static_cast<std::uint64_t>(i);
      if (i % 3 == 0) def.type = BodyType::kStatic;
      ids.push_back(Add(*world, def));
      defs.push_back(def);
    }
  }
  Vec3 Somewhere() { return random.InBox({-kWorld, -kWorld, -kWorld}, {kWorld, kWorld, kWorld}); }
  Bounds<3> BoxOf(std::size_t i) const {
    const float radius = defs[i].shape.radius;
    const Vec3 half{radius, radius, radius};
    return ToBounds(defs[i].position - half, defs[i].position + half);
  }

  std::unique_ptr<World> world;
  Random random;
  std::vector<BodyDef> defs;
  std::vector<BodyId> ids;
};

float DistanceTo(const Bounds<3>& box, Vec3 point) {
  return Length(Max(MinOf(box), Min(point, MaxOf(box))) - point);
}

std::vector<BodyId> IdsOf(const std::vector<BodySnapshot>& bodies) {
  std::vector<BodyId> ids;
  for (const BodySnapshot& body : bodies) ids.push_back(body.id);
  return ids;
}

TEST_CASE("a view that is held over many updates is reported, until it is let go") {
  const auto world = MakeWorld();
  Add(*world, SphereAt(0.5f, {0, 0, 0}));
  PoolHere pool(0);
  REQUIRE(Run(*world, pool, 5));
  REQUIRE(world->stats().waiting_nodes == 0);
  REQUIRE(world->stats().steps_held == 0);
  {
    const WorldView held = world->Read();
    REQUIRE(Run(*world, pool, 10));
    REQUIRE(world->stats().waiting_nodes > 0);
    REQUIRE(world->stats().steps_held >= 8);
  }
  REQUIRE(Run(*world, pool, 5));
  REQUIRE(world->stats().waiting_nodes == 0);
  REQUIRE(world->stats().steps_held == 0);
}

TEST_CASE(
    "a held view is reported alike after an update of several steps and after several of one") {
  const auto report = [](int updates, std::uint32_t steps) {
    Spheres spheres(33);
    PoolHere pool(0);
    const WorldView view = spheres.world->Read();
    for (int i = 0; i < updates; ++i) {
      REQUIRE(spheres.world->Update(static_cast<float>(steps) / 60.0f, pool, steps));
    }
    const UpdateStats& stats = spheres.world->stats();
    CHECK(stats.steps_held > 3);
    return std::pair(stats.steps_held, stats.waiting_nodes);
  };
  CHECK(report(2, 4) == report(8, 1));
}

TEST_CASE("collected bodies are those that touch, copied whole, in order") {
  Spheres spheres(31);
  const WorldView view = spheres.world->Read();
  WaitTime wait;
  std::vector<BodySnapshot> found;
  std::size_t total = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 centre = spheres.Somewhere();
    const float radius = spheres.random.Between(0, 8);
    view.Collect(Ball{centre, radius}, {}, found, wait);
    total += found.size();
    const std::vector<BodyId> ids = IdsOf(found);
    REQUIRE(std::is_sorted(ids.begin(), ids.end()));
    REQUIRE(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
    for (std::size_t k = 0; k < spheres.ids.size(); ++k) {
      const float distance = DistanceTo(spheres.BoxOf(k), centre);
      const auto at = std::find(ids.begin(), ids.end(), spheres.ids[k]);
      // The tree's boxes have a margin of at most 0.1 m on each side.
      if (distance < radius - 1e-3f) REQUIRE(at != ids.end());
      if (distance > radius + 0.2f) REQUIRE(at == ids.end());
      if (at == ids.end()) continue;
      const BodySnapshot& body = found[static_cast<std::size_t>(at - ids.begin())];
      REQUIRE(body.user == k);
      REQUIRE(body.shape == spheres.defs[k].shape);
      REQUIRE(Length(body.position - spheres.defs[k].position) == 0.0f);
      REQUIRE(body.type == spheres.defs[k].type);
    }
  }
  CHECK(total > 200);
  CHECK(wait.acquisitions >= total);
}

TEST_CASE("the kinds of areas agree where they mean the same") {
  Spheres spheres(32);
  const WorldView view = spheres.world->Read();
  WaitTime wait;
  std::vector<BodySnapshot> by_box, by_oriented, by_swept;
  std::vector<BodyId> ids;
  std::size_t total = 0;
  for (int i = 0; i < 200; ++i) {
    // Corners on no body's side, so that rounding decides nothing.
    const Vec3 centre = spheres.Somewhere();
    const Vec3 half = spheres.random.InBox({0.5f, 0.5f, 0.5f}, {6, 6, 6});
    const Bounds<3> box = ToBounds(centre - half, centre + half);
    view.Collect(box, {}, by_box, wait);
    view.FindInBox(box, {}, ids, wait);
    CHECK(IdsOf(by_box) == ids);
    view.Collect(OrientedBox{centre, half, {}}, {}, by_oriented, wait);
    CHECK(IdsOf(by_oriented) == ids);
    view.Collect(SweptBox{centre, half, {}}, {}, by_swept, wait);
    CHECK(IdsOf(by_swept) == ids);
    // The way there and back finds at least what is at its ends.
    view.Collect(SweptBox{centre, half, spheres.Somewhere() - centre}, {}, by_swept, wait);
    const std::vector<BodyId> on_the_way = IdsOf(by_swept);
    CHECK(std::includes(on_the_way.begin(), on_the_way.end(), ids.begin(), ids.end()));
    total += ids.size();
  }
  CHECK(total > 100);
}

TEST_CASE("filters hold for collected bodies, and bodies that are gone are not collected") {
  Spheres spheres(33);
  const WorldView view = spheres.world->Read();
  const Ball all{{}, 4 * kWorld};
  WaitTime wait;
  std::vector<BodySnapshot> found;
  view.Collect(all, {}, found, wait);
  CHECK(found.size() == kBodies);
  view.Collect(all, {.dynamics = false, .ignore = {}}, found, wait);
  CHECK(found.size() == kBodies / 3);
  view.Collect(all, {.statics = false, .ignore = spheres.ids[1]}, found, wait);
  CHECK(found.size() == kBodies - kBodies / 3 - 1);
  for (int i = 0; i < 10; ++i) REQUIRE(spheres.world->DestroyBody(spheres.ids[i], wait));
  view.Collect(all, {}, found, wait);
  CHECK(found.size() == kBodies - 10);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  view.Collect(Ball{{0, nan, 0}, 1.0f}, {}, found, wait);
  CHECK(found.empty());
  view.Collect(ToBounds({1, 1, 1}, {-1, -1, -1}), {}, found, wait);
  CHECK(found.empty());
}

TEST_CASE("the nearest body is the one that a search finds") {
  Spheres spheres(34);
  const WorldView view = spheres.world->Read();
  WaitTime wait;
  int nobody = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 point = spheres.Somewhere();
    const float limit = i % 3 == 0 ? 2.0f : 1000.0f;
    std::optional<NearBody> expected;
    for (std::size_t k = 0; k < spheres.ids.size(); ++k) {
      const float distance = DistanceTo(spheres.BoxOf(k), point);
      if (distance > limit || (expected && distance > expected->distance)) continue;
      if (!expected || distance < expected->distance || spheres.ids[k] < expected->body) {
        expected = NearBody{spheres.ids[k], distance};
      }
    }
    const std::optional<NearBody> found = view.FindNearest(point, limit, {}, wait);
    REQUIRE(found.has_value() == expected.has_value());
    nobody += expected ? 0 : 1;
    if (!found) continue;
    REQUIRE(std::abs(found->distance - expected->distance) < 1e-4f);
    if (expected->distance > 0) REQUIRE(found->body == expected->body);
  }
  CHECK(nobody > 0);
}

TEST_CASE("of bodies that are equally near those with lower ids are found, however the trees lie") {
  const auto world = MakeWorld();
  Random random(36);
  // Around each place six balls whose boxes are as far from it, to the last bit; or contain it.
  const float offset = GENERATE(3.0f, 0.5f);
  const auto place_of = [](std::size_t i) {
    return Vec3{static_cast<float>(20 * (i % 5)), 0, static_cast<float>(20 * (i / 5))};
  };
  std::vector<BodyDef> defs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < 25 * 6; ++i) {
    Vec3 to;
    to.Set(static_cast<int>(i % 3), i % 2 == 0 ? offset : -offset);
    defs.push_back(SphereAt(1.0f, place_of(i / 6) + to));
    if (random.Below(3) == 0) defs.back().type = BodyType::kStatic;
    places.push_back(i / 6);
  }
  std::vector<std::vector<BodyId>> at(25);  // ascending
  while (!defs.empty()) {
    const std::size_t next = random.Below(static_cast<std::uint32_t>(defs.size()));
    at[places[next]].push_back(Add(*world, defs[next]));
    std::swap(defs[next], defs.back());
    std::swap(places[next], places.back());
    defs.pop_back();
    places.pop_back();
  }
  const WorldView view = world->Read();
  WaitTime wait;
  for (std::size_t i = 0; i < at.size(); ++i) {
    CAPTURE(offset, i);
    const auto found = view.FindNearest(place_of(i), 5.0f, {}, wait);
    REQUIRE(found);
    CHECK(found->body == at[i][0]);
    for (std::size_t count = 1; count <= 6; ++count) {
      std::vector<NearSnapshot> near;
      view.CollectNearest(place_of(i), 5.0f, count, {}, near, wait);
      std::vector<BodyId> ids;
      for (const NearSnapshot& one : near) ids.push_back(one.body.id);
      CHECK(ids == std::vector<BodyId>(at[i].begin(), at[i].begin() + static_cast<int>(count)));
    }
  }
}

TEST_CASE("a collection stops when it has as many as were asked for") {
  Spheres spheres(37);
  const WorldView view = spheres.world->Read();
  WaitTime wait;
  std::vector<BodySnapshot> all, some;
  for (int i = 0; i < 20; ++i) {
    const Ball area{spheres.Somewhere(), 15.0f};
    view.Collect(area, {}, all, wait);
    for (std::size_t limit = 0; limit <= all.size() + 1; ++limit) {
      CAPTURE(i, limit);
      view.Collect(area, {}, some, wait, limit);
      REQUIRE(some.size() == std::min(limit, all.size()));
    }
  }
}

TEST_CASE("a batch of rays hits what its rays hit one by one") {
  Spheres spheres(35);
  const WorldView view = spheres.world->Read();
  WaitTime wait;
  std::vector<RayCast> rays;
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = spheres.Somewhere();
    rays.push_back({from, spheres.Somewhere() - from});
  }
  std::vector<std::optional<RayHit>> hits(rays.size());
  view.CastRays(rays, {}, hits, wait);
  int hit = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const std::optional<RayHit> alone = spheres.world->CastRay(rays[i], {}, wait);
    REQUIRE(alone.has_value() == hits[i].has_value());
    if (!alone) continue;
    ++hit;
    REQUIRE(alone->body == hits[i]->body);
    REQUIRE(alone->fraction == hits[i]->fraction);
  }
  CHECK(hit > 20);
}

TEST_CASE("a view for when nothing changes finds the same and takes no lock") {
  Spheres spheres(36);
  WaitTime with, without;
  std::vector<BodySnapshot> found, same;
  {
    const WorldView view = spheres.world->Read();
    const WorldView still = spheres.world->ReadNoLock();
    for (int i = 0; i < 100; ++i) {
      const Ball ball{spheres.Somewhere(), 6.0f};
      view.Collect(ball, {}, found, with);
      still.Collect(ball, {}, same, without);
      REQUIRE(IdsOf(found) == IdsOf(same));
      const RayCast ray{spheres.Somewhere(), spheres.Somewhere()};
      const auto hit = view.CastRay(ray, {}, with);
      const auto same_hit = still.CastRay(ray, {}, without);
      REQUIRE(hit.has_value() == same_hit.has_value());
      if (hit) REQUIRE(hit->body == same_hit->body);
    }
  }
  CHECK(with.acquisitions > 0);
  CHECK(without.acquisitions == 0);
  // With the view gone, the world may change again.
  CHECK(spheres.world->DestroyBody(spheres.ids[0], with));
}

}  // namespace
}  // namespace nowait
