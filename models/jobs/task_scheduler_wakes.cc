// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it: one
// idle worker is woken for work, and wakes the next.
//
// A thread here pushes work for several workers and notifies once, and each piece of it waits for
// another one in serial code: a worker that was not woken leaves all threads waiting.
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_scheduler.h"

namespace nowait {
namespace {

using model::Random;
using model::Scenario;

// Two workers; the last thread submits.
template <std::uint8_t kNamed = 0>
struct Workers {
  static constexpr int kThreads = 3;
  using Scheduler = TaskScheduler<ModelSync, One, 1>;

  Member<Scheduler>& submitter() { return members[2]; }
  // Worker 0 has the name, if any.
  Scheduler scheduler{
      {.graph = {.capacity = 1, .threads = 3, .tag = 1}, .workers = 2, .named_workers = kNamed}};
  Member<Scheduler> members[3] = {{scheduler, 0, kNamed}, {scheduler, 1, 0}, {scheduler, 2, 0}};
  Flag first, second;
};

// Two tasks that wait for each other in serial code, and one notification for both.
struct BothAtOnce : Workers<> {
  BothAtOnce() {
    submitter().Add({.work = {&First, this}});
    submitter().Add({.work = {&Second, this}});
  }
  void Thread(int t) {
    if (t < 2) return members[t].DoWork();
    submitter().Leave();
    first.Await();
    second.Await();
    submitter().Close(TaskShutdown::kFinish);
  }
  static void First(void* data) {
    static_cast<BothAtOnce*>(data)->first.Raise();
    static_cast<BothAtOnce*>(data)->second.Await();
  }
  static void Second(void* data) {
    static_cast<BothAtOnce*>(data)->second.Raise();
    static_cast<BothAtOnce*>(data)->first.Await();
  }
};
const Scenario<BothAtOnce> both_at_once({
    .name = "both_at_once",
    .promise = "a worker that is woken for two tasks wakes the next one for the second",
    .searches = {Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 960,000 executions, about 9% of the search",
});

// A task for the worker with a name, beside one without, while the submitter runs serial code.
struct ForName : Workers<1> {
  void Thread(int t) {
    if (t < 2) return members[t].DoWork();
    submitter().AddAndSubmit({.work = first.job(), .affinity = 1});
    first.Await();
    submitter().Close(TaskShutdown::kFinish);
  }
};
const Scenario<ForName> for_name({
    .name = "for_name",
    .promise =
        "the worker with a task's name is woken, whichever worker a notification wakes first",
    .searches = {Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 790,000 executions, about 1% of the search",
});

}  // namespace
}  // namespace nowait
