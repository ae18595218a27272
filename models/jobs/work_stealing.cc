// Model of src/jobs/work_stealing.h.
//
// Promise checked: a pushed task is popped once, whichever threads push and pop, also when a
// worker's deque is full. Pop returns "nothing" only when there is nothing, however often another
// thread is faster. A task that PopOwn puts back is there for a thread that has looked meanwhile,
// if that thread is woken. The producer's writes (plain data) are seen after the Pop.
//
// Examined: every execution of two threads, of three at the last tasks, with owners,
// thieves and threads outside the pool. The deque, the entry queue and the event count have models
// of their own.
#include "src/jobs/work_stealing.h"

#include <array>
#include <cstdint>

#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"
#include "src/sync/event_count.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

constexpr const char* kOnce = "each task is popped once";
constexpr const char* kNothing = "a pop returns nothing only when there is nothing";

// Tasks 1 .. kTasks in the queues of so many workers; each has a producer's note.
template <int kWorkers, int kTasks, std::uint32_t kOwn = 2>
class Tasks {
 public:
  void Push(std::uint32_t thread, int n) {
    notes_[n].set(n);
    const Call call("Push");
    queues_.Push(thread, {.id = Id(n)}, MayStart);
  }
  // The task that was there and has been run, or 0.
  int Pop(std::uint32_t thread) {
    const Call call("Pop");
    TaskId task;
    if (!queues_.Pop(thread, 0, &task)) return 0;
    return Run(task);
  }
  // The same for the thread's own tasks, if the task is `wanted`.
  int PopOwn(std::uint32_t thread, int wanted, bool* put_back) {
    const Call call("PopOwn");
    TaskId task;
    const auto is_wanted = [wanted](TaskId own) { return own.slot() == wanted; };
    if (!queues_.PopOwn(thread, is_wanted, MayStart, &task, put_back)) return 0;
    return Run(task);
  }
  void CheckAllRun() const {
    for (int n = 1; n <= kTasks; ++n) Check(runs_[n].get() == 1, kOnce);
  }

 private:
  static TaskId Id(int n) { return {1, static_cast<std::uint16_t>(n), 1}; }
  static bool MayStart(TaskId) { return true; }
  int Run(TaskId task) {
    const int n = task.slot();
    Check(notes_[n].get() == n, "the producer's note is there");
    runs_[n].set(runs_[n].get() + 1);
    return n;
  }

  WorkStealing<ModelSync, kOwn> queues_{kWorkers, kTasks};
  std::array<ModelSync::plain<int>, kTasks + 1> notes_;
  std::array<ModelSync::plain<int>, kTasks + 1> runs_;
};

// A worker and a thief at two tasks: there is one for each.
struct OwnerAndThief {
  static constexpr int kThreads = 2;

  OwnerAndThief() {
    tasks.Push(0, 1);
    tasks.Push(0, 2);
  }
  void Thread(int t) { Check(tasks.Pop(static_cast<std::uint32_t>(t)) != 0, kNothing); }
  void After() { tasks.CheckAllRun(); }

  Tasks<2, 2> tasks;
};
const Scenario<OwnerAndThief> owner_and_thief({
    .name = "owner_and_thief",
    .promise = "a worker and a thief find one of two tasks each",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same with one task, which either of them gets.
struct LastTask {
  static constexpr int kThreads = 2;

  LastTask() { tasks.Push(0, 1); }
  void Thread(int t) { tasks.Pop(static_cast<std::uint32_t>(t)); }
  void After() { tasks.CheckAllRun(); }

  Tasks<2, 1> tasks;
};
const Scenario<LastTask> last_task({
    .name = "last_task",
    .promise = "the last task of a worker goes to it or to a thief",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// kThieves threads outside the pool and as many tasks: all are one worker's, or each is another's.
template <int kThieves, int kVictims>
struct Thieves {
  static constexpr int kThreads = kThieves;

  Thieves() {
    for (int n = 0; n < kThieves; ++n) tasks.Push(static_cast<std::uint32_t>(n % kVictims), n + 1);
  }
  // All begin with the same victim.
  void Thread(int t) {
    Check(tasks.Pop(static_cast<std::uint32_t>(kVictims * (1 + t))) != 0, kNothing);
  }
  void After() { tasks.CheckAllRun(); }

  Tasks<kVictims, kThieves, kThieves> tasks;
};
const Scenario<Thieves<2, 1>> two_thieves({
    .name = "two_thieves",
    .promise = "a thief that has lost a task to another finds the next",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Thieves<2, 2>> two_victims({
    .name = "two_victims",
    .promise = "a thief that has lost a task to another finds one of the next worker",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Thieves<3, 1>> three_thieves({
    .name = "three_thieves",
    .promise = "three thieves find three tasks, however often they lose",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker and a thread outside the pool push one task each; the worker looks for one.
struct FromOutside {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    tasks.Push(static_cast<std::uint32_t>(t), 1 + t);
    if (t == 0) Check(tasks.Pop(0) != 0, kNothing);
  }
  void After() {
    while (tasks.Pop(0) != 0) {
    }
    tasks.CheckAllRun();
  }

  Tasks<1, 2> tasks;
};
const Scenario<FromOutside> from_outside({
    .name = "from_outside",
    .promise = "a worker's deque is its own, and a task from outside is found elsewhere",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker with room for one task of its own makes two; a thief looks for them.
struct Overflow {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      tasks.Push(0, 1);
      tasks.Push(0, 2);
    } else {
      tasks.Pop(1);
      tasks.Pop(1);
    }
  }
  void After() {
    while (tasks.Pop(0) != 0) {
    }
    tasks.CheckAllRun();
  }

  Tasks<2, 2, 1> tasks;
};
const Scenario<Overflow> overflow({
    .name = "overflow",
    .promise = "a task that finds no room in a worker's deque is found in the entry queue",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 sleeps while there is nothing for it. Thread 0 pushes a task, as a worker or from
// outside, or holds a task of its own that it does not want.
enum class Gives { kOwn, kEntry, kBack };
template <Gives kGives>
struct Sleeper {
  static constexpr int kThreads = 2;
  static constexpr std::uint32_t kGiver = kGives == Gives::kEntry ? 2 : 0;

  Sleeper() {
    if (kGives == Gives::kBack) tasks.Push(0, 1);
  }
  void Thread(int t) {
    if (t == 0) return Give();
    while (tasks.Pop(1) == 0) {
      const auto key = events.PrepareWait();
      if (tasks.Pop(1) != 0) return;
      events.Wait(key);
    }
  }
  void Give() {
    if (kGives != Gives::kBack) {
      tasks.Push(kGiver, 1);
      events.NotifyAll();
      return;
    }
    bool put_back = false;
    Check(tasks.PopOwn(0, 0, &put_back) == 0, "a task that is not wanted is put back");
    if (put_back) events.NotifyAll();
  }
  void After() { tasks.CheckAllRun(); }

  Tasks<2, 1> tasks;
  EventCount<ModelSync> events;
};
const Scenario<Sleeper<Gives::kOwn>> sleeper_own({
    .name = "sleeper_own",
    .promise = "a thief that sleeps after 'nothing' is woken for a task that a worker pushes",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Sleeper<Gives::kEntry>> sleeper_entry({
    .name = "sleeper_entry",
    .promise = "a worker that sleeps after 'nothing' is woken for a task from outside",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Sleeper<Gives::kBack>> sleeper_back({
    .name = "sleeper_back",
    .promise = "a thief that finds nothing while the owner holds a task is woken for it",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker that wants the older of its two tasks, and a thief that takes that one.
struct WantedIsStolen {
  static constexpr int kThreads = 2;

  WantedIsStolen() {
    tasks.Push(0, 1);
    tasks.Push(0, 2);
  }
  void Thread(int t) {
    if (t == 1) {
      tasks.Pop(1);
      return;
    }
    bool put_back = false;
    Check(tasks.PopOwn(0, 1, &put_back) == 0, "only the newest task is looked at");
    Check(tasks.PopOwn(0, 2, &put_back) != 1, "PopOwn returns the wanted task, or nothing");
  }
  void After() {
    while (tasks.Pop(0) != 0) {
    }
    tasks.CheckAllRun();
  }

  Tasks<2, 2> tasks;
};
const Scenario<WantedIsStolen> wanted_is_stolen({
    .name = "wanted_is_stolen",
    .promise = "a task that a worker puts back is popped once, by it or by a thief",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
