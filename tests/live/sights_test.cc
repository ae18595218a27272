// The bodies that cameras see in a world, beside the plain geometry of bodies and planes.
#include "src/live/sights.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBodies = 2'000;
constexpr float kHalf = 0.5f;
constexpr float kRound = 0.87f;  // the radius round a body
constexpr float kMargin = 0.5f;  // more than a box is wider than its body in the tree

struct Scene {
  explicit Scene(std::uint64_t seed, std::uint32_t workers)
      : pool(*TaskPool::Create({.workers = workers})), here(*pool->Register("main")) {
    WorldDef def;
    def.max_bodies = kBodies;
    auto made = World::Create(def);
    REQUIRE(made);
    world = std::move(*made);
    Random random(seed);
    WaitTime wait;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      BodyDef body;
      body.type = i % 3 == 0 ? BodyType::kStatic : BodyType::kDynamic;
      body.sensor = i % 7 == 0;
      body.shape = Shape::Box({kHalf, kHalf, kHalf});
      body.position = random.InBox({-60, -60, -60}, {60, 60, 60});
      REQUIRE(world->CreateBody(body, wait));
    }
    world->Snapshot(bodies);
  }

  std::unique_ptr<TaskPool> pool;
  TaskPool::Registration here;
  std::unique_ptr<World> world;
  std::vector<BodySnapshot> bodies;
};

ViewFrustum AnyView(Random& random) {
  const Quat turn = random.Rotation();
  ViewFrustum view;
  view.eye = random.InBox({-70, -70, -70}, {70, 70, 70});
  view.forward = Rotate(turn, {0, 0, -1});
  view.up = Rotate(turn, {0, 1, 0});
  view.left = random.Between(-1.5f, 0.2f);
  view.right = view.left + random.Between(0.2f, 1.5f);
  view.bottom = random.Between(-1.5f, 0.2f);
  view.top = view.bottom + random.Between(0.2f, 1.5f);
  view.far = random.Between(20.0f, 120.0f);
  if (random.Below(2) == 0) view.reach = random.InBox({-30, -30, -30}, {30, 30, 30});
  return view;
}

// How far a point is outside of the farthest plane; not above zero: it is in the view.
float Outside(const ViewFrustum& view, Vec3 point) {
  const Vec3 from = point - view.eye;
  const float ahead = Dot(from, view.forward);
  const float aside = Dot(from, view.across());
  const float above = Dot(from, view.up);
  const auto by = [](float distance, float side) {
    return distance / std::sqrt(1.0f + side * side);
  };
  return std::max({by(aside - view.right * ahead, view.right),
                   by(view.left * ahead - aside, view.left), by(above - view.top * ahead, view.top),
                   by(view.bottom * ahead - above, view.bottom), ahead - view.far});
}

// A body is seen for certain when its middle is in the view somewhere on its way; for certain it is
// not seen when all of its way is outside of one plane, by more than its own size.
TEST_CASE("a camera sees the bodies in its view, and none that is far from it") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO("seed " << seed);
    Scene scene(seed, 2);
    Random random(seed);
    Sights sights;
    std::vector<LiveSight> seen;
    std::size_t sum = 0;
    for (int i = 0; i < 40; ++i) {
      const ViewFrustum view = AnyView(random);
      sights.Look({.viewer = 5, .camera = view});
      REQUIRE(sights.Find(*scene.world, scene.bodies, {}, *scene.pool, seen));
      REQUIRE(seen.size() == 1);
      REQUIRE(seen[0].viewer == 5);
      REQUIRE(std::ranges::adjacent_find(seen[0].slots, std::ranges::greater_equal{}) ==
              seen[0].slots.end());
      sum += seen[0].slots.size();
      for (const BodySnapshot& body : scene.bodies) {
        float least = 1e9f;
        for (int step = 0; step <= 16; ++step) {
          const Vec3 at = body.position + view.reach * (static_cast<float>(step) / 16);
          least = std::min(least, Outside(view, at));
        }
        const bool is_seen = std::ranges::binary_search(seen[0].slots, body.id.slot());
        if (least <= 0.0f) REQUIRE(is_seen);
        if (view.reach == Vec3{} && least > 2 * (kRound + kMargin)) REQUIRE(!is_seen);
      }
    }
    CHECK(sum > 1'000);             // not only empty views
    CHECK(sum < 40 * kBodies / 2);  // and the most is left out
  }
}

TEST_CASE("a light is seen where it shines on a body in view, and not beside the view") {
  Scene scene(1, 2);
  Random random(11);
  Sights sights;
  std::vector<LiveSight> seen;
  std::size_t shining = 0;
  for (int i = 0; i < 60; ++i) {
    const ViewFrustum view = AnyView(random);
    std::vector<LiveLight> lights(kMostLights);
    for (LiveLight& light : lights) {
      light.position = random.InBox({-70, -70, -70}, {70, 70, 70});
      light.reach = random.Between(3.0f, 25.0f);
    }
    sights.Look({.viewer = 5, .camera = view});
    REQUIRE(sights.Find(*scene.world, scene.bodies, lights, *scene.pool, seen));
    shining += seen[0].lights.size();
    REQUIRE(std::ranges::adjacent_find(seen[0].lights, std::ranges::greater_equal{}) ==
            seen[0].lights.end());
    for (std::uint32_t k = 0; k < lights.size(); ++k) {
      // For certain it shines where it reaches the middle of a body that is in the view, and it is
      // in the view itself; for certain it does not where it reaches no body in sight.
      float nearest = 1e9f;
      bool certain = false;
      for (const BodySnapshot& body : scene.bodies) {
        if (!std::ranges::binary_search(seen[0].slots, body.id.slot())) continue;
        nearest = std::min(nearest, Length(body.position - lights[k].position));
      }
      certain = nearest <= lights[k].reach && Outside(view, lights[k].position) <= 0.0f;
      const bool is_seen = std::ranges::binary_search(seen[0].lights, k);
      if (certain) REQUIRE(is_seen);
      if (nearest > lights[k].reach + kRound + kMargin) REQUIRE(!is_seen);
      const float beside =
          1.8f * lights[k].reach;  // more than a corner of the box around its reach
      if (Outside(view, lights[k].position) > 2 * beside) REQUIRE(!is_seen);
    }
  }
  CHECK(shining > 60);
  CHECK(shining < 60 * kMostLights / 2);
}

TEST_CASE("each camera has its own sight, the same with any number of threads") {
  Random random(3);
  std::vector<ViewFrustum> views;
  for (std::uint32_t i = 0; i < Sights::kMostCameras; ++i) views.push_back(AnyView(random));
  std::vector<std::vector<std::uint32_t>> alone;
  for (const std::uint32_t workers : {0u, 3u}) {
    Scene scene(1, workers);
    Sights sights;
    for (std::size_t i = 0; i < views.size(); ++i)
      sights.Look({.viewer = 10 + i, .camera = views[i]});
    sights.Look({.viewer = 99, .camera = views[0]});  // one too many: it gets every body
    std::vector<LiveSight> seen;
    REQUIRE(sights.Find(*scene.world, scene.bodies, {}, *scene.pool, seen));
    REQUIRE(seen.size() == views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
      CHECK(seen[i].viewer == 10 + i);
      if (workers == 0) {
        alone.push_back(seen[i].slots);
      } else {
        CHECK(seen[i].slots == alone[i]);
      }
    }
    sights.LookAway(11);
    sights.Look({.viewer = 10, .camera = views[3]});
    REQUIRE(sights.Find(*scene.world, scene.bodies, {}, *scene.pool, seen));
    REQUIRE(seen.size() == views.size() - 1);
    CHECK(seen[0].slots == alone[3]);
    CHECK(seen[1].viewer == 12);
    for (std::size_t i = 0; i < views.size(); ++i) sights.LookAway(10 + i);
    REQUIRE(sights.Find(*scene.world, scene.bodies, {}, *scene.pool, seen));
    CHECK(seen.empty());
  }
}

}  // namespace
}  // namespace nowait
