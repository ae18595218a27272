// The real World under the scheduler: updates on a pool, a game thread, a query that runs through
// both.
#include "src/world/world.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/sync/barrier.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"

namespace nowait::whole {
namespace {

constexpr float kFrame = 1.0f / 60.0f;

BodyDef Ball(float x, float y) {
  BodyDef def;
  def.shape = Shape::Sphere(0.5f);
  def.position = {x, y, 0.0f};
  return def;
}

BodyDef Floor() {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box({10.0f, 0.5f, 10.0f});
  return def;
}

std::unique_ptr<World> SmallWorld(std::uint32_t max_bodies) {
  WorldDef def;
  def.max_bodies = max_bodies;
  def.max_contacts = 64;
  def.body_locks = 2;
  return World::Create(def).value();
}

// Three balls fall on a floor and on each other, for some updates.
std::uint64_t Falling(std::uint32_t workers) {
  auto world = SmallWorld(8);
  auto pool = TaskPool::Create({.workers = workers, .capacity = 128}).value();
  const auto here = pool->Register("main").value();
  WaitTime wait;
  Require(world->CreateBody(Floor(), wait).has_value(), "the floor is made");
  for (const float x : {0.0f, 0.9f, 1.8f}) {
    Require(world->CreateBody(Ball(x, 1.05f + 0.5f * x), wait).has_value(), "a ball is made");
  }
  for (std::uint64_t i = 0; i < 4; ++i) {
    const ApiCall call("Update", i);
    Require(world->Update(kFrame, *pool).has_value(), "an update succeeds");
  }
  return world->StateHash();
}

TEST_CASE("an update gives the same state under every schedule and with every number of workers") {
  std::set<std::uint64_t> hashes;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    const Exploration found =
        Explore([&] { hashes.insert(Falling(workers)); },
                {.schedules = 40, .run = {.fair_after = 200'000, .most_steps = 400'000}});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
  }
  REQUIRE(hashes.size() == 1);
}

// One thread moves a ball and makes and destroys another one between the updates; one looks all the
// time.
void GameAndQueries() {
  auto world = SmallWorld(4);
  auto pool = TaskPool::Create({.workers = 1, .capacity = 64}).value();
  const auto here = pool->Register("main").value();
  WaitTime wait;
  const BodyId ball = world->CreateBody(Ball(0.0f, 3.0f), wait).value();
  constexpr std::uint32_t kFrames = 2;
  Barrier<> frame(2);
  EngineSync::thread game = std::move(*EngineSync::thread::Start("game", [&] {
    WaitTime mine;
    for (std::uint32_t i = 0; i < kFrames; ++i) {
      const auto made = world->CreateBody(Ball(5.0f, 3.0f), mine);
      Require(made.has_value(), "there is room for a body");
      {
        const ApiCall call("MoveBody", i);
        Require(
            world->MoveBody(ball, {1.0f + static_cast<float>(i), 3.0f, 0.0f}, {}, mine).has_value(),
            "a body that is there is moved");
      }
      const ApiCall call("DestroyBody", i);
      Require(world->DestroyBody(*made, mine).has_value(), "a body that is there is destroyed");
      frame.ArriveAndWait();
      frame.ArriveAndWait();
    }
  }));
  EngineSync::thread query = std::move(*EngineSync::thread::Start("query", [&] {
    WaitTime mine;
    for (std::uint64_t i = 0; i < 3; ++i) {
      const ApiCall call("GetBody", i);
      Require(world->GetBody(ball, mine).has_value(), "a body that is there is found by its id");
    }
  }));
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    frame.ArriveAndWait();
    {
      const ApiCall call("Update", i);
      Require(world->Update(kFrame, *pool).has_value(), "an update succeeds");
    }
    frame.ArriveAndWait();
  }
  game.join();
  query.join();
  Require(world->body_count() == 1, "what was destroyed is not counted");
}

TEST_CASE("a game thread and queries beside updates") {
  const Exploration found = Explore(
      &GameAndQueries, {.schedules = 150, .run = {.fair_after = 200'000, .most_steps = 400'000}});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

// Two threads ask for the whole state, in which the bodies of a batch have to be settled first.
void TwoAskForAll() {
  auto world = SmallWorld(8);
  WaitTime wait;
  auto batch = world->PrepareBatch(std::vector{Ball(0.0f, 3.0f), Ball(3.0f, 3.0f)}).value();
  Require(world->FinaliseBatch(batch, wait).has_value(), "a batch of this world is finalised");
  const auto ask = [&world] {
    const ApiCall call("Snapshot", 0);
    std::vector<BodySnapshot> bodies;
    world->Snapshot(bodies);
    Require(bodies.size() == 2, "a snapshot has the bodies that another thread is settling");
  };
  EngineSync::thread other = std::move(*EngineSync::thread::Start("other", ask));
  ask();
  other.join();
}

TEST_CASE("two threads ask for the whole state after a batch") {
  const Exploration found = Explore(
      &TwoAskForAll, {.schedules = 200, .run = {.fair_after = 20'000, .most_steps = 40'000}});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

// A batch has all slots of a world, and is given back while another thread waits for one of them.
void GivenBackMeanwhile() {
  auto world = SmallWorld(2);
  auto batch = world->PrepareBatch(std::vector{Ball(0.0f, 3.0f), Ball(3.0f, 3.0f)}).value();
  EngineSync::thread other = std::move(*EngineSync::thread::Start("other", [&] {
    WaitTime mine;
    for (std::uint64_t i = 0;; ++i) {
      const ApiCall call("CreateBody", i);
      const auto made = world->CreateBody(Ball(6.0f, 3.0f), mine);
      if (made) return;
      Require(made.error().code == ErrorCode::kCapacity,
              "a slot that a batch gives back is free only when its place in the tree is, too");
      EngineSync::Yield();
    }
  }));
  {
    const ApiCall call("AbortBatch", 0);
    Require(world->AbortBatch(batch).has_value(), "a batch of this world is given back");
  }
  other.join();
  WaitTime wait;
  std::vector<BodyId> found;
  world->Read().FindInBox(ToBounds({-9, -9, -9}, {9, 9, 9}), {}, found, wait);
  Require(found.size() == 1, "the body that took the slot is in the tree");
  Require(world->DestroyBody(found[0], wait).has_value(), "and can be removed");
}

TEST_CASE("a slot of a batch that is given back is free only when its place in the tree is") {
  const Exploration found = Explore(
      &GivenBackMeanwhile, {.schedules = 300, .run = {.fair_after = 5'000, .most_steps = 40'000}});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

// Threads that read one body without a pause while updates have to write it. Nothing is said of how
// often they read: an update has steps of its own, and while it makes them they may read as often
// as they like. But while it waits for the body's lock, each reader may end the call that it is in,
// begin another one and begin to wait in that. So all threads together make so many steps and no
// more, under any schedule.
//
// A reader: the steps of a leave, of the loop, of an arrival, and of going to sleep. The update:
// the clock twice, its looks, going to sleep, waking up.
constexpr std::uint64_t kStepsOfAReader = 10;
constexpr std::uint64_t kStepsOfTheUpdate = 8;
constexpr std::chrono::nanoseconds kStep{50};

void ReadersWithoutPause(std::uint32_t readers, std::uint64_t& contended, std::uint64_t& longest) {
  auto world = SmallWorld(4);
  auto pool = TaskPool::Create({.workers = 0, .capacity = 64}).value();
  const auto here = pool->Register("main").value();
  WaitTime wait;
  const BodyId ball = world->CreateBody(Ball(0.0f, 3.0f), wait).value();
  EngineSync::atomic<bool> over{false};
  std::vector<EngineSync::thread> threads;
  for (std::uint32_t i = 0; i < readers; ++i) {
    threads.push_back(std::move(*EngineSync::thread::Start("reader", [&] {
      WaitTime mine;
      for (std::uint64_t call = 0; !over.load(std::memory_order::relaxed); ++call) {
        const ApiCall reading("GetBody", call);
        Require(world->GetBody(ball, mine).has_value(), "a body that is there is found by its id");
      }
    })));
  }
  for (std::uint64_t i = 0; i < 3; ++i) {
    const ApiCall call("Update", i);
    Require(world->Update(kFrame, *pool).has_value(), "an update succeeds");
    const WaitTime locks = world->stats().body_locks;
    const auto steps = static_cast<std::uint64_t>(locks.waited / kStep);
    contended += locks.contended;
    if (locks.contended != 0) longest = std::max(longest, steps / locks.contended);
    Require(steps <= locks.contended * (kStepsOfTheUpdate + readers * kStepsOfAReader),
            "each reader passes an update that waits for a body's lock once at most");
  }
  over.store(true, std::memory_order::relaxed);
  for (EngineSync::thread& thread : threads) thread.join();
}

TEST_CASE("threads that read without a pause do not hold up an update") {
  for (const std::uint32_t readers : {1u, 3u}) {
    std::uint64_t contended = 0;
    std::uint64_t longest = 0;
    const Exploration found =
        Explore([&] { ReadersWithoutPause(readers, contended, longest); },
                {.schedules = 1000, .run = {.fair_after = 20'000, .most_steps = 400'000}});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
    INFO(readers << " readers; the longest wait: " << longest << " steps");
    // And the updates have met readers.
    CHECK(contended > 100);
    CHECK(longest > 0);
  }
}

}  // namespace
}  // namespace nowait::whole
