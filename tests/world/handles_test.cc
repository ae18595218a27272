// Ids and batches: of this world, of another one, and of bodies whose slots have been reused.
#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/world/world_number.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

const Bounds<3> kEverywhere = ToBounds({-50, -50, -50}, {50, 50, 50});

bool IsAnothers(const Error& error, const char* what) {
  return error.code == ErrorCode::kInvalidArgument && error.subject == std::string(what) &&
         std::string(error.detail).find("another world") != std::string::npos;
}

// First: where a number is given back by a move, Take does not return, and no other test here would
// come to its end.
TEST_CASE("the number of a world is given back when the world ends, and by no move before that") {
  std::uint32_t number = 0;
  {
    Result<WorldNumber> taken = WorldNumber::Take();
    REQUIRE(taken.has_value());
    number = taken->value();
    const WorldNumber moved = std::move(*taken);
    CHECK(moved.value() == number);
    // All the others, once round: this one is in use.
    for (std::uint32_t i = 0; i < BodyId::kMaxWorlds; ++i) {
      REQUIRE(WorldNumber::Take()->value() != number);
    }
  }
  bool is_free = false;
  for (std::uint32_t i = 0; i < BodyId::kMaxWorlds; ++i) {
    is_free = is_free || WorldNumber::Take()->value() == number;
  }
  CHECK(is_free);
}

TEST_CASE("a body of another world is refused by name, and nothing happens to this one's") {
  auto here = MakeWorld(), there = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId mine = Add(*here, SphereAt(1, {0, 5, 0}));
  const BodyId theirs = Add(*there, SphereAt(1, {0, 5, 0}));
  // The same slot and generation: a handle without a world in it would be taken.
  REQUIRE(theirs.slot() == mine.slot());
  REQUIRE(theirs.generation() == mine.generation());
  const std::uint64_t before = here->StateHash();
  CHECK(IsAnothers(here->GetBody(theirs, wait).error(), "body id"));
  CHECK(IsAnothers(here->MoveBody(theirs, {}, {}, wait).error(), "body id"));
  CHECK(IsAnothers(here->SetVelocity(theirs, {1, 0, 0}, {}, wait).error(), "body id"));
  CHECK(IsAnothers(here->WakeBody(theirs, wait).error(), "body id"));
  CHECK(IsAnothers(here->DestroyBody(theirs, wait).error(), "body id"));
  CHECK(here->RemoveBodies(std::array{theirs, theirs}, wait) == 0);
  CHECK(here->StateHash() == before);
  CHECK(there->StateHash() == before);
  // It is not ignored by a query, either, in the place of the body in its slot.
  std::vector<BodyId> found;
  here->Read().FindInBox(kEverywhere, {.ignore = theirs}, found, wait);
  CHECK(found == std::vector{mine});
  CHECK(here->GetBody(BodyId(), wait).error().code == ErrorCode::kStaleId);
}

TEST_CASE("a batch of another world is refused by name, and its own still takes it") {
  auto here = MakeWorld(), there = MakeWorld();
  WaitTime wait;
  const BodyId mine = Add(*here, SphereAt(1, {0, 5, 0}));
  WorldBatch batch = std::move(*there->PrepareBatch(std::array{SphereAt(1, {}), SphereAt(1, {})}));
  CHECK(IsAnothers(here->FinaliseBatch(batch, wait).error(), "batch"));
  CHECK(IsAnothers(here->AbortBatch(batch).error(), "batch"));
  CHECK(here->body_count() == 1);
  CHECK(here->GetBody(mine, wait).has_value());
  REQUIRE(batch.bodies().size() == 2);
  CHECK(there->FinaliseBatch(batch, wait).has_value());
  CHECK(there->body_count() == 2);
  // Once empty, it is nobody's.
  CHECK(here->AbortBatch(batch).has_value());
  CHECK(here->FinaliseBatch(batch, wait).error().subject == std::string("batch"));
}

TEST_CASE("an id stays stale however often its slot is reused, by bodies and by batches") {
  WorldDef def;
  def.max_bodies = 1;
  auto world = MakeWorld(def);
  WaitTime wait;
  const BodyDef ball = SphereAt(1, {});
  const BodyId first = Add(*world, ball);
  REQUIRE(world->DestroyBody(first, wait));
  // Ten bits of generation would have come back three times.
  for (int i = 0; i < 3 * 1024; ++i) {
    WorldBatch batch = std::move(*world->PrepareBatch(std::span(&ball, 1)));
    if (i % 2 == 0) {
      REQUIRE(world->AbortBatch(batch));
    } else {
      const BodyId id = world->FinaliseBatch(batch, wait)->front();
      REQUIRE(id.slot() == first.slot());
      REQUIRE(world->GetBody(first, wait).error().code == ErrorCode::kStaleId);
      REQUIRE(world->DestroyBody(first, wait).error().code == ErrorCode::kStaleId);
      REQUIRE(world->DestroyBody(id, wait));
    }
  }
}

TEST_CASE("a query returns whole ids, also where the tree's part of them has come back") {
  WorldDef def;
  def.max_bodies = 1;
  auto world = MakeWorld(def);
  WaitTime wait;
  const BodyId first = Add(*world, SphereAt(1, {}));
  BodyId last = first;
  for (std::uint32_t i = 0; i < ProxyId::kGenerations; ++i) {
    REQUIRE(world->DestroyBody(last, wait));
    last = Add(*world, SphereAt(1, {}));
  }
  REQUIRE(last.proxy() == first.proxy());
  REQUIRE(last != first);
  std::vector<BodyId> found;
  world->Read().FindInBox(kEverywhere, {.ignore = first}, found, wait);
  CHECK(found == std::vector{last});
  const auto hit = world->CastRay({{-5, 0, 0}, {10, 0, 0}}, {}, wait);
  REQUIRE(hit.has_value());
  CHECK(hit->body == last);
  CHECK(world->Read().FindNearest({}, 1, {}, wait)->body == last);
}

TEST_CASE("numbers of worlds go round, and there is an end to the worlds that may live at once") {
  std::uint32_t last = WorldNumber::Take()->value();
  for (std::uint32_t i = 0; i < BodyId::kMaxWorlds; ++i) {
    const std::uint32_t next = WorldNumber::Take()->value();
    REQUIRE(next == last % BodyId::kMaxWorlds + 1);
    last = next;
  }
  std::vector<WorldNumber> alive;
  for (std::uint32_t i = 0; i < BodyId::kMaxWorlds; ++i) {
    alive.push_back(std::move(*WorldNumber::Take()));
  }
  CHECK(ToString(WorldNumber::Take().error()) == "capacity of worlds reached (2047)");
  CHECK(World::Create({}).error().subject == std::string("worlds"));
  const std::uint32_t free = alive.back().value();
  alive.pop_back();
  CHECK(WorldNumber::Take()->value() == free);
}

}  // namespace
}  // namespace nowait
