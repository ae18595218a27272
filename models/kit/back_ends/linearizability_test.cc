// The checker of histories: known histories, thousands of random ones compared with all
// permutations, and precedence under weak memory.
#include "models/kit/scenario/linearizability.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

struct RegisterOp {
  bool writes = false;
  int value = 0;
  std::string Words() const { return (writes ? "write " : "read ") + std::to_string(value); }
};

struct RegisterSpec {
  using Op = RegisterOp;
  struct State {
    int value = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    if (op.writes) state.value = op.value;
    return state.value == op.value;
  }
};

// A queue of at most four elements. A dequeue of 0 found the queue empty.
struct QueueOp {
  bool enqueues = false;
  int value = 0;
  std::string Words() const { return (enqueues ? "enqueue " : "dequeue ") + std::to_string(value); }
};

struct QueueSpec {
  using Op = QueueOp;
  struct State {
    std::array<int, 8> values{};
    std::size_t size = 0;
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    if (op.enqueues) {
      state.values[state.size++] = op.value;
      return true;
    }
    if (state.size == 0) return op.value == 0;
    if (state.values[0] != op.value) return false;
    std::shift_left(state.values.begin(), state.values.end(), 1);
    state.values[--state.size] = 0;
    return true;
  }
};

// The events of several threads, written one by one, with clocks as a machine would count them.
template <class Op>
class Written {
 public:
  VectorClock Invoke(int thread) { return Now(thread); }
  void Respond(int thread, const VectorClock& invoked, const Op& op) {
    history.Add({op, thread, invoked, Now(thread)});
  }
  void Do(int thread, const Op& op) {
    const VectorClock invoked = Invoke(thread);
    Respond(thread, invoked, op);
  }
  // Everything that `from` has done happens before the next step of `to`.
  void Tell(int from, int to) {
    for (std::size_t t = 0; t < kMaxThreads; ++t) {
      clock_[to][t] = std::max(clock_[to][t], clock_[from][t]);
    }
  }

  History<Op> history;

 private:
  VectorClock Now(int thread) {
    ++clock_[thread][static_cast<std::size_t>(thread)];
    return {thread, clock_[thread]};
  }

  std::array<std::uint32_t, kMaxThreads> clock_[kMaxThreads] = {};
};

template <class Spec>
bool IsLinearizable(const History<typename Spec::Op>& history) {
  const bool with_memory = Linearization<Spec>(history).Exists();
  CHECK(Linearization<Spec>(history, false).Exists() == with_memory);
  return with_memory;
}

TEST_CASE("a register answers with a write that may have been the last") {
  Written<RegisterOp> told;
  told.Do(0, {true, 1});
  told.Tell(0, 1);
  told.Do(1, {false, 0});
  CHECK_FALSE(IsLinearizable<RegisterSpec>(told.history));

  Written<RegisterOp> unordered;
  unordered.Do(0, {true, 1});
  unordered.Do(1, {false, 0});
  CHECK(IsLinearizable<RegisterSpec>(unordered.history));
  unordered.Do(1, {false, 1});
  CHECK(IsLinearizable<RegisterSpec>(unordered.history));
  unordered.Do(1, {false, 0});  // and back again
  CHECK_FALSE(IsLinearizable<RegisterSpec>(unordered.history));
}

TEST_CASE("two readers agree on the order of two writes") {
  Written<RegisterOp> written;
  written.Do(0, {true, 1});
  written.Do(1, {true, 2});
  written.Do(2, {false, 1});
  written.Do(2, {false, 2});
  CHECK(IsLinearizable<RegisterSpec>(written.history));
  written.Do(3, {false, 2});
  written.Do(3, {false, 1});
  CHECK_FALSE(IsLinearizable<RegisterSpec>(written.history));
}

// Herlihy and Wing's example: a queue between two processes, with and without overlapping enqueues.
TEST_CASE("a queue returns values in the order of enqueues that do not overlap") {
  for (const bool overlap : {false, true}) {
    Written<QueueOp> written;
    const VectorClock first = written.Invoke(0);
    if (!overlap) {
      written.Respond(0, first, {true, 1});
      written.Tell(0, 1);
    }
    written.Do(1, {true, 2});
    if (overlap) written.Respond(0, first, {true, 1});
    written.Do(1, {false, 2});
    CHECK(IsLinearizable<QueueSpec>(written.history) == overlap);
    written.Tell(1, 0);
    written.Do(0, {false, 1});
    CHECK(IsLinearizable<QueueSpec>(written.history) == overlap);
    written.Do(0, {false, 1});
    CHECK_FALSE(IsLinearizable<QueueSpec>(written.history));
  }
}

TEST_CASE("nothing is linearizable, and too few elements for two dequeues are not") {
  CHECK(IsLinearizable<QueueSpec>(History<QueueOp>()));
  Written<QueueOp> written;
  written.Do(0, {true, 1});
  written.Do(0, {true, 2});
  written.Do(1, {false, 1});
  written.Do(2, {false, 1});
  CHECK_FALSE(IsLinearizable<QueueSpec>(written.history));
}

// Tries every permutation. It has no pruning that could be wrong.
template <class Spec>
bool SomePermutationFits(const History<typename Spec::Op>& history) {
  std::vector<std::size_t> order(history.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    typename Spec::State state{};
    bool fits = true;
    for (std::size_t i = 0; fits && i < order.size(); ++i) {
      for (std::size_t k = i + 1; fits && k < order.size(); ++k) {
        fits = !history[order[k]].Precedes(history[order[i]]);
      }
      fits = fits && Spec::Apply(state, history[order[i]].op);
    }
    if (fits) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

// Threads that begin operations, end them, and synchronise at random.
template <class Op, class MakeOp>
History<Op> RandomHistory(std::mt19937& random, int operations, MakeOp&& make) {
  constexpr int kThreads = 3;
  Written<Op> written;
  std::optional<VectorClock> invoked[kThreads];
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  while (static_cast<int>(written.history.size()) < operations) {
    const int t = draw(kThreads);
    if (draw(3) == 0) {
      written.Tell(t, draw(kThreads));
    } else if (!invoked[t]) {
      invoked[t] = written.Invoke(t);
    } else {
      written.Respond(t, *invoked[t], make(draw));
      invoked[t].reset();
    }
  }
  return written.history;
}

TEST_CASE("random histories: the same verdict as all permutations, with memory and without") {
  constexpr unsigned kSeed = 1990;
  std::mt19937 random(kSeed);
  INFO("seed " << kSeed);
  int linearizable = 0;
  constexpr int kHistories = 6'000;
  for (int i = 0; i < kHistories; ++i) {
    const int operations = 2 + i % 5;
    const auto on_register = RandomHistory<RegisterOp>(random, operations, [](auto& draw) {
      return RegisterOp{draw(2) == 0, draw(3)};
    });
    int next = 0;
    const auto on_queue = RandomHistory<QueueOp>(random, operations, [&](auto& draw) {
      return draw(2) == 0 ? QueueOp{true, ++next} : QueueOp{false, draw(next + 1)};
    });
    const bool first = IsLinearizable<RegisterSpec>(on_register);
    const bool second = IsLinearizable<QueueSpec>(on_queue);
    REQUIRE(first == SomePermutationFits<RegisterSpec>(on_register));
    REQUIRE(second == SomePermutationFits<QueueSpec>(on_queue));
    linearizable += first + second;
  }
  // Neither verdict is rare, so both were compared.
  CHECK(linearizable > kHistories / 2);
  CHECK(linearizable < 3 * kHistories / 2);
}

// A lock that may answer "busy" only while another operation is in progress.
struct TryLockOp {
  bool locked = false;
  std::string Words() const { return locked ? "locked" : "busy"; }
};
struct TryLockSpec {
  using Op = TryLockOp;
  struct State {
    bool operator==(const State&) const = default;
  };
  static bool Apply(State&, const Op& op, const Context<Op>& context) {
    return op.locked || context.Overlapped([](const Op& other) { return other.locked; });
  }
};

TEST_CASE("a specification can look at overlapping operations") {
  Written<TryLockOp> written;
  written.Do(0, {true});
  written.Do(1, {false});
  CHECK(IsLinearizable<TryLockSpec>(written.history));
  written.Tell(0, 2);
  written.Do(2, {false});
  CHECK_FALSE(IsLinearizable<TryLockSpec>(written.history));
}

TEST_CASE("a failure shows the operations, their order, and how far it came") {
  Written<RegisterOp> written;
  written.Do(0, {true, 1});
  written.Tell(0, 1);
  written.Do(1, {false, 1});
  written.Do(1, {false, 0});
  Linearization<RegisterSpec> linearization(written.history);
  REQUIRE_FALSE(linearization.Exists());
  const auto lines = LinesOf(written.history);
  CHECK(FormatHistory(lines) + "\n" + FormatLongest(lines, linearization.order()) ==
        "  history\n"
        "    thread 0  #1 write 1\n"
        "    thread 1  #2 read 1   after #1\n"
        "    thread 1  #3 read 0\n"
        "  longest linearization: #1 #2\n"
        "  could be next, and does not fit: #3");
}

// --- under a machine ---

template <class S>
SearchResult Run(const Search& search = Full()) {
  SiteTable sites;
  return RunSearch(Scenario<S>::Entry({.name = "history", .promise = "", .searches = {}}), search,
                   {}, sites);
}

// Moments before and after a store, and moments of a load that saw the store.
template <Order kStore, Order kLoad>
struct VectorClocks {
  static constexpr int kThreads = 2;
  static constexpr bool kSynchronises = kStore == Order::release && kLoad == Order::acquire;

  VectorClocks() : set_up(CurrentMachine()->Now()) {}
  void Thread(int t) {
    if (t == 0) {
      before = CurrentMachine()->Now();
      flag.store(true, kStore);
      after = CurrentMachine()->Now();
    } else {
      first = CurrentMachine()->Now();
      saw = flag.load(kLoad);
      second = CurrentMachine()->Now();
    }
  }
  void After() {
    const VectorClock end = CurrentMachine()->Now();
    for (const VectorClock& moment : {before, after, first, second}) {
      Check(set_up.HappensBefore(moment) && moment.HappensBefore(end), "set-up, threads, after");
      Check(!moment.HappensBefore(moment) && !end.HappensBefore(moment), "one direction");
    }
    Check(before.HappensBefore(after) && first.HappensBefore(second), "program order");
    Check(before.HappensBefore(second) == (saw && kSynchronises), "synchronises with");
    Check(!after.HappensBefore(second) && !before.HappensBefore(first), "and not more");
  }

  VectorClock set_up, before, after, first, second;
  ModelSync::atomic<bool> flag{false};
  bool saw = false;
};

TEST_CASE("a moment happens before another by program order and synchronisation, exactly") {
  for (const Search& search : {Full(), Random(500), Full().DeferringStores().DeepHistory()}) {
    CHECK_FALSE(Run<VectorClocks<Order::release, Order::acquire>>(search).failure);
    CHECK_FALSE(Run<VectorClocks<Order::relaxed, Order::acquire>>(search).failure);
    CHECK_FALSE(Run<VectorClocks<Order::release, Order::relaxed>>(search).failure);
  }
}

// A register made of one relaxed atomic, with the order of happens-before or with the order of the
// schedule, which counts every invocation and response.
template <bool kScheduleOrder>
struct RelaxedRegister {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const VectorClock invoked = Now();
    RegisterOp op{t == 0, 1};
    if (t == 0) {
      cell.store(1, Order::relaxed);
    } else {
      op.value = cell.load(Order::relaxed);
    }
    history.Add({op, t, invoked, Now()});
  }
  void After() { CheckLinearizable<RegisterSpec>(history, "a register is linearizable"); }

  VectorClock Now() {
    if (!kScheduleOrder) return CurrentMachine()->Now();
    return {0, {++schedule}};
  }

  ModelSync::atomic<int> cell{0};
  History<RegisterOp> history;
  std::uint32_t schedule = 0;
};

TEST_CASE("a relaxed register is linearizable over happens-before, and not over the schedule") {
  CHECK_FALSE(Run<RelaxedRegister<false>>().failure);
  const SearchResult result = Run<RelaxedRegister<true>>();
  REQUIRE(result.failure);
  CHECK(result.failure->Label() == "a register is linearizable");
  CHECK(result.failure->words.find("thread 1  #2 read 0   after #1") != std::string::npos);
}

// A "register" with a copy per reader. A reader misses a write that was published to it.
template <Order kTell>
struct TwoCopies {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      history.Record("Write", [&] {
        copies[0].store(1, Order::relaxed);
        return RegisterOp{true, 1};
      });
      told.store(true, kTell);
      copies[1].store(1, Order::relaxed);
    } else if (told.load(Order::acquire)) {
      history.Record("Read", [&] { return RegisterOp{false, copies[1].load(Order::relaxed)}; });
    }
  }
  void After() { CheckLinearizable<RegisterSpec>(history, "a register is linearizable"); }

  ModelSync::atomic<int> copies[2];
  ModelSync::atomic<bool> told{false};
  History<RegisterOp> history;
};

TEST_CASE("a reader must see a write that was published to it, and no other") {
  CHECK(Run<TwoCopies<Order::release>>().failure);
  CHECK_FALSE(Run<TwoCopies<Order::relaxed>>().failure);
}

}  // namespace
}  // namespace nowait::model
