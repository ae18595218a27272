// FiftyTasks: the measure of a schedule: fifty tasks on a pool, from its making to its end.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_FIFTY_TASKS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_FIFTY_TASKS_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "tests/whole/scheduler/api_call.h"

namespace nowait::whole {

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
void FiftyTasks(std::uint32_t workers) {
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

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_FIFTY_TASKS_H_
