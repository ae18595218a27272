// All that a ray meets, whether it meets anything, and the bodies that a point lies in: compared
// with a search through all bodies, one by one.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/ray_cast.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kWorld = 15.0f;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Bodies of many kinds, a third of them static, above a field that falls along x and is of another
// material beyond x = 0.
class Mixed {
 public:
  explicit Mixed(std::uint64_t seed) : random(seed) {
    const std::array<CompoundChild, 2> children{
        CompoundChild{.shape = Shape::Sphere(0.7f), .position = {-1, 0, 0}},
        CompoundChild{.shape = Shape::Box({0.5f, 0.3f, 1}), .position = {1, 0, 0}}};
    pair_ = *CompoundShape::Create({.children = children});
    std::vector<float> heights;
    std::vector<std::uint8_t> materials;
    for (std::uint32_t k = 0; k <= kCells; ++k) {
      for (std::uint32_t i = 0; i <= kCells; ++i) {
        heights.push_back(-0.1f * static_cast<float>(i));
        if (k < kCells && i < kCells) materials.push_back(i < kCells / 2 ? 0 : 1);
      }
    }
    const std::array table{SurfaceMaterial{}, SurfaceMaterial{.friction = 0.1f}};
    field_ = *HeightField::Create({.columns = kCells + 1,
                                   .rows = kCells + 1,
                                   .heights = heights,
                                   .materials = {table, materials}});
    BodyDef ground;
    ground.type = BodyType::kStatic;
    ground.shape = Shape::Ground(field_.get());
    ground.position = {-kWorld, -8, -kWorld};
    ids.push_back(Add(*world, ground));
    const std::array shapes{Shape::Sphere(1.5f), Shape::Box({1, 0.5f, 2}), Shape::Capsule(1, 0.5f),
                            Shape::Cylinder(0.6f, 1.2f), Shape::Compound(pair_.get())};
    for (std::size_t i = 0; i < 150; ++i) {
      BodyDef def;
      def.shape = shapes[i % shapes.size()];
      def.position = Somewhere();
      def.rotation = random.Rotation();
      if (i % 3 == 0) def.type = BodyType::kStatic;
      ids.push_back(Add(*world, def));
    }
  }

  Vec3 Somewhere() { return random.InBox({-kWorld, -kWorld, -kWorld}, {kWorld, kWorld, kWorld}); }

  // By a look at each body.
  std::vector<RayHit> HitsOf(const RayCast& ray) const {
    std::vector<RayHit> hits;
    for (const BodyId id : ids) {
      const BodySnapshot body = Get(*world, id);
      const auto hit = CastAgainstShape(ray, 1.0f, body.shape, body.position, body.rotation);
      if (!hit) continue;
      hits.push_back({id, hit->fraction, ray.origin + ray.translation * hit->fraction, hit->normal,
                      hit->child, hit->material});
    }
    std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
      return a.fraction < b.fraction || (a.fraction == b.fraction && a.body < b.body);
    });
    return hits;
  }

 private:
  static constexpr std::uint32_t kCells = 30;

  std::unique_ptr<const CompoundShape> pair_;
  std::unique_ptr<const HeightField> field_;

 public:
  std::unique_ptr<World> world = MakeWorld();
  Random random;
  std::vector<BodyId> ids;
};

void RequireSame(const RayHit& a, const RayHit& b) {
  REQUIRE(a.body == b.body);
  REQUIRE(a.fraction == b.fraction);
  REQUIRE(Length(a.point - b.point) == 0.0f);
  REQUIRE(Length(a.normal - b.normal) == 0.0f);
  REQUIRE(a.child == b.child);
  REQUIRE(a.material == b.material);
}

std::vector<BodyId> IdsOf(const std::vector<RayHit>& hits) {
  std::vector<BodyId> ids;
  for (const RayHit& hit : hits) ids.push_back(hit.body);
  return ids;
}

TEST_CASE("a ray's hits are those with each body alone, in order; a limit keeps the nearest") {
  Mixed mixed(71);
  const WorldView view = mixed.world->Read();
  WaitTime wait;
  std::vector<RayHit> hits, some;
  std::size_t total = 0, children = 0, materials = 0, rays_without = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    const Vec3 from = mixed.Somewhere();
    const RayCast ray{from, (mixed.Somewhere() - from) * mixed.random.Between(0.05f, 1.5f)};
    const std::vector<RayHit> expected = mixed.HitsOf(ray);
    view.CollectHits(ray, {}, hits, wait);
    REQUIRE(IdsOf(hits) == IdsOf(expected));
    for (std::size_t k = 0; k < hits.size(); ++k) {
      RequireSame(hits[k], expected[k]);
      children += hits[k].child;
      materials += hits[k].material;
    }
    for (std::size_t limit = 0; limit <= hits.size() + 1; ++limit) {
      view.CollectHits(ray, {}, some, wait, limit);
      REQUIRE(some.size() == std::min(limit, hits.size()));
      for (std::size_t k = 0; k < some.size(); ++k) RequireSame(some[k], expected[k]);
    }
    const auto nearest = view.CastRay(ray, {}, wait);
    REQUIRE(nearest.has_value() == !expected.empty());
    if (nearest) RequireSame(*nearest, expected[0]);
    REQUIRE(view.IsBlocked(ray, {}, wait) == !expected.empty());
    total += hits.size();
    rays_without += expected.empty() ? 1 : 0;
  }
  CHECK(total > 300);
  CHECK(children > 10);
  CHECK(materials > 10);
  CHECK(rays_without > 10);
}

TEST_CASE("a filter holds for all hits of a ray and for the question whether there is one") {
  Mixed mixed(72);
  const WorldView view = mixed.world->Read();
  WaitTime wait;
  const BodyId left_out = mixed.ids[2];
  QueryFilter every_other;
  every_other.accept = [](const BodySnapshot& body) { return body.id.slot() % 2 == 0; };
  const std::array<QueryFilter, 4> filters{
      QueryFilter{.statics = false, .ignore = {}, .accept = {}},
      QueryFilter{.dynamics = false, .ignore = {}, .accept = {}},
      QueryFilter{.ignore = left_out, .accept = {}}, every_other};
  std::vector<RayHit> hits;
  std::array<std::size_t, 4> kept{}, refused{};
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = mixed.Somewhere();
    // Each other one through the body that a filter leaves out.
    const Vec3 to = i % 2 == 0 ? mixed.Somewhere() : Get(*mixed.world, left_out).position;
    const RayCast ray{from, to - from};
    for (std::size_t f = 0; f < filters.size(); ++f) {
      std::vector<BodyId> expected;
      for (const RayHit& hit : mixed.HitsOf(ray)) {
        const BodySnapshot body = Get(*mixed.world, hit.body);
        const bool is_static = body.type == BodyType::kStatic;
        const bool passes = (is_static ? filters[f].statics : filters[f].dynamics) &&
                            hit.body != filters[f].ignore &&
                            (!filters[f].accept || filters[f].accept(body));
        if (passes) expected.push_back(hit.body);
        ++(passes ? kept : refused)[f];
      }
      CAPTURE(i, f);
      view.CollectHits(ray, filters[f], hits, wait);
      REQUIRE(IdsOf(hits) == expected);
      REQUIRE(view.IsBlocked(ray, filters[f], wait) == !expected.empty());
    }
  }
  for (std::size_t f = 0; f < filters.size(); ++f) {
    CAPTURE(f);
    CHECK(kept[f] > 20);
    CHECK(refused[f] > 20);
  }
}

// A row of balls of one metre at x = 10, 20, .., made in another order; static and dynamic ones.
struct Row {
  explicit Row(std::size_t count) : bodies(count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (i * 7 + 3) % count;
      BodyDef ball = SphereAt(1.0f, {10.0f * static_cast<float>(at + 1), 0, 0});
      if (at % 2 == 0) ball.type = BodyType::kStatic;
      bodies[at] = Add(*world, ball);
    }
  }
  std::unique_ptr<World> world = MakeWorld();
  std::vector<BodyId> bodies;
};

TEST_CASE("a ray of any length meets the bodies in their order, from both sides") {
  const Row row(5);
  const WorldView view = row.world->Read();
  WaitTime wait;
  std::vector<RayHit> hits;
  const std::vector<BodyId> reversed(row.bodies.rbegin(), row.bodies.rend());
  for (const float length : {200.0f, 1e9f, 3e19f, 1e30f, std::numeric_limits<float>::max()}) {
    CAPTURE(length);
    view.CollectHits({{-0.5f * length, 0, 0}, {length, 0, 0}}, {}, hits, wait);
    REQUIRE(IdsOf(hits) == row.bodies);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      CHECK(hits[i].point.x == Approx(10.0f * static_cast<float>(i + 1) - 1).margin(1e-2));
      CHECK(hits[i].fraction <= 1.0f);
    }
    view.CollectHits({{0.5f * length, 0, 0}, {-length, 0, 0}}, {}, hits, wait, 3);
    REQUIRE(IdsOf(hits) == std::vector<BodyId>(reversed.begin(), reversed.begin() + 3));
    CHECK(view.IsBlocked({{-0.5f * length, 0, 0}, {length, 0, 0}}, {}, wait));
    CHECK_FALSE(view.IsBlocked({{-0.5f * length, 5, 0}, {length, 0, 0}}, {}, wait));
  }
}

TEST_CASE("bodies that a ray meets at one place are given by their ids") {
  const auto world = MakeWorld();
  std::vector<BodyId> bodies;
  for (int i = 0; i < 40; ++i) {
    BodyDef ball = SphereAt(1.0f, {5, 0, 0});
    if (i % 3 == 0) ball.type = BodyType::kStatic;
    bodies.push_back(Add(*world, ball));
  }
  std::sort(bodies.begin(), bodies.end());
  const WorldView view = world->Read();
  WaitTime wait;
  std::vector<RayHit> hits;
  for (const std::size_t limit : {std::size_t{1}, std::size_t{7}, std::size_t{40}}) {
    view.CollectHits({{0, 0, 0}, {10, 0, 0}}, {}, hits, wait, limit);
    CHECK(IdsOf(hits) ==
          std::vector<BodyId>(bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(limit)));
  }
}

TEST_CASE("the search ends at the first body, or behind the last one that is asked for") {
  const Row row(200);
  const WorldView view = row.world->Read();
  const RayCast ray{{0, 0, 0}, {3000, 0, 0}};
  // Each body that is looked at is read under its lock.
  WaitTime any, three, all;
  std::vector<RayHit> hits;
  CHECK(view.IsBlocked(ray, {}, any));
  CHECK(any.acquisitions == 1);
  view.CollectHits(ray, {}, hits, three, 3);
  CHECK(hits.size() == 3);
  CHECK(three.acquisitions < 50);
  view.CollectHits(ray, {}, hits, all);
  CHECK(hits.size() == 200);
  CHECK(all.acquisitions == 200);
}

TEST_CASE("a point is in the bodies that it is inside of, each once") {
  Mixed mixed(73);
  const WorldView view = mixed.world->Read();
  WaitTime wait;
  std::vector<BodyAt> found, some;
  std::size_t total = 0, several = 0, second_child = 0, second_material = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 point = mixed.Somewhere();
    std::vector<BodyId> expected, ids;
    for (const BodyId id : mixed.ids) {
      const BodySnapshot body = Get(*mixed.world, id);
      if (IsInside(point, body.shape, body.position, body.rotation)) expected.push_back(id);
    }
    std::sort(expected.begin(), expected.end());
    view.FindAt(point, {}, found, wait);
    for (const BodyAt& at : found) {
      const BodySnapshot body = Get(*mixed.world, at.body);
      ids.push_back(at.body);
      CHECK(at.child == ChildAt(point, body.shape, body.position, body.rotation));
      CHECK(at.material == (body.shape.kind == ShapeKind::kHeightField && point.x > 0 ? 1 : 0));
      second_child += at.child;
      second_material += at.material;
    }
    CAPTURE(i);
    REQUIRE(ids == expected);
    for (std::size_t limit = 0; limit <= found.size() + 1; ++limit) {
      view.FindAt(point, {}, some, wait, limit);
      REQUIRE(some.size() == std::min(limit, found.size()));
    }
    view.FindAt(point, {.statics = false, .ignore = {}, .accept = {}}, some, wait);
    for (const BodyAt& at : some) {
      CHECK(Get(*mixed.world, at.body).type != BodyType::kStatic);
    }
    total += found.size();
    several += found.size() > 1 ? 1 : 0;
  }
  CHECK(total > 300);
  CHECK(several > 10);
  CHECK(second_child > 2);
  CHECK(second_material > 100);
}

TEST_CASE("answers replace earlier ones, and a place that is not finite has no body") {
  Row row(3);
  const WorldView view = row.world->Read();
  WaitTime wait;
  const auto rays = {RayCast{{0, 5, 0}, {100, 0, 0}}, RayCast{{kNaN, 0, 0}, {100, 0, 0}},
                     RayCast{{0, 0, 0}, {100, kNaN, 0}}};
  for (const RayCast& ray : rays) {
    std::vector<RayHit> hits(5);
    view.CollectHits(ray, {}, hits, wait);
    CHECK(hits.empty());
    CHECK_FALSE(view.IsBlocked(ray, {}, wait));
  }
  for (const Vec3 point : {Vec3{0, 0, 0}, Vec3{10, kNaN, 0}, Vec3{3e38f, 3e38f, 3e38f}}) {
    std::vector<BodyAt> found(5);
    view.FindAt(point, {}, found, wait);
    CHECK(found.empty());
  }
  std::vector<BodyAt> found;
  view.FindAt({10, 0.999f, 0}, {}, found, wait);
  REQUIRE(found.size() == 1);
  CHECK(found[0].body == row.bodies[0]);
  // A ray without length hits the body that it begins in.
  std::vector<RayHit> hits;
  view.CollectHits({{20, 0, 0}, {}}, {}, hits, wait);
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].body == row.bodies[1]);
  REQUIRE(row.world->DestroyBody(row.bodies[1], wait));
  view.CollectHits({{0, 0, 0}, {100, 0, 0}}, {}, hits, wait);
  CHECK(IdsOf(hits) == std::vector<BodyId>{row.bodies[0], row.bodies[2]});
  CHECK_FALSE(view.IsBlocked({{20, 0, 0}, {}}, {}, wait));
}

}  // namespace
}  // namespace nowait
