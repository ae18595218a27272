// In a watched program, threads that share plain memory outside the policy are reported, with the
// place; threads that order it by means of the policy are left alone. Compiled with
// -fsanitize=thread.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/kit/exhaustive/explore.h"
#include "models/kit/scenario/history.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

int counter = 0;

// Threads that communicate through a variable of the program.
struct SharesGlobal {
  static constexpr int kThreads = 2;
  SharesGlobal() { counter = 0; }
  void Thread(int t) {
    x.store(t, Order::relaxed);
    ++counter;
  }
  ModelSync::atomic<int> x{0};
};

std::string Failing(const Explored& explored) {
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kUnregisteredMemory);
  CHECK_FALSE(explored.passed());
  return explored.failure->words;
}

TEST_CASE("a variable of the program") {
  const Explored explored = Explore<SharesGlobal>();
  const std::string words = Failing(explored);
  CHECK_THAT(words, Catch::Contains("4 bytes of nowait::model::(anonymous namespace)::counter\n"));
  CHECK_THAT(words, Catch::Contains("before: thread 0 writes it in ") &&
                        Catch::Contains("now: thread 1 ") && Catch::Contains("SharesGlobal"));
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("watched_test.cc:27"));
}

// An undeclared flag; the thread that runs first decides which value is seen.
struct ForgetsToDeclare {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      flag = true;
    } else {
      seen = flag;
    }
    x.fetch_add(1, Order::relaxed);
  }
  ModelSync::atomic<int> x{0};
  bool seen = false;
  bool flag = false;
};

TEST_CASE("a member of the scenario") {
  CHECK_THAT(Failing(Explore<ForgetsToDeclare>()), Catch::Contains("1 bytes of the scenario"));
}

// Memory allocated by one thread and published with an order that is too weak.
template <Order kStore>
struct Publishes {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      numbers.emplace_back(7);
      published.store(&numbers, kStore);
    } else if (const auto* seen = published.load(Order::acquire)) {
      Check(seen->size() == 1 && seen->front() == 7, "the published value is there");
    }
  }
  std::vector<std::int64_t> numbers;
  ModelSync::atomic<const std::vector<std::int64_t>*> published{nullptr};
};

TEST_CASE("a published block must be released") {
  CHECK(Explore<Publishes<Order::release>>().passed());
  Failing(Explore<Publishes<Order::relaxed>>());
}

// An atomic outside the policy.
struct SharesRawAtomic {
  static constexpr int kThreads = 2;
  void Thread(int) { x.fetch_add(1, Order::relaxed); }
  std::atomic<int> x{0};
};

TEST_CASE("an atomic that the checker does not know") { Failing(Explore<SharesRawAtomic>()); }

// Each thread's own bytes, a result for After, a history: data that threads do not exchange.
struct SharesNothing {
  struct Op {
    int value;
  };
  static constexpr int kThreads = 3;
  void Thread(int t) {
    const auto mine = static_cast<std::size_t>(t);
    bytes[mine] = static_cast<std::uint8_t>(t);
    history.Record("Add", [&] { return Op{x.fetch_add(1, Order::relaxed)}; });
    auto local = std::make_unique<int>(bytes[mine]);
    total.fetch_add(*local, Order::relaxed);
  }
  void After() {
    Check(bytes[2] == 2 && history.size() == 3 && total.load(Order::relaxed) == 3,
          "all is as the threads left it");
  }
  std::array<std::uint8_t, 3> bytes{};
  History<Op> history;
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> total{0};
};

TEST_CASE("threads that share nothing else") {
  const Explored explored = Explore<SharesNothing>();
  INFO(explored);
  CHECK(explored.passed());
}

// The mutex belongs to the policy, but the datum that it guards does not.
template <bool kLocks>
struct Guards {
  static constexpr int kThreads = 2;
  void Thread(int) {
    if (kLocks) mutex.lock();
    numbers.push_back(1);
    if (kLocks) mutex.unlock();
  }
  ModelSync::mutex mutex;
  std::vector<int> numbers;
};

TEST_CASE("data guarded by a mutex") {
  CHECK(Explore<Guards<true>>().passed());
  Failing(Explore<Guards<false>>());
}

// A variable on one thread's stack, which another thread writes.
struct SharesStack {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      int own = 0;
      where.store(&own, Order::release);
      done.load(Order::relaxed);
      Check(own >= 0, "it holds a value that a thread wrote");
    } else if (int* other = where.load(Order::acquire)) {
      *other = 1;
      done.store(1, Order::relaxed);
    }
  }
  ModelSync::atomic<int*> where{nullptr};
  ModelSync::atomic<int> done{0};
};

TEST_CASE("a variable of a thread's stack") { Failing(Explore<SharesStack>()); }

// A block that one thread frees and another one gets.
struct PassesBlock {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    int* number = ModelSync::New<int>(t);
    *number += 1;
    ModelSync::Delete(number);
  }
};

TEST_CASE("memory that is freed and allocated again") {
  const Explored explored = Explore<PassesBlock>();
  INFO(explored);
  CHECK(explored.passed());
}

// A block without policy data, which one thread reads while another deletes it.
template <Order kStore>
struct ReadsWhatIsDeleted {
  static constexpr int kThreads = 2;
  ReadsWhatIsDeleted() : number(ModelSync::New<int>(7)) {}
  void Thread(int t) {
    if (t == 0) {
      seen = *number;
      done.store(true, kStore);
    } else if (done.load(Order::acquire)) {
      ModelSync::Delete(number);
      number = nullptr;
    }
  }
  void After() { ModelSync::Delete(number); }
  int* number;
  int seen = 0;
  ModelSync::atomic<bool> done{false};
};

TEST_CASE("the end of a block is ordered after its last use") {
  CHECK(Explore<ReadsWhatIsDeleted<Order::release>>().passed());
  CHECK_THAT(Failing(Explore<ReadsWhatIsDeleted<Order::relaxed>>()),
             Catch::Contains("thread 1 deletes it"));
}

}  // namespace
}  // namespace nowait::model
