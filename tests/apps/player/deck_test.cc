// The player's scene of every shape: each kind meets the ground, and each kind meets a mesh.
#include "src/apps/player/deck.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "src/apps/player/shapes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

const std::set<ShapeKind> kFalling = {ShapeKind::kSphere,   ShapeKind::kBox,  ShapeKind::kCapsule,
                                      ShapeKind::kCylinder, ShapeKind::kHull, ShapeKind::kCompound};

TEST_CASE("every shape falls on the ground and on the deck, and lies on it") {
  PoolHere pool(1);
  const auto ground = LoadGround("assets/terrain/jacksboro.elevation");
  REQUIRE(ground);
  const auto deck = MakeDeck(*ground);
  const auto hulls = MakeHulls();
  const auto compounds = MakeCompounds();
  REQUIRE((deck && hulls && compounds));
  const auto world = MakeWorld();
  std::map<BodyId, ShapeKind> moving;
  std::vector<BodyId> floors;  // the ground and the deck
  for (const BodyDef& def : ShapesOn(*ground, **deck, *hulls, *compounds, 200, 7)) {
    const BodyId id = Add(*world, def);
    if (def.type == BodyType::kDynamic) moving[id] = def.shape.kind;
    if (floors.size() < 2) floors.push_back(id);
  }
  REQUIRE(moving.size() == 200);
  std::set<ShapeKind> met[2];
  for (int step = 0; step < 600; ++step) {
    REQUIRE(Run(*world, pool, 1));
    for (const ContactEvent& event : world->contact_events()) {
      for (std::size_t i = 0; i < floors.size(); ++i) {
        if (event.kind != ContactEvent::Kind::kBegan) continue;
        if (event.a == floors[i]) met[i].insert(moving.at(event.b));
        if (event.b == floors[i]) met[i].insert(moving.at(event.a));
      }
    }
  }
  CHECK(met[0] == kFalling);
  CHECK(met[1] == kFalling);
  // Nothing has gone through either.
  for (const auto& [id, kind] : moving) {
    const Vec3 at = Get(*world, id).position;
    CHECK(at.y > ground->HeightAt(at.x, at.z) - 0.1f);
  }
}

}  // namespace
}  // namespace nowait
