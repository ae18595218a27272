// The player's scene of a wall: stones break bricks out, each once, and the rest stays as it stood.
#include "src/apps/player/wall.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

std::map<std::uint32_t, Vec3> BricksOf(const BodySnapshot& wall) {
  std::map<std::uint32_t, Vec3> bricks;
  for (const CompoundShape::Child& child : wall.shape.compound->children()) {
    bricks[child.number] = wall.position + Rotate(wall.rotation, child.position);
  }
  return bricks;
}

TEST_CASE("stones break bricks out of the wall, which fall and become rubble") {
  constexpr std::uint32_t kBricks = 96;
  PoolHere pool(1);
  const auto world = std::move(*Wall::CreateWorld(kBricks, 0));
  const auto wall = std::move(*Wall::Create(*world, kBricks, 7));
  std::vector<BodySnapshot> bodies;
  world->Snapshot(bodies);
  REQUIRE(bodies.size() == 2);
  const BodyId id = bodies[1].id;
  const auto whole = BricksOf(bodies[1]);
  REQUIRE(whole.size() == kBricks);
  for (int frame = 0; frame < 900; ++frame) {
    REQUIRE(wall->Advance(*world, 1.0f / 30.0f));
    REQUIRE(world->Update(1.0f / 30.0f, pool, 2));
  }
  const auto left = BricksOf(Get(*world, id));
  CHECK(left.size() == wall->bricks_left());
  CHECK(left.size() <= kBricks - 10);
  for (const auto& [number, place] : left) CHECK(Length(place - whole.at(number)) < 1e-3f);
  world->Snapshot(bodies);
  const auto bricks = std::ranges::count_if(
      bodies, [](const BodySnapshot& body) { return body.shape.kind == ShapeKind::kBox; });
  CHECK(bricks == static_cast<std::ptrdiff_t>(kBricks - left.size()));
  CHECK(std::ranges::count(bodies, UserLayer(0), &BodySnapshot::layer) > 0);
  // Rubble lies on the ground, and not in it.
  for (const BodySnapshot& body : bodies) {
    if (body.layer == UserLayer(0)) CHECK(body.position.y > 0.2f);
  }
}

TEST_CASE("the last brick is the end of the wall") {
  PoolHere pool(0);
  const auto world = std::move(*Wall::CreateWorld(1, 0));
  const auto wall = std::move(*Wall::Create(*world, 1, 3));
  for (int frame = 0; frame < 900 && wall->bricks_left() > 0; ++frame) {
    REQUIRE(wall->Advance(*world, 1.0f / 30.0f));
    REQUIRE(world->Update(1.0f / 30.0f, pool, 2));
  }
  CHECK(wall->bricks_left() == 0);
  std::vector<BodySnapshot> bodies;
  world->Snapshot(bodies);
  CHECK(std::ranges::count(bodies, ShapeKind::kCompound,
                           [](const BodySnapshot& body) { return body.shape.kind; }) == 0);
  REQUIRE(wall->Advance(*world, 1.0f / 30.0f));
}

}  // namespace
}  // namespace nowait
