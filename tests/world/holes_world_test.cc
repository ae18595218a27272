// Worlds whose ground has a hole: what falls in goes on falling, also a bullet, and rays and casts
// pass; a hole that is closed by an edited field holds again.
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

// 16 x 16 cells of a metre, with a hole of 4 x 4 in the middle.
std::unique_ptr<const HeightField> GroundWithHole() {
  const std::array<SurfaceMaterial, 1> table{};
  const std::vector<float> heights(17 * 17, 0.0f);
  std::vector<std::uint8_t> numbers(16 * 16, 0);
  for (std::size_t k = 6; k < 10; ++k) {
    for (std::size_t i = 6; i < 10; ++i) numbers[k * 16 + i] = SurfaceMaterials::kHole;
  }
  return *HeightField::Create(
      {.columns = 17, .rows = 17, .heights = heights, .materials = {table, numbers}});
}

BodyDef StaticGround(const HeightField& field) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Ground(&field);
  return def;
}

constexpr std::array kBodies = {
    Shape{.kind = ShapeKind::kSphere, .radius = 0.5f},
    Shape{.kind = ShapeKind::kCapsule, .radius = 0.3f, .half_height = 0.4f},
    Shape{.kind = ShapeKind::kBox, .half = {0.4f, 0.3f, 0.5f}},
    Shape{.kind = ShapeKind::kCylinder, .radius = 0.4f, .half_height = 0.3f}};

TEST_CASE("every body falls through a hole as if it were alone, and none through the ground") {
  const Shape shape = GENERATE(from_range(kBodies));
  const bool bullet = GENERATE(false, true);
  CAPTURE(static_cast<int>(shape.kind), bullet);
  const auto field = GroundWithHole();
  std::uint64_t alone = 0;
  for (const std::uint32_t workers : {0u, 3u}) {
    PoolHere pool(workers);
    const auto world = MakeWorld();
    Add(*world, StaticGround(*field));
    BodyDef def;
    def.shape = shape;
    def.rotation = Normalise(Quat{0.3f, 0.1f, 0.2f, 0.9f});
    def.position = {8, 3, 8};
    def.linear_velocity = {0, bullet ? -300.0f : 0.0f, 0};
    const BodyId falls = Add(*world, def);
    def.position = {3, 3, 8};
    const BodyId stays = Add(*world, def);
    REQUIRE(Run(*world, pool, 20));
    CHECK(Get(*world, stays).position.y > 0.0f);  // it may roll off later
    REQUIRE(Run(*world, pool, 100));
    CHECK(Get(*world, falls).position.y < (bullet ? -500.0f : -15.0f));
    CHECK(Get(*world, falls).position.x == Approx(8).margin(1e-4));
    if (workers == 0) alone = world->StateHash();
    CHECK(world->StateHash() == alone);
  }
}

TEST_CASE("queries of a world pass through a hole, and meet the ground beside it") {
  const auto field = GroundWithHole();
  const auto world = MakeWorld();
  const BodyId ground = Add(*world, StaticGround(*field));
  WaitTime wait;
  const WorldView view = world->Read();
  CHECK_FALSE(world->CastRay({{8.2f, 5, 7.7f}, {0, -50, 0}}, {}, wait).has_value());
  CHECK(world->CastRay({{5.8f, 5, 7.7f}, {0, -50, 0}}, {}, wait)->body == ground);
  const PlacedShape ball{Shape::Sphere(0.5f), {8.2f, 5, 7.7f}, {}};
  CHECK_FALSE((*view.CastShape(ball, {0, -50, 0}, {}, wait)).has_value());
  const PlacedShape deep{Shape::Sphere(0.5f), {8.2f, -5, 7.7f}, {}};
  CHECK_FALSE((*view.CastShape(deep, {0, -5, 0}, {}, wait)).has_value());
  const PlacedShape wide{Shape::Sphere(2.5f), {8, 5, 8}, {}};
  CHECK((*view.CastShape(wide, {0, -50, 0}, {}, wait)).has_value());
}

TEST_CASE("a hole that an edited field closes holds again, while the old field is there") {
  const auto open = GroundWithHole();
  const std::vector<std::uint8_t> ground(16, 0);
  const auto closed =
      open->Edited({.first_i = 6, .first_k = 6, .columns = 5, .rows = 5, .materials = ground});
  REQUIRE(closed);
  PoolHere pool(0);
  WaitTime wait;
  const auto world = MakeWorld();
  const BodyId before = Add(*world, StaticGround(*open));
  const BodyId ball = Add(*world, SphereAt(0.5f, {8, 3, 8}));
  REQUIRE(world->DestroyBody(before, wait));
  Add(*world, StaticGround(**closed));
  REQUIRE(Run(*world, pool, 120));
  CHECK(Get(*world, ball).position.y == Approx(0.5f).margin(0.01));
  CHECK(open->IsHole(8, 8));
}

}  // namespace
}  // namespace nowait
