// The pixels of rays.
#include "src/apps/terminal/sight.h"

#include <catch2/catch.hpp>
#include <memory>

#include "tests/world/scene.h"

namespace nowait {
namespace {

using Kind = Pixel::Kind;

// A floor with three balls in a row above it, and an eye before the first one.
struct Row {
  Row() : world(MakeWorld()) {
    Add(*world, Floor());
    for (BodyId& ball : balls) {
      BodyDef def = SphereAt(0.5f, {0, 2, at});
      def.gravity_scale = 0.0f;
      ball = Add(*world, def);
      at += 2.0f;
    }
  }

  static constexpr Vec3 kEye{0, 2, -3};
  static constexpr RayCast kAlong{kEye, {0, 0, 20}};
  static constexpr RayCast kDown{kEye, {0, -20, 0}};
  static constexpr RayCast kUp{kEye, {0, 20, 0}};
  float at = 0.0f;
  std::unique_ptr<World> world;
  BodyId balls[3];
};

TEST_CASE("a ray sees the first body, and whether it moves") {
  Row row;
  Sight sight(*row.world, Row::kEye);
  CHECK(sight.Look(Row::kAlong).kind == Kind::kAwake);
  CHECK(sight.Look(Row::kDown).kind == Kind::kGround);
  CHECK(sight.Look(Row::kUp) == Pixel());
  CHECK(sight.Look(Row::kDown).brightness >
        sight.Look(Row::kAlong).brightness);  // light from above
}

TEST_CASE("sleeping and kinematic bodies have kinds of their own") {
  const auto world = MakeWorld();
  BodyDef asleep = SphereAt(0.5f, {0, 2, 0});
  asleep.asleep = true;
  Add(*world, asleep);
  BodyDef mover = SphereAt(0.5f, {5, 2, 0});
  mover.type = BodyType::kKinematic;
  Add(*world, mover);
  Sight sight(*world, {0, 2, -3});
  CHECK(sight.Look({{0, 2, -3}, {0, 0, 9}}).kind == Kind::kAsleep);
  CHECK(sight.Look({{5, 2, -3}, {0, 0, 9}}).kind == Kind::kMover);
}

TEST_CASE("a ray through bodies counts those that can move") {
  Row row;
  Sight sight(*row.world, Row::kEye);
  CHECK(sight.LookThrough(Row::kAlong) == Pixel{Kind::kThrough, 3, 0});
  CHECK(sight.LookThrough(Row::kDown) == Pixel{Kind::kThrough, 0, 0});
  for (int i = 0; i < 20; ++i)
    Add(*row.world, SphereAt(0.5f, {0, 2, 6.0f + static_cast<float>(i)}));
  CHECK(sight.LookThrough({Row::kEye, {0, 0, 100}}) == Pixel{Kind::kThrough, Pixel::kBrightest, 0});
}

TEST_CASE("an eye in a body sees what is outside of it") {
  Row row;
  const Vec3 inside{0, 2, 0.25f};
  Sight sight(*row.world, inside);
  const RayCast along{inside, {0, 0, 20}};
  CHECK(sight.Look(along).kind == Kind::kAwake);
  CHECK(sight.FindMovable(along) == row.balls[1]);
  CHECK(sight.LookThrough(along) == Pixel{Kind::kThrough, 2, 0});
  CHECK(sight.Look({inside, {0, 20, 0}}) == Pixel());
}

TEST_CASE("the movable body in the middle is found, and no floor") {
  Row row;
  Sight sight(*row.world, Row::kEye);
  CHECK(sight.FindMovable(Row::kAlong) == row.balls[0]);
  CHECK_FALSE(sight.FindMovable(Row::kDown).valid());
  CHECK_FALSE(sight.FindMovable(Row::kUp).valid());
}

}  // namespace
}  // namespace nowait
