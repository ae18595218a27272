// An update helps with whatever the pool has, and that may be queries of the same world.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "src/jobs/parallel_for.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

// A chain of tasks: each asks for bodies and makes the next one, so that there is always one that a
// waiting thread can take.
class Asking {
 public:
  Asking(const World& world, TaskPool& pool, std::vector<BodyId> bodies, std::uint32_t tasks)
      : world_(world), pool_(pool), bodies_(std::move(bodies)), left_(tasks), tasks_(tasks) {}

  bool Start() {
    const auto task = pool_.Add({.work = {&RunOne, this}});
    return task && pool_.Submit(*task);
  }
  // True when all have run.
  bool done() const { return ended_.load(std::memory_order::acquire) == tasks_; }
  std::uint32_t answered() const { return answered_.load(std::memory_order::relaxed); }

 private:
  static void RunOne(void* data) {
    Asking& asking = *static_cast<Asking*>(data);
    TaskPool& pool = asking.pool_;  // the last task may outlive what is asked for
    asking.Ask();
    if (asking.left_.fetch_sub(1, std::memory_order::relaxed) > 1 && !asking.Start()) std::abort();
    asking.ended_.fetch_add(1, std::memory_order::release);
    pool.Wake();
  }
  // As a loop of the pool, which is itself a wait that helps.
  void Ask() {
    std::atomic<bool> all{true};
    const auto ask = [&](std::uint32_t begin, std::uint32_t end) {
      WaitTime wait;
      for (std::uint32_t i = begin; i < end; ++i) {
        if (!world_.GetBody(bodies_[i], wait)) all.store(false, std::memory_order::relaxed);
      }
    };
    if (!ParallelFor(pool_, static_cast<std::uint32_t>(bodies_.size()), 4, ask)) return;
    if (all.load(std::memory_order::relaxed)) answered_.fetch_add(1, std::memory_order::relaxed);
  }

  const World& world_;
  TaskPool& pool_;
  const std::vector<BodyId> bodies_;
  std::atomic<std::uint32_t> left_;
  const std::uint32_t tasks_;
  std::atomic<std::uint32_t> ended_{0};
  std::atomic<std::uint32_t> answered_{0};
};

TEST_CASE("all queries that an update helps with are answered, and no thread waits for ever") {
  const std::uint32_t workers = GENERATE(0u, 1u, 3u);
  CAPTURE(workers);
  WorldDef def;
  def.body_locks = 4;
  HillScene scene = MakeHillScene(200, 7, def);
  PoolHere pool(workers);
  constexpr std::uint32_t kTasks = 400;
  Asking asking(*scene.world, pool, {scene.bodies.begin(), scene.bodies.begin() + 40}, kTasks);
  REQUIRE(asking.Start());
  for (int i = 0; i < 30; ++i) REQUIRE(scene.world->Update(1.0f / 60.0f, pool));
  REQUIRE(pool->DoWorkWhileWaitingFor([&] { return asking.done(); }));
  CHECK(asking.answered() == kTasks);
}

}  // namespace
}  // namespace nowait
