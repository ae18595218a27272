// Batches: what FinaliseBatch costs the game thread, and what other threads may do with the ids
// meanwhile.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "tests/whole/single_steps.h"
#include "tests/world/scene.h"

namespace {

// Of this thread, so that others do not disturb the count.
thread_local std::uint64_t allocations = 0;
thread_local std::uint64_t frees = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// ASan has one of its own, whose memory free() must not be given.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  ++frees;
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace nowait {
namespace {

std::vector<BodyDef> Balls(std::uint32_t count) {
  std::vector<BodyDef> defs;
  for (std::uint32_t i = 0; i < count; ++i) {
    BodyDef def = SphereAt(0.4f, {static_cast<float>(i % 100), static_cast<float>(i / 100), 0});
    def.asleep = true;
    def.user = i;
    defs.push_back(def);
  }
  return defs;
}

std::vector<BodyId> FindAll(const World& world) {
  WaitTime wait;
  std::vector<BodyId> found;
  world.Read().FindInBox(ToBounds({-500, -500, -500}, {500, 500, 500}), {}, found, wait);
  return found;
}

// Of one FinaliseBatch, on the calling thread.
struct Cost {
  std::uint64_t allocations;
  std::uint64_t frees;
  std::uint64_t locks;
  std::uint64_t instructions;
};

Cost CostOfFinalise(std::uint32_t count) {
  WorldDef def;
  def.max_bodies = 20'000;
  auto world = MakeWorld(def);
  WorldBatch batch = std::move(*world->PrepareBatch(Balls(count)));
  WaitTime wait;
  Result<std::vector<BodyId>> ids;
  const std::uint64_t allocated = allocations, freed = frees;
  const whole::Instructions instructions =
      whole::CountInstructions([&] { ids = world->FinaliseBatch(batch, wait); });
  const Cost cost{allocations - allocated, frees - freed, wait.acquisitions, instructions.all};
  REQUIRE(ids.has_value());
  REQUIRE(ids->size() == count);
  REQUIRE(world->body_count() == count);
  return cost;
}

TEST_CASE("finalising costs the same for 10 bodies and for 10,000, and takes no body lock") {
  CostOfFinalise(10);  // what the linker does at a first call
  const Cost few = CostOfFinalise(10);
  const Cost many = CostOfFinalise(10'000);
  CHECK(few.locks == 0);
  CHECK(few.allocations == 0);
  CHECK(many.locks == 0);
  CHECK(many.allocations == 0);
  CHECK(many.frees == few.frees);
  // Not to the instruction: whether a maximum grows is a branch. One instruction a body would be
  // 9,990.
  INFO(few.instructions << " and " << many.instructions << " instructions");
  CHECK(many.instructions <= few.instructions + 100);
  CHECK((few.instructions > 100) == whole::kCountsInstructions);
}

TEST_CASE("the bodies of a batch are there at once: by id, in queries, in the state") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  WorldBatch batch = std::move(*world->PrepareBatch(Balls(50)));
  const std::vector<BodyId> ids(batch.bodies().begin(), batch.bodies().end());
  const std::uint64_t empty = world->StateHash();
  for (const BodyId id : ids) {
    CHECK(world->GetBody(id, wait).error().code == ErrorCode::kStaleId);
    CHECK(world->WakeBody(id, wait).error().code == ErrorCode::kStaleId);
    CHECK(world->DestroyBody(id, wait).error().code == ErrorCode::kStaleId);
  }
  CHECK(FindAll(*world).empty());
  CHECK(world->body_count() == 0);
  REQUIRE(*world->FinaliseBatch(batch, wait) == ids);
  CHECK(FindAll(*world) == ids);
  CHECK(world->body_count() == 50);
  // Before the state is asked for, which settles them.
  CHECK(world->GetBody(ids[7], wait)->asleep);
  REQUIRE(world->WakeBody(ids[7], wait));
  REQUIRE(world->DestroyBody(ids[8], wait));
  REQUIRE(world->MoveBody(ids[9], {0, 90, 0}, {}, wait));
  CHECK_FALSE(world->GetBody(ids[7], wait)->asleep);
  CHECK_FALSE(world->GetBody(ids[9], wait)->asleep);
  CHECK(world->GetBody(ids[8], wait).error().code == ErrorCode::kStaleId);
  std::vector<BodySnapshot> all;
  world->Snapshot(all);
  CHECK(all.size() == 49);
  CHECK(world->StateHash() != empty);
  CHECK(world->body_count() == 49);
  REQUIRE(Run(*world, pool, 1));
  std::vector<SleepEvent> woken = {{SleepEvent::Kind::kWoke, ids[7]},
                                   {SleepEvent::Kind::kWoke, ids[9]}};
  CHECK(std::vector(world->sleep_events().begin(), world->sleep_events().end()) == woken);
  CHECK(world->stats().awake == 2);
}

TEST_CASE("a slot that a batch's body left before the update belongs to the next body") {
  WorldDef def;
  def.max_bodies = 4;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  WorldBatch batch = std::move(*world->PrepareBatch(Balls(4)));
  const std::vector<BodyId> ids = *world->FinaliseBatch(batch, wait);
  REQUIRE(world->RemoveBodies(ids, wait) == 4);
  const BodyId alone = Add(*world, SphereAt(0.4f, {0, 50, 0}));
  WorldBatch next = std::move(*world->PrepareBatch(Balls(2)));
  WorldBatch given_back = std::move(*world->PrepareBatch(Balls(1)));
  REQUIRE(world->AbortBatch(given_back));
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().bodies == 1);
  CHECK(FindAll(*world) == std::vector{alone});
  const std::vector<BodyId> later = *world->FinaliseBatch(next, wait);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().bodies == 3);
  CHECK(world->stats().awake == 1);
  for (const BodyId id : later) CHECK(Get(*world, id).asleep);
}

TEST_CASE("a query without locks sees a batch that was just finalised") {
  auto world = MakeWorld();
  WaitTime wait;
  WorldBatch batch = std::move(*world->PrepareBatch(Balls(5)));
  const std::vector<BodyId> ids = *world->FinaliseBatch(batch, wait);
  std::vector<BodyId> found;
  world->ReadNoLock().FindInBox(ToBounds({-9, -9, -9}, {9, 9, 9}), {}, found, wait);
  CHECK(found == ids);
}

// One thread finalises; the others have the ids from the start, and move or remove their bodies as
// soon as they may.
TEST_CASE("bodies that other threads move or remove while their batch is finalised are not lost") {
  constexpr std::uint32_t kBodies = 60;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    auto world = MakeWorld();
    WaitTime wait;
    WorldBatch batch = std::move(*world->PrepareBatch(Balls(kBodies)));
    const std::vector<BodyId> ids(batch.bodies().begin(), batch.bodies().end());
    std::atomic<bool> begun{false};
    {
      const std::jthread mover([&] {
        WaitTime mine;
        begun.wait(false);
        for (std::uint32_t i = 0; i < kBodies; i += 2) {
          while (!world->MoveBody(ids[i], {300, static_cast<float>(i), 0}, {}, mine)) {
            std::this_thread::yield();
          }
        }
      });
      const std::jthread remover([&] {
        WaitTime mine;
        begun.wait(false);
        for (std::uint32_t i = 1; i < kBodies; i += 2) {
          while (!world->DestroyBody(ids[i], mine)) std::this_thread::yield();
        }
      });
      begun.store(true);
      begun.notify_all();
      REQUIRE(world->FinaliseBatch(batch, wait));
    }
    REQUIRE(world->body_count() == kBodies / 2);
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      const float y = static_cast<float>(i);
      std::vector<BodyId> found;
      world->Read().FindInBox(ToBounds({299.5f, y - 0.01f, -0.5f}, {300.5f, y + 0.01f, 0.5f}), {},
                              found, wait);
      REQUIRE((std::find(found.begin(), found.end(), ids[i]) != found.end()) == (i % 2 == 0));
    }
  }
}

}  // namespace
}  // namespace nowait
