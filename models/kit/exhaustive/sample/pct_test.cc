// The sample of execution graphs: it finds defects as often as its bound says, weak ones too, and
// it reaches every execution of a small scenario.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/exhaustive/sample/run_pct.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

template <class S>
SearchResult Run(const Search& search, const SearchControl& control = {}, const Start& start = {}) {
  SiteTable sites;
  const ScenarioEntry entry = Scenario<S>::Entry({.name = "", .promise = "", .searches = {}});
  return search.kind == Search::Kind::kPct ? RunPct(entry, search, start, sites, control)
                                           : RunExhaustive(entry, search, start, sites, control);
}

template <Order kStore, Order kLoad>
struct Message {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      content.store(1, Order::relaxed);
      flag.store(1, kStore);
    } else if (flag.load(kLoad) == 1) {
      Check(content.load(Order::relaxed) == 1, "the flag comes with its content");
    }
  }
  ModelSync::atomic<int> content{0};
  ModelSync::atomic<int> flag{0};
};

// Depth 2: one thread is interrupted between its load and its store.
struct LostUpdate {
  static constexpr int kThreads = 3;
  void Thread(int) { count.store(count.load(Order::seq_cst) + 1, Order::seq_cst); }
  void After() { Check(count.load(Order::relaxed) == kThreads, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};

// Depth 3: each thread is interrupted once, by the other one.
struct TakesTurns {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      turn.store(1, Order::seq_cst);
      if (answer.load(Order::seq_cst) == 1) turn.store(2, Order::seq_cst);
    } else if (turn.load(Order::seq_cst) == 1) {
      answer.store(1, Order::seq_cst);
      Check(turn.load(Order::seq_cst) != 2, "the turn does not pass meanwhile");
    }
  }
  ModelSync::atomic<int> turn{0};
  ModelSync::atomic<int> answer{0};
};

// The number of walks 1 .. `walks` that fail.
template <class S>
unsigned Failing(unsigned depth, std::uint64_t walks) {
  unsigned failing = 0;
  for (std::uint64_t next = 1; next <= walks; ++failing) {
    const SearchResult result = Run<S>(Pct(depth, walks + 1 - next), {}, {next, ""});
    if (!result.failure || !result.replay.state.empty()) break;
    next = result.replay.seed + 1;
  }
  return failing;
}

// The bound of run_pct.h, with the numbers of these scenarios counted by hand.
TEST_CASE("defects are found at least as often as the bound says") {
  struct Defect {
    unsigned (*failing)(unsigned depth, std::uint64_t walks);
    std::uint64_t walks;
    Sampled sampled;
  };
  const Defect defects[] = {
      {Failing<Message<Order::relaxed, Order::acquire>>,
       3'000,
       {.depth = 2, .threads = 2, .steps = 4, .choices = 1}},
      {Failing<LostUpdate>, 5'000, {.depth = 2, .threads = 3, .steps = 6, .choices = 3}},
      {Failing<TakesTurns>, 60'000, {.depth = 3, .threads = 2, .steps = 6, .choices = 2}},
  };
  for (const Defect& defect : defects) {
    const unsigned found = defect.failing(defect.sampled.depth, defect.walks);
    const double expected = static_cast<double>(defect.walks) * defect.sampled.LeastProbability();
    INFO(found << " of " << defect.walks << ", the bound promises " << expected);
    // Four standard deviations below, so that no choice of numbers fails by chance.
    CHECK(found >= expected - 4 * std::sqrt(expected));
    CHECK(found > 0);
  }
}

TEST_CASE("a walk of depth 1 is interrupted nowhere, and reads nothing stale") {
  CHECK(Failing<LostUpdate>(1, 200) == 0);
  CHECK(Failing<Message<Order::relaxed, Order::relaxed>>(1, 200) == 0);
}

TEST_CASE("what the memory model forbids is not sampled") {
  const SearchResult result = Run<Message<Order::release, Order::acquire>>(Pct(4, 3'000));
  CHECK_FALSE(result.failure);
  CHECK(result.executions == 3'000);
  CHECK_FALSE(result.exhausted);
}

template <int kCount>
struct Buffers {
  static constexpr int kThreads = kCount;
  void Thread(int t) {
    cells[static_cast<std::size_t>(t)].store(1, Order::relaxed);
    cells[static_cast<std::size_t>((t + 1) % kCount)].load(Order::relaxed);
    cells[0].fetch_add(1, Order::relaxed);
  }
  std::array<ModelSync::atomic<int>, kCount> cells{};
};

// Both first stores may be the last in modification order, which no interleaving shows.
struct StoresCross {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    (t == 0 ? x : y).store(1, Order::relaxed);
    (t == 0 ? y : x).store(2, Order::relaxed);
  }
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

struct Exchanges {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    int found = 0;
    while (!x.compare_exchange_weak(found, found + t + 1, Order::relaxed, Order::relaxed)) {
    }
  }
  ModelSync::atomic<int> x{0};
};

struct Waits {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t == 2) {
      while (flags[0].load(Order::relaxed) + flags[1].load(Order::relaxed) < 2) ModelSync::Yield();
    } else {
      mutex.lock();
      flags[static_cast<std::size_t>(t)].store(1, Order::relaxed);
      mutex.unlock();
    }
  }
  std::array<ModelSync::atomic<int>, 2> flags{};
  ModelSync::mutex mutex;
};

TEMPLATE_TEST_CASE("every execution is reached, and no other one", "", Buffers<2>, Buffers<3>,
                   StoresCross, Exchanges, Waits) {
  const SearchResult all = Run<TestType>(Graphs().EveryTry());
  const SearchResult sample = Run<TestType>(Pct(8, 20'000));
  REQUIRE(sample.sampled);
  CHECK(sample.sampled->different == all.executions);
  CHECK(sample.sampled->estimated == Approx(static_cast<double>(all.executions)).epsilon(0.3));
  CHECK(sample.sampled->lower <= sample.sampled->upper);
}

TEST_CASE("a failure is found again by its number, in any shard and from any piece") {
  using Defect = Message<Order::relaxed, Order::relaxed>;
  const SearchResult found = Run<Defect>(Pct(2, 1'000));
  REQUIRE(found.failure);
  CHECK(found.failure->words == "the flag comes with its content");
  CHECK(found.trace.last() > 0);
  const SearchResult again = Run<Defect>(Pct(2, 1), {}, found.replay);
  REQUIRE(again.failure);
  CHECK(again.trace.Format() == found.trace.Format());

  SearchControl control;
  control.shard = {static_cast<unsigned>(found.replay.seed % 3), 3};
  CHECK(Run<Defect>(Pct(2, 1'000), control).replay.seed == found.replay.seed);
  control.shard = {};
  control.executions = 1;
  SearchResult piece = Run<Defect>(Pct(2, 1'000), control);
  while (piece.stopped) {
    control.from = piece.stopped;
    piece = Run<Defect>(Pct(2, 1'000), control);
  }
  REQUIRE(piece.failure);
  CHECK(piece.replay.seed == found.replay.seed);
  CHECK(piece.executions == found.executions);
}

// Each thread waits for the other one in turn.
struct Handshake {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) Await(1);
    step.store(t == 0 ? 2 : 1, Order::relaxed);
    Await(t == 0 ? 3 : 2);
    if (t == 1) step.store(3, Order::relaxed);
  }
  void Await(int value) {
    while (step.load(Order::relaxed) < value) ModelSync::Yield();
  }
  ModelSync::atomic<int> step{0};
};

TEST_CASE("a thread that waits looks again when there is something new, and is not lost") {
  // One execution for each thread that may be the first.
  const SearchResult result = Run<Handshake>(Pct(1, 20));
  REQUIRE(result.sampled);
  CHECK(result.sampled->different == 2);
}

struct Livelock {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    while (cells[static_cast<std::size_t>(t)].load(Order::relaxed) == 0) ModelSync::Yield();
    cells[static_cast<std::size_t>(1 - t)].store(1, Order::relaxed);
  }
  std::array<ModelSync::atomic<int>, 2> cells{};
};

struct GivesUp {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) return ready.store(1, Order::release);
    for (int i = 0; i < 3; ++i) {
      if (ready.load(Order::acquire) == 1) return;
      ModelSync::Yield();
    }
    Check(false, "the slow path");
  }
  ModelSync::atomic<int> ready{0};
};

TEST_CASE("threads that wait for ever are reported; a loop that gives up is no verdict") {
  const SearchResult livelock = Run<Livelock>(Pct(1, 10));
  REQUIRE(livelock.failure);
  CHECK(livelock.failure->kind == FailureKind::kLivelock);
  const SearchResult gives_up = Run<GivesUp>(Pct(4, 10'000));
  REQUIRE(gives_up.failure);
  CHECK((gives_up.failure->kind == FailureKind::kNotFinished ||
         gives_up.failure->words == "the slow path"));
}

TEST_CASE("a state that is none of this search is refused") {
  SearchControl control;
  control.from = Position{.executions = 1, .state = "12x"};
  const SearchResult result = Run<LostUpdate>(Pct(2, 10), control);
  REQUIRE(result.failure);
  CHECK_THAT(result.failure->words, Catch::Contains("12x"));
}

TEST_CASE("the words of a sample name its bound") {
  const Sampled sampled{.depth = 2,
                        .threads = 2,
                        .steps = 5,
                        .choices = 1,
                        .walks = 40,
                        .different = 7,
                        .estimated = 12,
                        .lower = 8,
                        .upper = 16};
  CHECK(sampled.LeastProbability() == Approx(0.05));
  CHECK(sampled.MissedAtMost() == Approx(std::pow(0.95, 40)));
  CHECK(sampled.Words() ==
        "7 different, of about 12 (half of the probes say 8 to 16); a defect of depth 2 within 5 "
        "steps is missed with a probability of 0.13 at most, if no event has more than 1 other "
        "choice");
}

}  // namespace
}  // namespace nowait::model
