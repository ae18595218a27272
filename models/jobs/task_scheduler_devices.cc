// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// external tasks and their devices.
#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// Thread 1 is a device. kThen: thread 0 waits for a task that depends on the device's.
template <bool kThen>
struct Device : Two<0> {
  Device() {
    external = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    task = external;
    if (kThen) task = members[0].AddAndSubmit({.work = then.job(), .dependency = external});
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(task);
      Check(read.get() == 1 && then.mark.get() == (kThen ? 1 : 0), kSeen);
    } else {
      read.set(1);
      members[1].CompleteExternal(external);
    }
  }

  Work then;
  TaskId external, task;
  ModelSync::plain<int> read{0};
};
const Scenario<Device<false>> device({
    .name = "device",
    .promise = "a thread that waits for a device's task is woken when that task is complete",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Device<true>> device_then({
    .name = "device_then",
    .promise = "a thread that waits for a dependent of a device's task is woken to run it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The hand-over has reached the device, thread 1, and throws then. kAnswers: the device answers
// nevertheless, and either of the two completes the task.
template <bool kAnswers>
struct BadHandOver : Two<0> {
  BadHandOver() {
    task = members[0].Add({.work = {&AskAndThrow, this}, .kind = TaskKind::kExternal});
    request.Is(task);
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(task);
      return members[0].Close(TaskShutdown::kFinish);
    }
    if (kAnswers) members[1].TryCompleteExternal(request.Await());
  }
  void After() { Check(IsComplete(task), "a hand-over that throws leaves no task open"); }
  static void AskAndThrow(void* data) {
    Request::Ask(&static_cast<BadHandOver*>(data)->request);
    throw 1;
  }

  Request request;
  TaskId task;
};
const Scenario<BadHandOver<false>> bad_hand_over({
    .name = "bad_hand_over",
    .promise =
        "a task whose hand-over throws is completed by the pool, and Close waits for no device",
    .searches = {ContextBound(2), Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<BadHandOver<true>> bad_hand_over_answered({
    .name = "bad_hand_over_answered",
    .promise = "a task whose hand-over throws is completed by the device or by the pool, once",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One hand-over throws while a device, thread 1, answers another task: both are counted off.
struct BadHandOverBeside : Two<0> {
  BadHandOverBeside() {
    answered = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    task = members[0].Add({.work = {&Throw, nullptr}, .kind = TaskKind::kExternal});
  }
  void Thread(int t) {
    if (t == 1) return members[1].CompleteExternal(answered);
    members[0].Wait(task);
    members[0].Close(TaskShutdown::kFinish);
    Check(IsComplete(answered) && IsComplete(task), kClosed);
  }
  static void Throw(void*) { throw 1; }

  TaskId answered, task;
};
const Scenario<BadHandOverBeside> bad_hand_over_beside({
    .name = "bad_hand_over_beside",
    .promise =
        "Close returns when one task has been answered and another one's hand-over has thrown",
    .searches = {ContextBound(1), Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
