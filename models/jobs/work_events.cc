// Model of src/jobs/work_events.h.
//
// Promise checked: no wake-up is lost. A waiter sees each notification, and each idle worker sees
// NotifyAll. One NotifyWork is enough for all work that comes before it: the worker that it wakes
// wakes the next. So is one that finds another worker on its way. Each lost wake-up would be a
// deadlock: work that is begun waits here for all other work to be begun, as serial code does, and
// no thread is left to wake the sleeper. The threads that a notification has woken see all that
// came before it (the failure would be a data race).
//
// Work is a number, taken by relaxed operations: the events alone must order it.
//
// Examined: every execution of one thread that makes work, at once, piece by piece or with some of
// it taken back, beside one worker; of NotifyAll and NotifyWaiters beside sleepers; as many as a
// search reaches beside two workers, of two threads that make work, and of a waiter beside a
// worker.
#include "src/jobs/work_events.h"

#include <atomic>

#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

constexpr const char* kSeen = "what came before a notification is seen by the woken thread";
constexpr const char* kNews = "a notification changes the epoch";

class Pool {
 public:
  void Add(int pieces) { work_.fetch_add(pieces, std::memory_order::relaxed); }
  bool Take() {
    int left = work_.load(std::memory_order::relaxed);
    while (left > 0 && !work_.compare_exchange_strong(left, left - 1, std::memory_order::relaxed,
                                                      std::memory_order::relaxed)) {
    }
    return left > 0;
  }
  void NotifyWork() {
    const Call call("NotifyWork");
    events.NotifyWork();
  }
  void NotifyAll() {
    const Call call("NotifyAll");
    events.NotifyAll();
  }
  void NotifyWaiters() {
    const Call call("NotifyWaiters");
    events.NotifyWaiters();
  }

  // An idle worker, until it has taken a piece. Whether it has slept.
  bool TakeAsWorker() {
    const Call call("idle worker");
    bool slept = false;
    auto key = events.PrepareIdle();
    while (!Take()) {
      events.WaitIdle(key);
      slept = true;
      key = events.PrepareAgain();
    }
    events.EndIdle();
    if (work_.load(std::memory_order::relaxed) > 0) events.NotifyWork();
    return slept;
  }
  // Serial code, which a piece of work runs: all have to be begun.
  void Meet(int pieces) {
    int begun = begun_.fetch_add(1, std::memory_order::relaxed) + 1;
    begun_.notify_all();
    while (begun < pieces) {
      begun_.wait(begun, std::memory_order::relaxed);
      begun = begun_.load(std::memory_order::relaxed);
    }
  }
  // A waiter. Whether it has slept.
  template <class Done>
  bool Await(const Done& done) {
    const Call call("waiter");
    bool slept = false;
    auto key = events.PrepareWait();
    while (!done()) {
      events.Wait(key);
      slept = true;
      key = events.PrepareWaitAgain();
    }
    events.EndWait();
    return slept;
  }

  WorkEvents<ModelSync> events;

 private:
  ModelSync::atomic<int> work_{0};
  ModelSync::atomic<int> begun_{0};
};

// Thread 0 makes a piece of work for each of the others: all at once with one notification, or each
// with its own.
template <int kWorkers, bool kAtOnce>
struct Makes {
  static constexpr int kThreads = 1 + kWorkers;

  void Thread(int t) {
    if (t != 0) {
      const bool slept = pool.TakeAsWorker();
      if (kWorkers == 1 && slept) Check(payload.get() == 1, kSeen);
      return pool.Meet(kWorkers);
    }
    payload.set(1);
    if (kAtOnce) pool.Add(kWorkers);
    for (int i = 0; i < (kAtOnce ? 1 : kWorkers); ++i) {
      if (!kAtOnce) pool.Add(1);
      pool.NotifyWork();
    }
  }
  void After() {}

  Pool pool;
  ModelSync::plain<int> payload{0};
};
const Scenario<Makes<1, true>> one_worker({
    .name = "one_worker",
    .promise = "an idle worker is woken for work, and sees it",
    .searches = {Full(), ContextBound(3).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Makes<2, true>> at_once({
    .name = "at_once",
    .promise = "one notification is enough for two pieces of work: one worker wakes the next",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Makes<2, false>> one_by_one({
    .name = "one_by_one",
    .promise = "a notification that relies on the worker on its way is not lost",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads make a piece of work each, for two workers.
struct TwoMake {
  static constexpr int kThreads = 4;

  void Thread(int t) {
    if (t < 2) {
      pool.Add(1);
      return pool.NotifyWork();
    }
    pool.TakeAsWorker();
  }
  void After() {}

  Pool pool;
};
const Scenario<TwoMake> two_make({
    .name = "two_make",
    .promise = "two threads that make work at a time wake a worker for each piece",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 takes back what it has made, if the worker has not been faster, and makes another piece:
// the worker that it has woken finds nothing, or that piece.
struct TakesBack {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t != 0) {
      pool.TakeAsWorker();
      return;
    }
    pool.Add(1);
    pool.NotifyWork();
    pool.Take();
    pool.Add(1);
    pool.NotifyWork();
  }
  void After() {}

  Pool pool;
};
const Scenario<TakesBack> takes_back({
    .name = "takes_back",
    .promise = "a worker that was woken in vain looks for what relies on it before it sleeps again",
    .searches = {Full(), ContextBound(3).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same, and two workers are there: a piece may be made when one was woken in vain.
struct WokenInVain {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t != 0) {
      pool.TakeAsWorker();
      return pool.Meet(2);
    }
    pool.NotifyWork();
    pool.Add(2);
    pool.NotifyWork();
  }
  void After() {}

  Pool pool;
};
const Scenario<WokenInVain> woken_in_vain({
    .name = "woken_in_vain",
    .promise = "a worker that was woken in vain wakes the next, too, once it has found work",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 ends everything: the other threads are sleepers that wait for that.
template <int kWaiters, int kIdles>
struct Ends {
  static constexpr int kThreads = 1 + kWaiters + kIdles;

  void Thread(int t) {
    if (t == 0) {
      payload.set(1);
      done.store(true, std::memory_order::relaxed);
      return kIdles == 0 ? pool.NotifyWaiters() : pool.NotifyAll();
    }
    bool slept = false;
    if (t <= kWaiters) {
      slept = pool.Await([this] { return done.load(std::memory_order::relaxed); });
    } else {
      const Call call("idle worker");
      auto key = pool.events.PrepareIdle();
      while (!done.load(std::memory_order::relaxed)) {
        pool.events.WaitIdle(key);
        slept = true;
        key = pool.events.PrepareAgain();
      }
      pool.events.EndIdle();
    }
    if (slept) Check(payload.get() == 1, kSeen);
  }
  void After() {}

  Pool pool;
  ModelSync::atomic<bool> done{false};
  ModelSync::plain<int> payload{0};
};
const Scenario<Ends<1, 0>> waiter({
    .name = "waiter",
    .promise = "a waiter is woken by the notification that follows its event",
    .searches = {Full(), ContextBound(3).DeferringStores().StaleExchanges().DeepHistory(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Ends<2, 0>> two_waiters({
    .name = "two_waiters",
    .promise = "each waiter is woken",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Ends<0, 2>> all_idle({
    .name = "all_idle",
    .promise = "NotifyAll wakes each idle worker",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Ends<1, 1>> all_kinds({
    .name = "all_kinds",
    .promise = "NotifyAll wakes sleepers of both kinds",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads wake a waiter, each by its own event. It announces itself for each, or stays
// announced.
template <bool kStays>
struct TwoWakers {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t < 2) {
      done[t].store(true, std::memory_order::relaxed);
      return pool.NotifyWaiters();
    }
    const auto is_done = [this](int i) { return done[i].load(std::memory_order::relaxed); };
    if (kStays) {
      pool.Await([&] { return is_done(0) && is_done(1); });
    } else {
      for (int i : {0, 1}) pool.Await([&] { return is_done(i); });
    }
  }
  void After() {}

  Pool pool;
  ModelSync::atomic<bool> done[2];
};
const Scenario<TwoWakers<false>> two_wakers({
    .name = "two_wakers",
    .promise = "two notifications at a time are two",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<TwoWakers<true>> stays_announced({
    .name = "stays_announced",
    .promise = "a waiter that looks again without another announcement misses no notification",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A waiter's event is work that was done: NotifyWork is for both.
struct WorkerAndWaiter {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 0) {
      pool.Add(1);
      done.store(true, std::memory_order::relaxed);
      const auto before = pool.events.Epoch();
      pool.NotifyWork();
      Check(pool.events.Epoch() != before, kNews);
    } else if (t == 1) {
      pool.Await([this] { return done.load(std::memory_order::relaxed); });
    } else {
      pool.TakeAsWorker();
    }
  }
  void After() {}

  Pool pool;
  ModelSync::atomic<bool> done{false};
};
const Scenario<WorkerAndWaiter> worker_and_waiter({
    .name = "worker_and_waiter",
    .promise = "NotifyWork wakes the waiters besides a worker",
    .searches = {ContextBound(3), ContextBound(1).DeferringStores().StaleExchanges(),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
