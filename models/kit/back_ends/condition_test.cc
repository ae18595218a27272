// Condition variables: spurious and lost wake-ups are found, and correct use passes.
#include <catch2/catch.hpp>
#include <string>

#include "models/kit/engine/run_search.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

template <class S>
SearchResult Run(const Search& search) {
  SiteTable sites;
  return RunSearch(Scenario<S>::Entry({.name = "condition", .promise = "", .searches = {}}), search,
                   {}, sites);
}

template <class S>
std::string FailureOf(const Search& search) {
  const SearchResult result = Run<S>(search);
  return result.failure ? result.failure->Label() : "none";
}
// The verdict of both back ends if they agree, otherwise the verdict of each.
template <class S>
std::string FailureOf() {
  const std::string relacy = FailureOf<S>(Full());
  const std::string exhaustive = FailureOf<S>(Graphs());
  return relacy == exhaustive ? relacy : relacy + " and " + exhaustive;
}

// Thread 0 makes a condition true; the other threads wait for it.
struct Waiting {
  void MakeReady() {
    mutex.lock();
    ready.set(true);
    changed.notify_all();
    mutex.unlock();
  }

  ModelSync::mutex mutex;
  ModelSync::condition_variable changed;
  ModelSync::plain<bool> ready{false};
};

template <int kWaiters>
struct InLoop : Waiting {
  static constexpr int kThreads = 1 + kWaiters;
  void Thread(int t) {
    if (t == 0) return MakeReady();
    mutex.lock();
    while (!ready.get()) changed.wait(mutex);
    Check(ready.get(), "the thing waited for is there");
    mutex.unlock();
  }
};

struct WithoutLoop : Waiting {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) return MakeReady();
    mutex.lock();
    if (!ready.get()) changed.wait(mutex);
    Check(ready.get(), "the thing waited for is there");
    mutex.unlock();
  }
};

TEST_CASE("a wait in a loop passes, exhaustively; one outside a loop trusts every wake-up") {
  CHECK(FailureOf<InLoop<1>>() == "none");
  CHECK(Run<InLoop<1>>(Full()).exhausted);
  CHECK(FailureOf<InLoop<1>>(Full().DeferringStores()) == "none");
  CHECK(FailureOf<InLoop<2>>(ContextBound(3)) == "none");
  CHECK(FailureOf<InLoop<2>>(Graphs()) == "none");
  for (const Search& search : {Full(), ContextBound(0), Random(1'000)}) {
    const SearchResult result = Run<WithoutLoop>(search);
    REQUIRE(result.failure);
    CHECK(result.failure->Label() == "the thing waited for is there");
    CHECK(result.trace.Format().find("condition wake spuriously") != std::string::npos);
  }
}

// Tests the condition, unlocks the mutex, and then waits for a change that may have already come.
struct LooksTooEarly : Waiting {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) return MakeReady();
    mutex.lock();
    const bool is_ready = ready.get();
    mutex.unlock();
    if (is_ready) return;
    mutex.lock();
    changed.wait(mutex);
    mutex.unlock();
  }
};

// Changes the condition without the mutex, between the waiter's test and its sleep.
struct NotifiesOutside {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      ready.store(true, std::memory_order::relaxed);
      changed.notify_all();
    } else {
      mutex.lock();
      while (!ready.load(std::memory_order::relaxed)) changed.wait(mutex);
      mutex.unlock();
    }
  }
  ModelSync::mutex mutex;
  ModelSync::condition_variable changed;
  ModelSync::atomic<bool> ready{false};
};

// Two threads wait, and one of them is woken.
template <bool kAll>
struct TwoSleepers : Waiting {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    mutex.lock();
    if (t == 0) {
      ready.set(true);
      kAll ? changed.notify_all() : changed.notify_one();
    } else {
      while (!ready.get()) changed.wait(mutex);
    }
    mutex.unlock();
  }
};

TEST_CASE("a lost wake-up is a deadlock") {
  CHECK(FailureOf<LooksTooEarly>() == "deadlock");
  CHECK(FailureOf<NotifiesOutside>() == "deadlock");
  CHECK(FailureOf<TwoSleepers<false>>(ContextBound(2)) == "deadlock");
  CHECK(FailureOf<TwoSleepers<false>>(Graphs()) == "deadlock");
  CHECK(FailureOf<TwoSleepers<true>>(ContextBound(2)) == "none");
  CHECK(FailureOf<TwoSleepers<true>>(Graphs()) == "none");
}

struct WithoutMutex : Waiting {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) changed.wait(mutex);
  }
};

// A wake-up orders nothing; only the mutex does.
struct NotifiedByRelaxed {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set(1);
      ready.store(true, std::memory_order::relaxed);
      changed.notify_all();
      mutex.lock();
      changed.notify_all();
      mutex.unlock();
    } else {
      mutex.lock();
      if (!ready.load(std::memory_order::relaxed)) changed.wait(mutex);
      if (ready.load(std::memory_order::relaxed)) data.get();
      mutex.unlock();
    }
  }
  ModelSync::mutex mutex;
  ModelSync::condition_variable changed;
  ModelSync::plain<int> data{0};
  ModelSync::atomic<bool> ready{false};
};

TEST_CASE("misuse") {
  CHECK(FailureOf<WithoutMutex>() == "mutex misuse");
  CHECK(FailureOf<NotifiedByRelaxed>() == "data race");
}

}  // namespace
}  // namespace nowait::model
