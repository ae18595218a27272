// Model of src/jobs/task_queue.h.
//
// Promise checked: a pushed task is popped once, unless it has gone stale, also when a Push takes
// it out of a full queue and puts it behind. A consumer that sleeps after "nothing" gets every task
// if it is notified after each Push. The producer's writes (plain data) are seen after the Pop.
// Every Push ends.
//
// Examined: every execution of two threads at a full queue of four or eight cells, with
// entries that may start in front of stale ones: with another producer, with a consumer, with a
// consumer that sleeps; and of two producers with a consumer. The ring under it and the event count
// have models of their own (bounded_queue, event_count).
//
// While Push took the oldest out by TryPop and put it behind by another Push, crossed_pushers was a
// livelock: a producer that did not yet see the free cell took out the entry that the other had
// just put behind.
#include "src/jobs/task_queue.h"

#include <array>
#include <atomic>
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

constexpr const char* kOnce = "each task that may start is popped once";

// A full queue: kLive tasks that may start, numbered from 1, in front of stale entries. The threads
// push kMore tasks; all of these can be open at once.
template <int kLive, int kMore>
class FullQueue {
 public:
  FullQueue() {
    for (auto& gone : gone_) gone.store(false, std::memory_order::relaxed);
    for (int n = 1; n <= kLive; ++n) Push(n);
    const auto all = static_cast<int>(queue_.capacity());
    for (int n = kStale; n < kStale + all - kLive; ++n) {
      queue_.Push(Id(n), [](TaskId) { return true; });
    }
  }

  void Push(int n) {
    notes_[n].set(n);
    const Call call("Push");
    queue_.Push(Id(n), [this](TaskId task) { return MayStart(task); });
  }
  // Whether there was an entry; a task that may start is run.
  bool PopAndRun() {
    const Call call("Pop");
    TaskId task;
    if (!queue_.Pop(&task)) return false;
    if (MayStart(task)) {
      Check(notes_[task.slot()].get() == task.slot(), "the producer's note is there");
      runs_[task.slot()].set(runs_[task.slot()].get() + 1);
    }
    return true;
  }
  // A helper that came through the graph starts the task. relaxed: as TaskState's exchange, which
  // publishes nothing to a thread that finds the entry stale.
  void Start(int n) { gone_[n].store(true, std::memory_order::relaxed); }

  bool HasRun(int n) const { return runs_[n].get() == 1; }
  void PopAll() {
    while (PopAndRun()) {
    }
  }

 private:
  static constexpr int kOpen = kLive + kMore;
  static constexpr int kStale = 100;

  static TaskId Id(int n) { return {1, static_cast<std::uint16_t>(n), 1}; }
  bool MayStart(TaskId task) const {
    return task.slot() < kStale && !gone_[task.slot()].load(std::memory_order::relaxed);
  }

  TaskQueue<ModelSync> queue_{kOpen};
  std::array<ModelSync::atomic<bool>, kOpen + 1> gone_;
  std::array<ModelSync::plain<int>, kOpen + 1> notes_;
  std::array<ModelSync::plain<int>, kOpen + 1> runs_;
};

// Two producers at a queue of stale entries.
struct TwoPushers {
  static constexpr int kThreads = 2;

  void Thread(int t) { queue.Push(1 + t); }
  void After() {
    queue.PopAll();
    Check(queue.HasRun(1) && queue.HasRun(2), kOnce);
  }

  FullQueue<0, 2> queue;
};
const Scenario<TwoPushers> two_pushers({
    .name = "two_pushers",
    .promise = "two producers drop stale entries, and neither takes the other's room for ever",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A producer puts the front task behind, while a consumer takes the task that it finds.
struct PushAndPop {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      queue.Push(2);
    } else {
      queue.PopAndRun();
      queue.PopAndRun();
    }
  }
  void After() {
    queue.PopAll();
    Check(queue.HasRun(1) && queue.HasRun(2), kOnce);
  }

  FullQueue<1, 1> queue;
};
const Scenario<PushAndPop> push_and_pop({
    .name = "push_and_pop",
    .promise = "a task that a producer puts behind is not lost, nor popped twice",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A producer drops stale entries, while a consumer takes one entry.
struct PushBesidePop {
  static constexpr int kThreads = 2;

  void Thread(int t) { t == 0 ? queue.Push(1) : static_cast<void>(queue.PopAndRun()); }
  void After() {
    queue.PopAll();
    Check(queue.HasRun(1), kOnce);
  }

  FullQueue<0, 1> queue;
};
const Scenario<PushBesidePop> push_beside_pop({
    .name = "push_beside_pop",
    .promise = "a task that a producer adds while a stale entry is popped is popped once",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A producer puts the front task behind, while a helper starts that task and then pushes another.
struct GoesStale {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      queue.Push(2);
    } else {
      queue.Start(1);
      queue.Push(3);
    }
  }
  void After() {
    queue.PopAll();
    Check(queue.HasRun(2) && queue.HasRun(3), kOnce);
  }

  FullQueue<1, 2> queue;
};
const Scenario<GoesStale> goes_stale({
    .name = "goes_stale",
    .promise = "a task that goes stale while a producer holds it blocks no other",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Each of two producers finds a task in front, and the other one's task in the room that it has
// made.
struct CrossedPushers {
  static constexpr int kThreads = 2;

  void Thread(int t) { queue.Push(3 + t); }
  void After() {
    queue.PopAll();
    Check(queue.HasRun(1) && queue.HasRun(2) && queue.HasRun(3) && queue.HasRun(4), kOnce);
  }

  FullQueue<2, 2> queue;
};
const Scenario<CrossedPushers> crossed_pushers({
    .name = "crossed_pushers",
    .promise = "producers that take each other's room keep their own entries",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A consumer that sleeps when there is nothing, and is woken after the Push.
struct Sleeper {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      queue.Push(2);
      pushed.NotifyAll();
      return;
    }
    while (!queue.HasRun(1) || !queue.HasRun(2)) {
      if (queue.PopAndRun()) continue;
      const auto key = pushed.PrepareWait();
      if (queue.PopAndRun()) continue;
      pushed.Wait(key);
    }
  }

  FullQueue<1, 1> queue;
  EventCount<ModelSync> pushed;
};
const Scenario<Sleeper> sleeper({
    .name = "sleeper",
    .promise = "a consumer sleeps after 'nothing', and also gets a task that a Push had taken out",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two producers and a consumer.
struct Three {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      queue.Push(2 + t);
    } else {
      queue.PopAndRun();
    }
  }
  void After() {
    queue.PopAll();
    Check(queue.HasRun(1) && queue.HasRun(2) && queue.HasRun(3), kOnce);
  }

  FullQueue<1, 2> queue;
};
const Scenario<Three> three({
    .name = "three",
    .promise = "two producers and a consumer lose nothing, and find nothing twice",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
