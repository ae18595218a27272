// The real TaskPool under the scheduler.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>

#include "src/jobs/job.h"
#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/fifty_tasks.h"

namespace nowait::whole {
namespace {

TEMPLATE_TEST_CASE("fifty tasks are run once each, under every schedule that is tried", "",
                   TaskPool, OneQueueTaskPool) {
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    const Exploration found = Explore([&] { FiftyTasks<TestType>(workers); }, {.schedules = 200});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
  }
}

TEST_CASE("a loop runs each of its steps once") {
  const auto program = [] {
    auto pool = TaskPool::Create({.workers = 2, .capacity = 64}).value();
    auto here = pool->Register("main").value();
    std::array<std::uint32_t, 40> runs{};
    const auto body = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) ++runs[i];
    };
    const ApiCall call("ParallelFor");
    Require(ParallelFor(*pool, 40, 3, body).has_value(), "a loop returns without an error");
    for (const std::uint32_t run : runs) Require(run == 1, "each step of a loop is run once");
  };
  const Exploration found = Explore(program, {.schedules = 200});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

// The thread that cancels neither waits nor helps: what the cancelled task has held back is the
// worker's.
void CancelAndLookOn() {
  auto pool = TaskPool::Create({.workers = 1, .capacity = 64}).value();
  const auto here = pool->Register("main").value();
  const Job nothing = {[](void*) {}, nullptr};
  const TaskId named =
      pool->Add({.work = nothing, .affinity = pool->AffinityTo("main").value()}).value();
  const TaskId after = pool->Add({.work = nothing, .dependency = named}).value();
  Require(pool->Submit(named).has_value(), "a task that is held is submitted");
  Require(pool->Submit(after).has_value(), "a task that is held is submitted");
  Require(pool->Cancel(named).value(), "no worker runs a task with another thread's name");
  const ApiCall call("IsComplete");
  while (!pool->IsComplete(after)) EngineSync::Yield();
}

TEST_CASE("a task that a cancellation makes ready is begun by a worker that sleeps") {
  const Exploration found = Explore(&CancelAndLookOn, {.schedules = 200});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

}  // namespace
}  // namespace nowait::whole
