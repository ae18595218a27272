#include "tests/whole/cores/core_clocks.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/whole/cores/simulate.h"
#include "tests/whole/cores/work.h"
#include "tests/whole/scheduler/controlled_sync.h"

namespace nowait::whole {
namespace {

using Counter = ControlledSync::atomic<std::uint64_t>;
using Thread = ControlledSync::thread;

// Nothing but lines and read-modify-writes takes time.
constexpr CoreCosts kLinesAlone{.step = 0,
                                .hit = 0,
                                .update = 5,
                                .transfer = 60,
                                .pause = 0,
                                .notify = 0,
                                .further = 0,
                                .wake = 0};
constexpr std::uint64_t kUpdates = 100;

struct alignas(64) OfLine {
  Counter count{0};
};

// Each of `threads` threads, the first one too, adds kUpdates times; to one counter, or to its own.
CoreTimes Add(std::uint32_t threads, bool one_counter, const CoreCosts& costs) {
  CoreClocks cores(costs, threads);
  const auto steps = RunOnCores(cores, [&] {
    const auto counters = std::make_unique<OfLine[]>(threads);
    const auto add = [&](std::uint32_t thread) {
      Counter& counter = counters[one_counter ? 0 : thread].count;
      for (std::uint64_t i = 0; i < kUpdates; ++i) counter.fetch_add(1, std::memory_order::relaxed);
    };
    cores.Begin();
    {
      std::vector<Thread> others;
      for (std::uint32_t i = 1; i < threads; ++i) {
        others.push_back(*Thread::Start("adds", [&add, i] { add(i); }));
      }
      add(0);
    }
    cores.End();
  });
  REQUIRE(steps);
  return cores.counts();
}

TEST_CASE("cores that add to one counter move its line each time") {
  for (const std::uint32_t threads : {1u, 2u, 3u, 8u, 64u}) {
    CAPTURE(threads);
    const CoreTimes times = Add(threads, true, kLinesAlone);
    const std::uint64_t all = threads * kUpdates;
    const std::uint64_t moved = threads == 1 ? 0 : all - 1;  // the first touch is a hit
    REQUIRE(times.moved == moved);
    REQUIRE(times.elapsed == all * 5'000 + moved * 60'000);
  }
}

TEST_CASE("cores that add to counters of their own are as fast as one") {
  for (const std::uint32_t threads : {1u, 2u, 8u, 64u}) {
    CAPTURE(threads);
    const CoreTimes times = Add(threads, false, kLinesAlone);
    REQUIRE(times.moved == 0);
    REQUIRE(times.elapsed == kUpdates * 5'000);
  }
}

TEST_CASE("each cost is charged where it belongs") {
  const CoreCosts costs{
      .step = 1, .hit = 2, .update = 5, .transfer = 60, .pause = 10, .notify = 300, .wake = 4000};
  CoreClocks cores(costs, 1);
  REQUIRE(RunOnCores(cores, [&] {
    const auto counter = std::make_unique<Counter>();
    cores.Begin();
    counter->load(std::memory_order::relaxed);          // 1 + 2
    counter->store(1, std::memory_order::release);      // 1 + 2
    counter->store(2, std::memory_order::seq_cst);      // 1 + 5
    counter->fetch_add(1, std::memory_order::relaxed);  // 1 + 5
    ControlledSync::Pause();                            // 1 + 10
    ControlledSync::Yield();                            // 1 + 10
    counter->notify_all();                              // 1: no thread sleeps
    Work(1000);                                         // 1000
    cores.End();
  }));
  REQUIRE(cores.counts().elapsed == (3 + 3 + 6 + 6 + 11 + 11 + 1 + 1000) * 1000);
  REQUIRE(cores.counts().computes == 1'000'000);
}

TEST_CASE("a store does not hold up its core, and a read-modify-write waits for the stores") {
  CoreClocks cores(kLinesAlone, 2);
  std::uint64_t stored = 0;
  std::uint64_t updated = 0;
  REQUIRE(RunOnCores(cores, [&] {
    const auto lines = std::make_unique<OfLine[]>(2);
    Thread other = *Thread::Start("has both lines", [&] {
      lines[0].count.store(1, std::memory_order::relaxed);
      lines[1].count.store(1, std::memory_order::relaxed);
    });
    Work(1000);
    lines[1].count.load(std::memory_order::relaxed);  // 60: it is shared now
    const std::uint64_t began = cores.Now(0);
    lines[0].count.store(2, std::memory_order::release);
    stored = cores.Now(0) - began;
    lines[1].count.fetch_add(1, std::memory_order::relaxed);
    updated = cores.Now(0) - began;
  }));
  REQUIRE(stored == 0);
  REQUIRE(updated == 60 + 60 + 5);
}

// Another thread has done before, by its clock, all that a thread finds.
TEST_CASE("a message is read after it was written, by the clocks of both") {
  const CoreCosts costs{.notify = 300, .wake = 4000};
  for (const bool sleeps : {false, true}) {
    CAPTURE(sleeps);
    CoreClocks cores(costs, 2);
    std::uint64_t written = 0;
    std::uint64_t told = 0;
    std::uint64_t read = 0;
    REQUIRE(RunOnCores(cores, [&] {
      const auto flag = std::make_unique<Counter>();
      Thread writer = *Thread::Start("writes", [&] {
        Work(10'000);
        flag->store(1, std::memory_order::release);
        written = cores.Now(1);
        flag->notify_all();
        told = cores.Now(1);
      });
      if (sleeps) {
        flag->wait(0, std::memory_order::acquire);
      } else {
        while (flag->load(std::memory_order::acquire) == 0) ControlledSync::Pause();
      }
      read = cores.Now(0);
    }));
    REQUIRE(written >= 10'000);
    REQUIRE(read >= written + (sleeps ? 4000 : 0));
    REQUIRE(read < written + (sleeps ? 5000 : 200));
    REQUIRE(told >= written + (sleeps ? 300 : 0));
  }
}

TEST_CASE("a call that wakes several threads takes its time for each, one after another") {
  CoreCosts costs = kLinesAlone;
  costs.notify = 300;
  costs.further = 100;
  costs.wake = 4000;
  CoreClocks cores(costs, 4);
  std::uint64_t call = 0;
  std::vector<std::uint64_t> woken;
  REQUIRE(RunOnCores(cores, [&] {
    const auto flag = std::make_unique<Counter>();
    std::vector<Thread> sleepers;
    for (std::uint32_t i = 1; i < 4; ++i) {
      sleepers.push_back(*Thread::Start("sleeps", [&, i] {
        flag->wait(0, std::memory_order::acquire);
        woken.push_back(cores.Now(i));
      }));
    }
    Work(100'000);
    flag->store(1, std::memory_order::seq_cst);
    const std::uint64_t began = cores.Now(0);
    flag->notify_all();
    call = cores.Now(0) - began;
    sleepers.clear();
    for (std::uint64_t& time : woken) time -= began;
  }));
  REQUIRE(call == 300 + 100 + 100);
  REQUIRE(woken == std::vector<std::uint64_t>{4000, 4300, 4400});
}

TEST_CASE("a sleeper's clock goes on at its time, or where it is woken before") {
  for (const std::uint64_t works : {1'000u, 90'000u}) {
    CAPTURE(works);
    CoreClocks cores(kLinesAlone, 2);
    std::uint64_t woke = 0;
    REQUIRE(RunOnCores(cores, [&] {
      ControlledSync::mutex mutex;
      ControlledSync::condition_variable changed;
      Thread other = *Thread::Start("wakes", [&] {
        Work(works);
        changed.notify_one();
      });
      mutex.lock();
      changed.wait_until(mutex, ControlledSync::clock::now() + std::chrono::microseconds(50));
      woke = cores.Now(0);
      mutex.unlock();
    }));
    REQUIRE(woke >= std::min<std::uint64_t>(works, 50'000));
    REQUIRE(woke < std::min<std::uint64_t>(works, 50'000) + 500);
  }
}

TEST_CASE("a golden run") {
  const CoreTimes times = Add(7, true, {.step = 1.5, .update = 5.25, .transfer = 61.125});
  const CoreTimes again = Add(7, true, {.step = 1.5, .update = 5.25, .transfer = 61.125});
  REQUIRE(times.elapsed == again.elapsed);
  REQUIRE(times.elapsed == 48'912'125);
}

TEST_CASE("costs that are no times are refused by one line") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  REQUIRE(CoreCosts{}.Check());
  for (const CoreCosts::Named& one : CoreCosts::kAll) {
    for (const double bad : {nan, infinite, -infinite, -1.0, -1e-300, 1.1e9}) {
      CoreCosts costs;
      costs.*one.cost = bad;
      const auto checked = costs.Check();
      REQUIRE_FALSE(checked);
      const std::string words = ToString(checked.error());
      REQUIRE(words.find(one.name) != std::string::npos);
      REQUIRE(words.find('\n') == std::string::npos);
    }
    CoreCosts costs;
    costs.*one.cost = 0;
    REQUIRE(costs.Check());
  }
}

TEST_CASE("there are 1 to 64 cores, and a thread more is refused") {
  for (const std::uint64_t threads : {0ull, 65ull, 1ull << 40}) {
    REQUIRE_FALSE(CheckThreads(threads));
  }
  REQUIRE(CheckThreads(1));
  REQUIRE(CheckThreads(64));
  CoreClocks cores({}, 2);
  bool first = false;
  bool second = true;
  REQUIRE(RunOnCores(cores, [&] {
    const auto one = Thread::Start("one", [] {});
    const auto two = Thread::Start("two", [] {});
    first = one.has_value();
    second = two.has_value();
  }));
  REQUIRE(first);
  REQUIRE_FALSE(second);
}

TEST_CASE("a program that fails is an error") {
  CoreClocks cores({}, 1);
  const auto steps = RunOnCores(cores, [] {
    Counter never{0};
    never.wait(0, std::memory_order::acquire);
  });
  REQUIRE_FALSE(steps);
  REQUIRE(steps.error().code == ErrorCode::kWrongPhase);
}

}  // namespace
}  // namespace nowait::whole
