// Scenarios of src/jobs/task_scheduler.h.
#ifndef NOWAIT_MODELS_ARM_TASK_SCHEDULER_H_
#define NOWAIT_MODELS_ARM_TASK_SCHEDULER_H_

#include <utility>

#include "src/jobs/global_queue.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_scheduler.h"

namespace nowait::arm {

// One thread submits a task, another one waits for it, both outside tasks. The wait gives up after
// one look: before a sleep there would be kSpins looks more.
template <class Sync>
struct SchedulerPasses {
  static constexpr const char* kName = "task_scheduler passes";
  static constexpr const char* kPromise =
      "a task that is waited for is run once, with what its maker wrote";
  static constexpr int kThreads = 2;

  SchedulerPasses() {
    const auto added = scheduler.Add(threads[0], {.work = {&Run, this}});
    if (added) task = *added;
  }

  void Thread(int t) {
    if (t == 0) {
      note.set(1);
      submitted = scheduler.Submit(threads[0], task).has_value();
      return;
    }
    complete = Wait(1);
    ran_before = ran;
  }
  bool Holds() {
    return submitted && complete == (ran_before == 1) && Wait(0) && ran == 1 && found == 1;
  }

  static void Run(void* data) {
    auto& scenario = *static_cast<SchedulerPasses*>(data);
    ++scenario.ran;
    scenario.found = scenario.note.get();
  }
  // Runs the task if the thread finds it. Whether it is complete.
  bool Wait(int t) {
    struct Look {
      mutable bool over = false;
    };
    const Look look;
    const auto gives_up = [](const void* data) {
      return std::exchange(static_cast<const Look*>(data)->over, true);
    };
    return scheduler.Wait(threads[t], task, {.gives_up = gives_up, .data = &look}).has_value();
  }

  using Scheduler = TaskScheduler<Sync, GlobalQueue<Sync>, 1>;

  Scheduler scheduler{{.graph = {.capacity = 1, .threads = 2, .tag = 1}}};
  typename Scheduler::Thread threads[2] = {{scheduler, 0}, {scheduler, 1}};
  TaskId task;
  typename Sync::template plain<int> note{0};
  int ran = 0;
  int found = 0;
  bool submitted = false;
  bool complete = false;
  int ran_before = 0;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_TASK_SCHEDULER_H_
