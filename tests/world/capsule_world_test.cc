// Capsules as bodies: they come to rest lying, roll, are found, and are refused with their name.
#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

BodyDef CapsuleAt(float half_height, float radius, Vec3 position) {
  BodyDef def;
  def.shape = Shape::Capsule(half_height, radius);
  def.position = position;
  return def;
}

TEST_CASE("a capsule that is dropped on its end falls over, comes to rest lying, and sleeps") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = CapsuleAt(0.5f, 0.3f, {0, 1.5f, 0});
  def.rotation = FromAxisAngle({1, 0, 0}, 0.1f);
  def.rolling_resistance = 0.1f;
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 600));
  const BodySnapshot body = Get(*world, id);
  CHECK(body.asleep);
  CHECK(body.position.y == Approx(0.3f).margin(0.01));
  CHECK(std::abs(Rotate(body.rotation, {0, 1, 0}).y) < 0.02f);
}

TEST_CASE("a pyramid of lying capsules stands, and a capsule on a slope rolls down") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  const Quat lying = FromAxisAngle({1, 0, 0}, 1.57079633f);
  std::vector<BodyId> pile;
  // A gap of a millimetre between neighbours; the upper ones lie in the valleys of the lower.
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 3 - row; ++i) {
      BodyDef def = CapsuleAt(0.6f, 0.25f, {});
      def.position = {0.501f * static_cast<float>(i) + 0.2505f * static_cast<float>(row),
                      0.25f + 0.434f * static_cast<float>(row), 0};
      def.rotation = lying;
      def.friction = 0.9f;
      def.rolling_resistance = 0.2f;
      pile.push_back(Add(*world, def));
    }
  }
  BodyDef slope = BoxAt({4, 0.5f, 4}, {20, 0, 0});
  slope.type = BodyType::kStatic;
  slope.rotation = FromAxisAngle({0, 0, 1}, 0.2f);
  Add(*world, slope);
  BodyDef roller = CapsuleAt(0.6f, 0.25f, {20, 0.78f, 0});
  roller.rotation = lying;
  const BodyId rolling = Add(*world, roller);
  REQUIRE(Run(*world, pool, 90));
  for (std::size_t i = 0; i < pile.size(); ++i) {
    const float height = i < 3 ? 0.25f : i < 5 ? 0.684f : 1.118f;
    CAPTURE(i);
    CHECK(Get(*world, pile[i]).position.y == Approx(height).margin(0.03));
  }
  // Without slipping: a solid of this kind has two thirds of the sliding acceleration, or less.
  const BodySnapshot body = Get(*world, rolling);
  CHECK(body.linear_velocity.x < -1.0f);
  CHECK(Length(body.angular_velocity) ==
        Approx(Length(body.linear_velocity) / 0.25f).epsilon(0.05));
}

TEST_CASE("a ray through the world finds a capsule, and a capsule of no size is refused by name") {
  const auto world = MakeWorld();
  WaitTime wait;
  const BodyId id = Add(*world, CapsuleAt(1.0f, 0.5f, {3, 0, 0}));
  const auto hit = world->CastRay({{3, 9, 0}, {0, -18, 0}}, {}, wait);
  REQUIRE(hit);
  CHECK(hit->body == id);
  CHECK(hit->point.y == Approx(1.5f));
  CHECK_FALSE(world->CastRay({{3.4f, 9, 0.4f}, {0, -18, 0}}, {}, wait));
  for (const float wrong : {0.0f, -1.0f, 1e5f, std::nanf("")}) {
    CHECK(world->CreateBody(CapsuleAt(wrong, 0.5f, {}), wait).error().subject ==
          std::string_view("half height"));
    CHECK(world->CreateBody(CapsuleAt(0.5f, wrong, {}), wait).error().subject ==
          std::string_view("radius"));
  }
  CHECK(world->body_count() == 1);
}

}  // namespace
}  // namespace nowait
