#include "tests/whole/scheduler/strategy.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>

#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/schedule.h"
#include "tests/whole/scheduler/shorten.h"
#include "tests/whole/scheduler/small_programs.h"

namespace nowait::whole {
namespace {

using namespace small;

TEST_CASE("strategies and schedules are read as they are written") {
  for (const StrategyDef def :
       {StrategyDef{.kind = StrategyKind::kRandomWalk, .seed = 7},
        StrategyDef{.kind = StrategyKind::kStickyWalk, .seed = 1},
        StrategyDef{.kind = StrategyKind::kPct, .seed = 9, .depth = 4, .length = 77},
        StrategyDef{.kind = StrategyKind::kPos, .seed = 12345678901}}) {
    const auto read = ParseStrategy(ToString(def));
    REQUIRE(read);
    REQUIRE(ToString(*read) == ToString(def));
  }
  const Schedule schedule = {{0, 12, 3}, {1, 40, 0}};
  REQUIRE(ToString(schedule) == "0.12>3 1.40>0");
  REQUIRE(ParseSchedule(ToString(schedule)) == schedule);
  REQUIRE(ParseSchedule("") == Schedule());
  for (const char* const wrong :
       {"walk", "walk-", "walk-x", "run-1", "pct-1", "pct0-5-1", "pct3-5", "walk-1x"}) {
    INFO(wrong);
    REQUIRE_FALSE(ParseStrategy(wrong));
  }
  for (const char* const wrong :
       {"1", "1.2", "1.2>", "1.2>x", "1.2>3,4.5>6", "99999.1>1", "-1.2>3"}) {
    INFO(wrong);
    REQUIRE_FALSE(ParseSchedule(wrong));
  }
}

// How often a strategy finds it in so many runs.
std::uint64_t Found(void (*program)(), StrategyDef strategy, std::uint64_t runs) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    strategy.seed = 1000 + i;
    found += RunUnder(program, strategy, {.spurious = 0}).failure ? 1 : 0;
  }
  return found;
}

// Burckhardt et al., theorem 9: at least 1 / (n k^(d-1)). The length is that of a run without a
// fault.
TEST_CASE("PCT finds bugs at least as often as its bound says") {
  struct Bug {
    void (*program)();
    std::uint32_t threads;
    std::uint32_t depth;
    std::uint64_t length;
  };
  for (const Bug& bug :
       {Bug{&AbBa, 2, 2, 14}, Bug{&LostUpdate, 2, 2, 10}, Bug{&ThreeInOrder, 3, 3, 14}}) {
    constexpr std::uint64_t kRuns = 4000;
    const std::uint64_t found = Found(
        bug.program, {.kind = StrategyKind::kPct, .depth = bug.depth, .length = bug.length}, kRuns);
    double bound = 1.0 / bug.threads;
    for (std::uint32_t i = 1; i < bug.depth; ++i) bound /= static_cast<double>(bug.length);
    const double expected = bound * kRuns;
    INFO("found " << found << " times of " << kRuns << ", the bound promises " << expected);
    // Four standard deviations below, so that no seed fails by chance.
    REQUIRE(static_cast<double>(found) >= expected - 4 * std::sqrt(expected));
  }
}

TEST_CASE("PCT of depth 1 interrupts nobody: a bug that needs an interruption is not found") {
  REQUIRE(Found(&LostUpdate, {.kind = StrategyKind::kPct, .depth = 1, .length = 10}, 500) == 0);
  REQUIRE(Found(&LostUpdate, {.kind = StrategyKind::kPct, .depth = 2, .length = 10}, 500) > 0);
}

// A machine that does not ask before some kind of step cannot find what needs an interruption
// there.
TEST_CASE("every kind of step is one where a thread can be interrupted") {
  const auto interrupted_at = [](auto step, auto before_it) {
    std::set<bool> seen;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      bool other_ran = false;
      const auto program = [&] {
        bool ran = false;
        Sync::mutex mutex;
        Sync::shared_mutex shared;
        Atomic<std::uint32_t> atomic{0};
        // It makes no step of its own.
        Sync::thread other = *Sync::thread::Start("other", [&] { ran = true; });
        before_it(mutex, shared);
        const bool before = ran;
        step(mutex, shared, atomic);
        other_ran = !before && ran;
        other.join();
      };
      REQUIRE_FALSE(RunUnder(program, {.seed = seed}).failure);
      seen.insert(other_ran);
    }
    return seen.size() == 2;
  };
  using Shared = Sync::shared_mutex;
  using Number = Atomic<std::uint32_t>;
  const auto check_after = [&](const char* name, auto before_it, auto step) {
    INFO(name);
    CHECK(interrupted_at(step, before_it));
  };
  const auto check = [&](const char* name, auto step) {
    check_after(
        name, [](Sync::mutex&, Shared&) {}, step);
  };
  check("load", [](Sync::mutex&, Shared&, Number& a) { a.load(kOrder); });
  check("store", [](Sync::mutex&, Shared&, Number& a) { a.store(1, kOrder); });
  check("exchange", [](Sync::mutex&, Shared&, Number& a) { a.exchange(1, kOrder); });
  check("fetch_add", [](Sync::mutex&, Shared&, Number& a) { a.fetch_add(1, kOrder); });
  check("fetch_sub", [](Sync::mutex&, Shared&, Number& a) { a.fetch_sub(1, kOrder); });
  check("fetch_or", [](Sync::mutex&, Shared&, Number& a) { a.fetch_or(1, kOrder); });
  check("fetch_and", [](Sync::mutex&, Shared&, Number& a) { a.fetch_and(1, kOrder); });
  check("compare_exchange", [](Sync::mutex&, Shared&, Number& a) {
    std::uint32_t expected = 0;
    a.compare_exchange_strong(expected, 1, kOrder, kOrder);
  });
  check("wait", [](Sync::mutex&, Shared&, Number& a) { a.wait(1, kOrder); });
  check("notify_one", [](Sync::mutex&, Shared&, Number& a) { a.notify_one(); });
  check("notify_all", [](Sync::mutex&, Shared&, Number& a) { a.notify_all(); });
  check("lock", [](Sync::mutex& m, Shared&, Number&) { m.lock(); });
  check("try_lock", [](Sync::mutex& m, Shared&, Number&) { m.try_lock(); });
  check("lock_shared", [](Sync::mutex&, Shared& s, Number&) { s.lock_shared(); });
  check("shared lock", [](Sync::mutex&, Shared& s, Number&) { s.lock(); });
  check("try_lock_shared", [](Sync::mutex&, Shared& s, Number&) { s.try_lock_shared(); });
  check("clock", [](Sync::mutex&, Shared&, Number&) { Sync::clock::now(); });
  check("start",
        [](Sync::mutex&, Shared&, Number&) { Sync::thread::Start("third", [] {})->join(); });
  check("compare_exchange_weak", [](Sync::mutex&, Shared&, Number& a) {
    std::uint32_t expected = 0;
    a.compare_exchange_weak(expected, 1, kOrder, kOrder);
  });
  check("condition's notify_one",
        [](Sync::mutex&, Shared&, Number&) { Sync::condition_variable().notify_one(); });
  check("condition's notify_all",
        [](Sync::mutex&, Shared&, Number&) { Sync::condition_variable().notify_all(); });
  check_after(
      "unlock", [](Sync::mutex& m, Shared&) { m.lock(); },
      [](Sync::mutex& m, Shared&, Number&) { m.unlock(); });
  check_after(
      "shared unlock", [](Sync::mutex&, Shared& s) { s.lock(); },
      [](Sync::mutex&, Shared& s, Number&) { s.unlock(); });
  check_after(
      "unlock_shared", [](Sync::mutex&, Shared& s) { s.lock_shared(); },
      [](Sync::mutex&, Shared& s, Number&) { s.unlock_shared(); });
}

// A wait gives the mutex back: another thread may come before that, and after it.
TEST_CASE("a condition's wait is a step before which a thread can be interrupted") {
  std::set<bool> seen;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    bool locked = false;
    const auto program = [&] {
      Sync::mutex mutex;
      Sync::condition_variable changed;
      bool about_to_wait = false;
      mutex.lock();
      Sync::thread other = *Sync::thread::Start("other", [&] {
        const bool about = about_to_wait;
        const bool free = mutex.try_lock();
        locked = about && !free;
        if (!free) mutex.lock();
        changed.notify_one();
        mutex.unlock();
      });
      about_to_wait = true;
      changed.wait(mutex);
      mutex.unlock();
      other.join();
    };
    REQUIRE_FALSE(RunUnder(program, {.seed = seed}, {.spurious = 0}).failure);
    seen.insert(locked);
  }
  REQUIRE(seen.size() == 2);
}

TEST_CASE("a weak exchange may fail spuriously, a strong one may not") {
  std::uint32_t weak = 0;
  std::uint32_t strong = 0;
  const auto program = [&] {
    Atomic<std::uint32_t> number{0};
    std::uint32_t expected = 0;
    weak += number.compare_exchange_weak(expected, 0, kOrder, kOrder) ? 0 : 1;
    strong += number.compare_exchange_strong(expected, 0, kOrder, kOrder) ? 0 : 1;
    Require(expected == 0, "what is there is what is expected");
  };
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    REQUIRE_FALSE(RunUnder(program, {.seed = seed}, {.spurious = 8}).failure);
  }
  CHECK(weak > 20);
  CHECK(weak < 200);
  CHECK(strong == 0);
}

TEST_CASE("giving way and sleeping let others go first") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto program = [] {
      bool ran = false;
      Sync::thread other = *Sync::thread::Start("other", [&] { ran = true; });
      Sync::Yield();
      Require(ran, "the others come first");
      other.join();
    };
    REQUIRE_FALSE(RunUnder(program, {.seed = seed}).failure);
  }
}

TEST_CASE("shortening keeps the needed choices, in as many runs as it may") {
  Schedule schedule;
  for (std::uint32_t i = 1; i <= 200; ++i) schedule.push_back({i % 3, i, 1});
  const auto needs = [](const Schedule& part, std::uint32_t number) {
    for (const Choice& choice : part) {
      if (choice.number == number) return true;
    }
    return false;
  };
  const auto fails = [&](const Schedule& part) { return needs(part, 17) && needs(part, 150); };
  const Shortened found = Shorten(schedule, fails);
  REQUIRE(found.smallest);
  REQUIRE(found.schedule.size() == 2);
  REQUIRE(fails(found.schedule));
  REQUIRE(found.runs < 150);
  const Shortened stopped = Shorten(schedule, fails, 3);
  REQUIRE(stopped.runs == 3);
  REQUIRE_FALSE(stopped.smallest);
  REQUIRE(fails(stopped.schedule));
}

}  // namespace
}  // namespace nowait::whole
