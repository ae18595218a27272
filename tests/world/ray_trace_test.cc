// The nodes that a ray's query visits, beside a search of all nodes of the trees.
#include "src/world/ray_trace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/broadphase/tree_snapshot.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

// Whether the ray meets the box, enlarged by `margin`, before it has gone `most` of its way.
bool Meets(const RayCast& ray, double most, const Bounds<3>& box, double margin) {
  double enter = 0.0, leave = most;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = ray.translation[axis], from = ray.origin[axis];
    const double low = box.min[axis] - margin, high = box.max[axis] + margin;
    if (way == 0.0) {
      if (from < low || from > high) return false;
      continue;
    }
    enter = std::max(enter, std::min((low - from) / way, (high - from) / way));
    leave = std::min(leave, std::max((low - from) / way, (high - from) / way));
  }
  return enter <= leave;
}

TEST_CASE("a traced ray hits what a ray hits, and visits the nodes in its way and no others") {
  constexpr double kRounding = 1e-3;  // metres
  HillScene scene = MakeHillScene(200, 7);
  const World& world = *scene.world;
  PoolHere pool(0);
  REQUIRE(Run(*scene.world, pool, 40));
  TreeSnapshot tree;
  world.SnapshotTree(std::numeric_limits<std::size_t>::max(), tree);
  constexpr std::uint64_t kSeed = 23;
  INFO("seed " << kSeed);
  Random random(kSeed);
  WaitTime wait;
  RayTrace trace;
  std::size_t hits = 0, visits = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 from = random.InBox({-5, 20, -5}, {45, 40, 45});
    const RayCast ray{from, random.InBox({0, -10, 0}, {40, 5, 40}) - from};
    QueryFilter filter;
    filter.statics = i % 3 != 0;
    world.TraceRay(ray, filter, wait, trace);
    const std::optional<RayHit> hit = world.CastRay(ray, filter, wait);
    REQUIRE(trace.hit.has_value() == hit.has_value());
    REQUIRE(trace.ray.translation == ray.translation);
    if (hit) {
      ++hits;
      REQUIRE(trace.hit->body == hit->body);
      REQUIRE(trace.hit->fraction == hit->fraction);
      REQUIRE(trace.bodies > 0);
    }
    visits += trace.nodes.size();
    const double end = hit ? hit->fraction : 1.0;
    const auto is_visited = [&](const Bounds<3>& box) {
      return std::ranges::count(trace.nodes, box) > 0;
    };
    for (const TreeBox& box : tree.boxes) {
      if (!box.box.IsUsable()) continue;
      if (box.layer == Layer::kStatic && !filter.statics) continue;
      if (Meets(ray, end, box.box, -kRounding)) REQUIRE(is_visited(box.box));
      if (box.level > 0 && !Meets(ray, 1.0, box.box, kRounding)) REQUIRE(!is_visited(box.box));
    }
    for (const Bounds<3>& box : trace.nodes) {
      if (!box.IsUsable()) continue;
      REQUIRE(std::ranges::count(tree.boxes, box, &TreeBox::box) > 0);
    }
  }
  CHECK(hits > 50);
  CHECK(visits > 1000);
}

TEST_CASE("a ray that is not finite visits no node, and a trace begins anew each time") {
  HillScene scene = MakeHillScene(20, 7);
  WaitTime wait;
  RayTrace trace;
  scene.world->TraceRay({{20, 50, 20}, {0, -100, 0}}, {}, wait, trace);
  REQUIRE(!trace.nodes.empty());
  const std::size_t visits = trace.nodes.size();
  scene.world->TraceRay({{20, 50, 20}, {0, -100, 0}}, {}, wait, trace);
  CHECK(trace.nodes.size() == visits);
  scene.world->TraceRay({{20, 50, 20}, {0, std::nanf(""), 0}}, {}, wait, trace);
  CHECK(trace.nodes.empty());
  CHECK(trace.bodies == 0);
  CHECK(!trace.hit);
}

}  // namespace
}  // namespace nowait
