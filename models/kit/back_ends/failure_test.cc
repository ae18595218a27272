// Every kind of failure is reported where it occurs, and nowhere else.
#undef NDEBUG  // as models/model.bzl does for the modelled source
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/diagnosis/diagnosed.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"
#include "src/base/assert.h"

namespace nowait::model {
namespace {

using diagnosed::Publication;
using Order = std::memory_order;

template <class S>
SearchResult Run(const Search& search, const Start& start = {}) {
  SiteTable sites;
  return RunSearch(Scenario<S>::Entry({.name = "failing", .promise = "", .searches = {}}), search,
                   start, sites);
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

TEST_CASE("plain data published with too weak an order is a data race") {
  for (const Search& search : {Full(), ContextBound(1), Random(1'000), Graphs()}) {
    CHECK(FailureOf<Publication<Order::release, Order::acquire>>(search) == "none");
    CHECK(FailureOf<Publication<Order::relaxed, Order::acquire>>(search) == "data race");
    CHECK(FailureOf<Publication<Order::release, Order::relaxed>>(search) == "data race");
  }
}

struct Counting {
  static constexpr int kThreads = 2;
  void Thread(int) {
    const int seen = count.load(Order::relaxed);
    count.store(seen + 1, Order::relaxed);
  }
  void After() { Check(count.load(Order::relaxed) == 2, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};

TEST_CASE("a broken invariant is named, traced and can be repeated") {
  for (const Search& search : {Full(), ContextBound(1), Random(1'000), Graphs()}) {
    const SearchResult result = Run<Counting>(search);
    REQUIRE(result.failure);
    CHECK(result.failure->Label() == "no increment is lost");
    CHECK(result.trace.Format().find("failure_test.cc") != std::string::npos);

    const SearchResult again = Run<Counting>(search, result.replay);
    REQUIRE(again.failure);
    CHECK(again.executions == 1);
    CHECK(again.failure->Label() == "no increment is lost");
    CHECK(again.trace.Format() == result.trace.Format());
  }
}

TEST_CASE("a search repeats itself") {
  CHECK(Run<Counting>(Random(1'000)).replay.seed == Run<Counting>(Random(1'000)).replay.seed);
  using Sound = Publication<Order::release, Order::acquire>;
  CHECK(Run<Sound>(Full()).executions == Run<Sound>(Full()).executions);
  CHECK(Run<Sound>(Full()).exhausted);
  CHECK(Run<Sound>(ContextBound(1)).executions < Run<Sound>(Full()).executions);
  CHECK_FALSE(Run<Sound>(Full().AtMost(2)).exhausted);
  CHECK(Run<Sound>(Full().AtMost(2)).executions == 2);
}

// Thread 0 makes an object, passes it to thread 1, and deletes it once a flag permits that.
template <bool kWaits>
struct Handover {
  static constexpr int kThreads = 2;
  struct Node {
    ModelSync::atomic<int> value{1};
  };
  void Thread(int t) {
    if (t == 0) {
      Node* node = ModelSync::New<Node>();
      shared.store(node, Order::release);
      while (kWaits && !done.load(Order::acquire)) ModelSync::Yield();
      ModelSync::Delete(node);
    } else {
      if (Node* node = shared.load(Order::acquire)) node->value.load(Order::relaxed);
      done.store(true, Order::release);
    }
  }
  ModelSync::atomic<Node*> shared{nullptr};
  ModelSync::atomic<bool> done{false};
};

TEST_CASE("use after free, and an end that nothing orders after the last use") {
  CHECK(FailureOf<Handover<true>>(ContextBound(2)) == "none");
  CHECK(FailureOf<Handover<true>>(Graphs()) == "none");
  CHECK(FailureOf<Handover<true>>(Random(2'000)) == "none");
  const std::string found = FailureOf<Handover<false>>();
  CHECK((found == "use after free" || found == "data race"));
}

struct UsedAfterFree {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t != 0) return;
    auto* array = ModelSync::NewArray<ModelSync::atomic<int>>(3);
    ModelSync::DeleteArray(array);
    array[1].load(Order::relaxed);
  }
};

struct FreedTwice {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t != 0) return;
    int* number = ModelSync::New<int>(1);
    ModelSync::Delete(number);
    ModelSync::Delete(number);
  }
};

struct Leaking {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ModelSync::New<int>(1);
  }
};

TEST_CASE("misuse of memory") {
  CHECK(FailureOf<UsedAfterFree>() == "use after free");
  CHECK(FailureOf<FreedTwice>() == "double free");
  CHECK(FailureOf<Leaking>() == "leak");
}

struct TooStrongForAStore {
  static constexpr int kThreads = 2;
  void Thread(int) { x.store(1, Order::acquire); }
  ModelSync::atomic<int> x{0};
};
struct TooStrongForALoad {
  static constexpr int kThreads = 2;
  void Thread(int) { x.load(Order::acq_rel); }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("an order that an operation does not take is an error") {
  CHECK(FailureOf<TooStrongForAStore>() == "invalid order");
  CHECK(FailureOf<TooStrongForALoad>() == "invalid order");
}

// The structure under test asserts a condition that only some executions violate.
struct Asserting {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      x.store(1, Order::relaxed);
    } else {
      const bool is_first = x.load(Order::relaxed) == 0;
      NOWAIT_ASSERT(is_first, "no thread was here before");
    }
  }
  ModelSync::atomic<int> x{0};
};

struct AssertingInSetUp {
  static constexpr int kThreads = 2;
  AssertingInSetUp() { NOWAIT_ASSERT(kThreads == 3, "there are three"); }
  void Thread(int) {}
};

struct AssertingAfterwards {
  static constexpr int kThreads = 2;
  ~AssertingAfterwards() { NOWAIT_ASSERT(kThreads == 3, "there were three"); }
  void Thread(int) {}
};

TEST_CASE("an assertion that fails is reported, traced and can be repeated") {
  for (const Search& search : {Full(), ContextBound(1), Random(1'000), Graphs()}) {
    const SearchResult result = Run<Asserting>(search);
    REQUIRE(result.failure);
    CHECK(result.failure->Label() == "assertion");
    CHECK(result.failure->words == "no thread was here before");
    CHECK(std::string(result.failure->site.file_name()).find("failure_test") != std::string::npos);
    CHECK(result.trace.Format().find("reads 1") != std::string::npos);

    const SearchResult again = Run<Asserting>(search, result.replay);
    REQUIRE(again.failure);
    CHECK(again.executions == 1);
    CHECK(again.trace.Format() == result.trace.Format());
  }
  CHECK(FailureOf<AssertingInSetUp>() == "assertion");
  CHECK(FailureOf<AssertingAfterwards>() == "assertion");
}

// The sleeper tests and sleeps in two steps, or in one step as wait does (kAtOnce).
template <bool kAtOnce>
struct WakeUp {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      ready.store(1, Order::release);
      (kAtOnce ? ready : signal).notify_all();
    } else if (kAtOnce) {
      ready.wait(0, Order::acquire);
    } else if (ready.load(Order::acquire) == 0) {
      signal.wait(0, Order::acquire);
    }
  }
  ModelSync::atomic<int> ready{0};
  ModelSync::atomic<int> signal{0};
};

TEST_CASE("a lost wake-up is a deadlock") {
  CHECK(FailureOf<WakeUp<false>>() == "deadlock");
  CHECK(FailureOf<WakeUp<true>>() == "none");
  CHECK(FailureOf<WakeUp<true>>(Full().DeferringStores()) == "none");
}

// Two sleepers, and one notification: for both of them (kAll) or for one of them.
template <bool kAll>
struct TwoSleepers {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t != 0) {
      ready.wait(0, Order::acquire);
      return;
    }
    ready.store(1, Order::release);
    if (kAll) {
      ready.notify_all();
    } else {
      ready.notify_one();
    }
  }
  ModelSync::atomic<int> ready{0};
};

TEST_CASE("waking one where two sleep is a deadlock") {
  CHECK(FailureOf<TwoSleepers<false>>() == "deadlock");
  CHECK(FailureOf<TwoSleepers<true>>() == "none");
}

enum class Until { kSleeps, kPolls, kLooksOnce };

// Three jobs and one worker, which takes one job too few (kLost). Another thread waits for all the
// jobs: it sleeps, polls, or does not wait at all.
template <Until kUntil, bool kLost>
struct UnfinishedJobs {
  static constexpr int kThreads = 2;
  static constexpr int kJobs = 3;
  void Thread(int t) {
    if (t == 0) {
      for (int i = 0; i < (kLost ? kJobs - 1 : kJobs); ++i) {
        if (unfinished.fetch_sub(1, Order::release) == 1) unfinished.notify_all();
      }
    } else if (kUntil != Until::kLooksOnce) {
      for (int left; (left = unfinished.load(Order::acquire)) != 0;) {
        if (kUntil == Until::kSleeps) {
          unfinished.wait(left, Order::acquire);
        } else {
          ModelSync::Yield();
        }
      }
    }
  }
  void After() { Check(unfinished.load(Order::relaxed) == 0, "every job was run"); }
  ModelSync::atomic<int> unfinished{kJobs};
};

TEST_CASE("a job that is never run is found, however one waits for it") {
  CHECK(FailureOf<UnfinishedJobs<Until::kSleeps, true>>(ContextBound(2)) == "deadlock");
  CHECK(FailureOf<UnfinishedJobs<Until::kSleeps, true>>(Graphs()) == "deadlock");
  CHECK(FailureOf<UnfinishedJobs<Until::kPolls, true>>(ContextBound(2)) == "livelock");
  CHECK(FailureOf<UnfinishedJobs<Until::kPolls, true>>(Graphs()) == "livelock");
  CHECK(FailureOf<UnfinishedJobs<Until::kLooksOnce, true>>(ContextBound(2)) == "every job was run");
  CHECK(FailureOf<UnfinishedJobs<Until::kLooksOnce, true>>(Graphs()) == "every job was run");
  CHECK(FailureOf<UnfinishedJobs<Until::kLooksOnce, false>>(ContextBound(2)) == "none");
  CHECK(FailureOf<UnfinishedJobs<Until::kLooksOnce, false>>(Graphs()) == "none");
}

// A wait that orders nothing must not be mistaken for one that orders.
template <Order kWait>
struct WaitThenRead {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set(1);
      ready.store(1, Order::release);
      ready.notify_one();
    } else {
      ready.wait(0, kWait);
      data.get();
    }
  }
  ModelSync::plain<int> data{0};
  ModelSync::atomic<int> ready{0};
};

TEST_CASE("waking up orders nothing; the wait's own read does") {
  CHECK(FailureOf<WaitThenRead<Order::acquire>>() == "none");
  CHECK(FailureOf<WaitThenRead<Order::relaxed>>() == "data race");
}

template <bool kSameOrder>
struct TwoLocks {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    ModelSync::mutex& first = t == 0 || kSameOrder ? a : b;
    ModelSync::mutex& second = t == 0 || kSameOrder ? b : a;
    first.lock();
    second.lock();
    data.set(data.get() + 1);
    second.unlock();
    first.unlock();
  }
  ModelSync::mutex a;
  ModelSync::mutex b;
  ModelSync::plain<int> data{0};
};

struct UnlockedByAStranger {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) a.unlock();
  }
  ModelSync::mutex a;
};

TEST_CASE("mutexes order what they guard, and can deadlock") {
  CHECK(FailureOf<TwoLocks<true>>() == "none");
  CHECK(FailureOf<TwoLocks<false>>() == "deadlock");
  CHECK(FailureOf<UnlockedByAStranger>() == "mutex misuse");
}

struct Spinning {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    while (t == 0 && !never.load(Order::relaxed)) ModelSync::Yield();
  }
  ModelSync::atomic<bool> never{false};
};

TEST_CASE("a retry loop without progress is a livelock") {
  CHECK(FailureOf<Spinning>() == "livelock");
}

}  // namespace
}  // namespace nowait::model
