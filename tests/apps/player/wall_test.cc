// The player's scene of a wall: stones break bricks out, each once, and the rest stays as it stood.
#include "src/apps/player/wall.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/shape_set.h"
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

constexpr std::uint32_t kBricks = 48;
constexpr std::uint64_t kSeed = 7;

// A wall and its world, advanced as the player does.
struct Scene {
  void Run(PoolHere& pool, int frames) {
    for (int frame = 0; frame < frames; ++frame) {
      REQUIRE(world->Update(1.0f / 30.0f, pool, 2));
      REQUIRE(wall->Advance(*world, 1.0f / 30.0f));
    }
  }

  std::unique_ptr<World> world = std::move(*Wall::CreateWorld(kBricks, 0));
  std::unique_ptr<Wall> wall = std::move(*Wall::Create(*world, kBricks, kSeed));
};

std::vector<Shape> SharedIn(const World& world) {
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  std::vector<Shape> shared;
  for (const BodySnapshot& body : bodies) {
    if (HasSharedData(body.shape)) shared.push_back(body.shape);
  }
  return shared;
}

TEST_CASE("a wall that was saved goes on in another world, with shapes from bytes") {
  PoolHere pool(0);
  Scene one;
  one.Run(pool, 120);
  CHECK(one.wall->bricks_left() < kBricks);
  const auto shared = SharedIn(*one.world);
  const auto saved = one.world->Save(shared);
  REQUIRE(saved);
  const auto bytes = ShapeSet::ToBytes(shared);
  REQUIRE(bytes);
  BlobSequence sequence(*bytes);
  const auto shapes = ShapeSet::Take(sequence, {});
  REQUIRE(shapes);
  Scene other;
  REQUIRE(other.world->Restore(*saved, shapes->shapes()));
  REQUIRE(other.wall->Restore(*other.world, one.wall->Save()));
  CHECK(other.wall->bricks_left() == one.wall->bricks_left());
  for (int i = 0; i < 30; ++i) {
    one.Run(pool, 5);
    other.Run(pool, 5);
    REQUIRE(other.world->StateHash() == one.world->StateHash());
  }
  CHECK(other.wall->bricks_left() == one.wall->bricks_left());
}

TEST_CASE("a saved wall that is not the world's is refused, and changes nothing") {
  PoolHere pool(0);
  Scene scene;
  scene.Run(pool, 120);
  const SavedWall good = scene.wall->Save();
  REQUIRE_FALSE(good.stones.empty());
  REQUIRE_FALSE(good.fallen.empty());
  const auto error_of = [&](auto change) {
    SavedWall bad = good;
    change(bad);
    const auto restored = scene.wall->Restore(*scene.world, bad);
    REQUIRE_FALSE(restored);
    CHECK(restored.error().code == ErrorCode::kCorrupt);
    CHECK(scene.wall->Save().stones == good.stones);
    return std::string(restored.error().subject) + " " + std::to_string(restored.error().amount);
  };
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK(error_of([](SavedWall& bad) { bad.wall = 4000; }) == "wall 4000");
  CHECK(error_of([](SavedWall& bad) { bad.wall = 0; }) == "wall 0");  // the ground
  const std::string stone = std::to_string(good.stones[0]);
  CHECK(error_of([&](SavedWall& bad) { bad.wall = good.stones[0]; }) == "wall " + stone);
  CHECK(error_of([](SavedWall& bad) { bad.stones[0] = 4000; }) == "stone 4000");
  CHECK(error_of([](SavedWall& bad) { bad.stones[0] = bad.wall; }).starts_with("stone"));
  CHECK(error_of([](SavedWall& bad) { bad.stones.resize(13); }) == "wall 0");
  CHECK(error_of([](SavedWall& bad) { bad.fallen[0].slot = 4000; }) == "brick 4000");
  CHECK(error_of([](SavedWall& bad) { bad.fallen[0].age = kNaN; }).starts_with("brick"));
  CHECK(error_of([](SavedWall& bad) { bad.fallen[0].age = -1; }).starts_with("brick"));
  CHECK(error_of([](SavedWall& bad) { bad.until_shot = kNaN; }) == "wall 0");
  CHECK(error_of([](SavedWall& bad) { bad.until_shot = 1e9f; }) == "wall 0");
  REQUIRE(scene.wall->Restore(*scene.world, good));
}

}  // namespace
}  // namespace nowait
