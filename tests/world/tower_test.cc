// Slender towers stand and fall asleep, with the order of contacts that they have
// (src/dynamics/contact_order.h).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

struct Pile {
  std::unique_ptr<World> world;
  std::vector<BodyId> bodies;
  std::vector<Vec3> places;

  explicit Pile(std::uint32_t substeps = 4) {
    WorldDef def = SmallWorld();
    def.solver.substeps = substeps;
    world = MakeWorld(def);
    Add(*world, Floor());
  }
  void Put(const BodyDef& def) {
    bodies.push_back(Add(*world, def));
    places.push_back(def.position);
  }
  bool Sleeps() const {
    for (const BodyId body : bodies) {
      if (!Get(*world, body).asleep) return false;
    }
    return true;
  }
  // The most that a body has moved sideways; metres.
  float Drift() const {
    float most = 0.0f;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 moved = Get(*world, bodies[i]).position - places[i];
      most = std::max(most, std::hypot(moved.x, moved.z));
    }
    return most;
  }
};

// turn: the most that each is turned about the vertical; radians.
Pile TowerOfCylinders(float half_height, float turn, std::uint32_t substeps, std::uint64_t seed) {
  Pile pile(substeps);
  Random random(seed);
  for (std::uint32_t i = 0; i < 20; ++i) {
    BodyDef def;
    def.shape = Shape::Cylinder(half_height, 0.5f);
    def.position = random.InBox({-0.02f, 0, -0.02f}, {0.02f, 0, 0.02f});
    def.position.y = half_height + (2 * half_height + 0.005f) * static_cast<float>(i);
    if (turn > 0.0f) def.rotation = FromAxisAngle({0, 1, 0}, random.Between(-turn, turn));
    pile.Put(def);
  }
  return pile;
}

// Layers of two beams, each layer across the one below.
Pile CrossedBeams(std::uint32_t layers, std::uint64_t seed) {
  Pile pile;
  Random random(seed);
  for (std::uint32_t i = 0; i < layers; ++i) {
    const bool along = i % 2 == 0;
    for (const float side : {-0.8f, 0.8f}) {
      const Vec3 place{along ? 0.0f : side, 0.1f + 0.201f * static_cast<float>(i),
                       along ? side : 0.0f};
      pile.Put(BoxAt(along ? Vec3{1.0f, 0.1f, 0.1f} : Vec3{0.1f, 0.1f, 1.0f},
                     place + random.InBox({-0.005f, 0, -0.005f}, {0.005f, 0, 0.005f})));
    }
  }
  return pile;
}

TEST_CASE("towers of twenty cylinders stand and fall asleep") {
  const PoolHere pool(0);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const Pile pile = TowerOfCylinders(0.5f, 0.0f, 4, seed);
    REQUIRE(Run(*pile.world, *pool.pool, 240));
    CHECK(pile.Sleeps());
    CHECK(pile.Drift() < 0.05f);
  }
}

// With this many sub-steps fewer of them stand if all passes go forwards.
TEST_CASE("most towers of twenty flat cylinders stand with eight sub-steps") {
  const PoolHere pool(0);
  int stand = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Pile pile = TowerOfCylinders(0.25f, 3.0f, 8, seed);
    REQUIRE(Run(*pile.world, *pool.pool, 300));
    if (pile.Sleeps() && pile.Drift() < 0.05f) ++stand;
  }
  CHECK(stand >= 6);
}

TEST_CASE("beams that cross each other fifteen times stay where they are, and fall asleep") {
  const PoolHere pool(0);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    const Pile pile = CrossedBeams(15, seed);
    REQUIRE(Run(*pile.world, *pool.pool, 120));
    CHECK(pile.Sleeps());
    CHECK(pile.Drift() < 0.02f);
  }
}

}  // namespace
}  // namespace nowait
