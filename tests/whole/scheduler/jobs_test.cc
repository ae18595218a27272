// The real TaskPool under the scheduler.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "src/jobs/parallel_for.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"

namespace nowait::whole {
namespace {

struct Counted {
  EngineSync::atomic<std::uint32_t> count{0};
  Job job() {
    return {[](void* data) {
              static_cast<Counted*>(data)->count.fetch_add(1, std::memory_order::relaxed);
            },
            this};
  }
};

// Fifty tasks under one parent, half of them after another one; the waiter helps.
template <class Pool>
void Fifty(std::uint32_t workers) {
  auto pool = Pool::Create({.workers = workers, .capacity = 128});
  Require(pool.has_value(), "a pool is made");
  {
    auto here = (*pool)->Register("main");
    Require(here.has_value(), "the main thread registers");
    Counted counted;
    const TaskId all = (*pool)->AddEmpty().value();
    TaskId before;
    for (std::uint32_t i = 0; i < 50; ++i) {
      const TaskId task = (*pool)
                              ->Add({.work = counted.job(),
                                     .parent = all,
                                     .dependency = i % 2 == 1 ? before : TaskId()})
                              .value();
      before = task;
    }
    {
      const ApiCall call("Wait", 50);
      Require((*pool)->Wait(all).has_value(), "the wait returns without an error");
    }
    Require(counted.count.load(std::memory_order::relaxed) == 50,
            "all tasks have run when the wait returns");
    const ApiCall call("Close");
    Require((*pool)->Close(TaskShutdown::kFinish).has_value(), "the pool closes");
  }
}

TEMPLATE_TEST_CASE("fifty tasks are run once each, under every schedule that is tried", "", TaskPool,
                   OneQueueTaskPool) {
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    const Exploration found = Explore([&] { Fifty<TestType>(workers); }, {.schedules = 200});
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

}  // namespace
}  // namespace nowait::whole
