#include "tests/whole/scheduler/machine.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/base/assert.h"
#include "src/bodies/body_locks.h"
#include "src/bodies/proxy_id.h"
#include "src/sync/rw_lock.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/small_programs.h"

namespace nowait::whole {
namespace {

using namespace small;
using Catch::Contains;

struct Known {
  const char* name;
  void (*program)();
  FailureKind kind;
};
const Known kKnown[] = {
    {"AB-BA", &AbBa, FailureKind::kDeadlock},
    {"lost wake-up", &LostWakeUp, FailureKind::kDeadlock},
    {"missed notify", &MissedNotify, FailureKind::kDeadlock},
    {"lost update", &LostUpdate, FailureKind::kAssertion},
    {"three in order", &ThreeInOrder, FailureKind::kAssertion},
};

// The strategies that take turns in Explore, one at a time.
const std::vector<StrategyDef> kStrategies = {
    {.kind = StrategyKind::kRandomWalk},
    {.kind = StrategyKind::kStickyWalk},
    {.kind = StrategyKind::kPct, .depth = 3},
    {.kind = StrategyKind::kPos},
};

TEST_CASE("every strategy finds every known bug within 1,000 schedules, from several seeds") {
  for (const Known& known : kKnown) {
    for (const StrategyDef& strategy : kStrategies) {
      for (const std::uint64_t seed : {1u, 1001u, 2001u}) {
        const Exploration found =
            Explore(known.program, {.schedules = 1000, .seed = seed, .strategies = {strategy}});
        INFO(known.name << " by " << ToString(strategy) << " from seed " << seed);
        INFO(found.report);
        REQUIRE(found.failure);
        REQUIRE(found.failure->kind == known.kind);
      }
    }
  }
}

TEST_CASE("a program that is right never fails") {
  for (void (*const program)() : {&AbAb, &SpinsRightly}) {
    const Exploration found = Explore(program, {.schedules = 2000});
    INFO(found.report);
    REQUIRE_FALSE(found.failure);
    REQUIRE(found.schedules == 2000);
  }
}

TEST_CASE("two endless runs are distinguished: a thread starves, or no thread progresses") {
  const RunOptions run = {.fair_after = 500, .most_steps = 5000};
  const auto starved = RunUnder(&Starvation, {.kind = StrategyKind::kPct, .seed = 3}, run);
  const auto nobody = RunUnder(&Livelock, {.kind = StrategyKind::kRandomWalk}, run);
  REQUIRE(nobody.failure);
  REQUIRE(nobody.failure->kind == FailureKind::kLivelock);
  REQUIRE(starved.failure);
  REQUIRE(starved.failure->kind == FailureKind::kStarvation);
  REQUIRE_THAT(starved.failure->what, Contains("main is in WaitForTurn(0)"));
}

TEST_CASE(
    "a limit of steps that comes before schedules are fair says only that: it took too long") {
  const RunOptions run = {.fair_after = 5000, .most_steps = 5000};
  const Outcome outcome = RunUnder(&Livelock, {.kind = StrategyKind::kRandomWalk}, run);
  REQUIRE(outcome.failure);
  CHECK(outcome.failure->kind == FailureKind::kTooLong);
  CHECK(outcome.failure->what == "no end after 5000 steps");
  CHECK(outcome.steps == 5000);
  // A program that is right has its limit, too, and ends below another one.
  const std::uint64_t needs = RunUnder(&SpinsRightly, StrategyDef()).steps;
  const auto within = [&](std::uint64_t steps) {
    const RunOptions limit = {.fair_after = steps, .most_steps = steps};
    return !RunUnder(&SpinsRightly, StrategyDef(), limit).failure;
  };
  CHECK(within(needs + 1));
  CHECK_FALSE(within(needs));
}

TEST_CASE("threads that run on after the program are a failure, and are named") {
  const auto program = [] {
    // Kept from joining: its handle is lost.
    new Sync::thread(*Sync::thread::Start("first", [] {
      while (true) Sync::Yield();
    }));
    Sync::thread second = *Sync::thread::Start("second", [] {});
    second.join();
  };
  const Outcome outcome = RunUnder(program, StrategyDef());
  REQUIRE(outcome.failure);
  CHECK(outcome.failure->kind == FailureKind::kThreadsLeft);
  CHECK(outcome.failure->what == "1 threads run on after the program");
  REQUIRE(outcome.failure->threads.size() == 3);
  CHECK_THAT(outcome.failure->threads[1], Contains("first: "));
  CHECK(outcome.failure->threads[2] == "second: has ended");
}

TEST_CASE("a deadlock names what each thread waits for, which thread has it, and where") {
  const Exploration found = Explore(&AbBa, {.schedules = 300});
  INFO(found.report);
  REQUIRE(found.failure);
  REQUIRE_THAT(found.report, Contains("main: waits, lock at small_programs.h:") &&
                                 Contains("for what other has since small_programs.h:") &&
                                 Contains("for what main has since small_programs.h:") &&
                                 Contains("again: NOWAIT_SCHEDULE="));
}

// Two threads that each read one body and then write the other one, past the order of the locks.
void BodyLocksInAnyOrder() {
  struct NoOrder {
    static void NoteLock(std::uint32_t, bool) {}
    static void NoteUnlock() {}
  };
  using Locks = BodyLocksOf<Sync, NoOrder, Sync::clock>;
  Locks locks(2);
  const auto both = [&](std::uint32_t first, std::uint32_t second) {
    WaitTime wait;
    const BodyReadScopeOf<Locks> read(locks, ProxyId(first, 0), wait);
    const BodyWriteScopeOf<Locks> write(locks, ProxyId(second, 0), wait);
  };
  Sync::thread other = *Sync::thread::Start("other", [&] { both(1, 0); });
  both(0, 1);
  other.join();
}

TEST_CASE("a deadlock over locks that are made of atomics names which thread has them, too") {
  const Exploration found = Explore(&BodyLocksInAnyOrder, {.schedules = 300});
  INFO(found.report);
  REQUIRE(found.failure);
  REQUIRE(found.failure->kind == FailureKind::kDeadlock);
  REQUIRE_THAT(found.report, Contains("main: waits, wait at phase_fair_lock.h:") &&
                                 Contains("for what other has since machine_test.cc:") &&
                                 Contains("for what main has since machine_test.cc:"));
}

TEST_CASE("a deadlock over a shared lock names each reader that has it, and no other one") {
  const auto program = [] {
    Sync::shared_mutex shared;
    Sync::mutex never;
    never.lock();
    const auto read = [&] {
      shared.lock_shared();
      never.lock();
    };
    Sync::thread one = *Sync::thread::Start("one", read);
    Sync::thread two = *Sync::thread::Start("two", read);
    Sync::thread gone = *Sync::thread::Start("gone", [&] {
      shared.lock_shared();
      shared.unlock_shared();
    });
    gone.join();
    while (shared.try_lock()) {  // until one of them has come
      shared.unlock();
      Sync::Yield();
    }
    shared.lock();
  };
  bool both = false;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Outcome outcome = RunUnder(program, {.seed = seed}, {.spurious = 0});
    REQUIRE(outcome.failure);
    REQUIRE(outcome.failure->kind == FailureKind::kDeadlock);
    const std::string& main = outcome.failure->threads[0];
    INFO(main);
    CHECK_THAT(main, Contains("main: waits, lock at machine_test.cc:") &&
                         (Contains("one has since") || Contains("two has since")) &&
                         !Contains("gone has"));
    both = both ||
           (main.find("one has since") != main.npos && main.find("two has since") != main.npos);
  }
  CHECK(both);
}

TEST_CASE("a run is the same again: by its seed, and by its schedule") {
  for (const StrategyDef& strategy : kStrategies) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      StrategyDef with_seed = strategy;
      with_seed.seed = seed;
      const Outcome first = RunUnder(&SpinsRightly, with_seed);
      const Outcome again = RunUnder(&SpinsRightly, with_seed);
      const Outcome replayed = Replay(&SpinsRightly, first.schedule);
      REQUIRE(first.trace_hash == again.trace_hash);
      REQUIRE(first.steps == again.steps);
      REQUIRE(first.trace_hash == replayed.trace_hash);
      REQUIRE(first.schedule == replayed.schedule);
    }
  }
}

TEST_CASE("different seeds are different schedules") {
  std::set<std::uint64_t> traces;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    traces.insert(RunUnder(&SpinsRightly, {.seed = seed}).trace_hash);
  }
  REQUIRE(traces.size() > 90);
}

TEST_CASE("a shortened schedule fails as the first one, and needs all that is left of it") {
  for (const Known& known : kKnown) {
    const Exploration found = Explore(known.program, {.schedules = 300});
    INFO(found.report);
    REQUIRE(found.failure);
    const Outcome shortened = Replay(known.program, found.schedule);
    REQUIRE(shortened.failure);
    REQUIRE(SameCause(*shortened.failure, *found.failure));
    REQUIRE(found.schedule.size() <= 4);
    for (std::size_t i = 0; i < found.schedule.size(); ++i) {
      Schedule less = found.schedule;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      REQUIRE_FALSE(Replay(known.program, less).failure);
    }
    REQUIRE(Explore(known.program, {.schedules = 300}).schedule == found.schedule);
  }
}

TEST_CASE("a crash of a program is a failure of its run, and the next run is not touched") {
  const auto thrown =
      RunUnder([] { throw std::runtime_error("thrown on purpose"); }, StrategyDef());
  REQUIRE(thrown.failure);
  REQUIRE(thrown.failure->kind == FailureKind::kException);
  REQUIRE_THAT(thrown.failure->what, Contains("main: thrown on purpose"));

#if !defined(NDEBUG)
  const auto asserted =
      RunUnder([] { NOWAIT_ASSERT(1 + 1 == 3, "sums are right"); }, StrategyDef());
  REQUIRE(asserted.failure);
  REQUIRE(asserted.failure->kind == FailureKind::kAssertion);
#endif

  const auto crashed = RunUnder(
      [] {
        volatile int* volatile nowhere = nullptr;
        *nowhere = 1;
      },
      StrategyDef());
  REQUIRE(crashed.failure);
  REQUIRE(crashed.failure->kind == FailureKind::kCrash);

  REQUIRE_FALSE(RunUnder(&AbAb, StrategyDef()).failure);
}

TEST_CASE("an exception that one thread handles is not another one's") {
  const auto program = [] {
    const auto handle = [](int mine) {
      try {
        throw mine;
      } catch (const int caught) {
        Sync::Yield();
        Require(std::uncaught_exceptions() == 0, "nothing is on its way");
        try {
          throw;
        } catch (const int again) {
          Require(again == mine && caught == mine, "a handler has its own exception");
        }
      }
    };
    Sync::thread other = *Sync::thread::Start("other", [&] { handle(2); });
    handle(1);
    other.join();
  };
  const Exploration found = Explore(program, {.schedules = 200});
  INFO(found.report);
  REQUIRE_FALSE(found.failure);
}

TEST_CASE("time is the run's own: a sleeper's comes when nobody else can go on, or before") {
  const auto program = [] {
    const auto begin = Sync::clock::now();
    Sync::SleepUntil(begin + std::chrono::hours(5));
    Require(Sync::clock::now() - begin >= std::chrono::hours(5), "a sleep is not too short");
  };
  REQUIRE_FALSE(Explore(program, {.schedules = 50}).failure);
  std::chrono::nanoseconds jumped{0};
  const auto jumps = [&] {
    const auto begin = Sync::clock::now();
    jumped = Sync::clock::now() - begin;
  };
  REQUIRE_FALSE(RunUnder(jumps, StrategyDef(), {.faults = {.time_jump = 2}}).failure);
  REQUIRE(jumped > std::chrono::minutes(59));
  const Outcome stands = RunUnder(jumps, StrategyDef(), {.faults = {.time_stands = 1}});
  REQUIRE_FALSE(stands.failure);
  REQUIRE(jumped == std::chrono::nanoseconds(0));
  REQUIRE(stands.places.clock_readings == 2);
  REQUIRE_FALSE(Explore(program, {.schedules = 50, .run = {.faults = {.time_stands = 1}}}).failure);
}

TEST_CASE("a thread that is to be refused is refused") {
  const auto program = [] {
    Sync::thread first = *Sync::thread::Start("first", [] {});
    const auto second = Sync::thread::Start("second", [] {});
    Require(!second && second.error().code == ErrorCode::kCapacity, "the second is refused");
  };
  const auto outcome = RunUnder(program, StrategyDef(), {.faults = {.refused_thread = 2}});
  REQUIRE_FALSE(outcome.failure);
  REQUIRE(outcome.places.starts == 2);
}

TEST_CASE("a thread-local value is a thread's own, and new in each run") {
  struct Tag;
  const auto program = [] {
    Require(Sync::PerThread<int, Tag>()++ == 0, "it is zero at first");
    Sync::thread other = *Sync::thread::Start(
        "other", [] { Require(Sync::PerThread<int, Tag>()++ == 0, "each thread has its own"); });
    other.join();
    Require(Sync::PerThread<int, Tag>() == 1, "it is kept");
  };
  REQUIRE_FALSE(Explore(program, {.schedules = 10}).failure);
}

}  // namespace
}  // namespace nowait::whole
