#include "tests/whole/scheduler/faults.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <new>
#include <set>
#include <string>

#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/fault_scope.h"
#include "tests/whole/scheduler/small_programs.h"

namespace nowait::whole {
namespace {

using namespace small;
using Catch::Contains;

TEST_CASE("a fault is read as it is written") {
  for (const Faults faults : {Faults{.refused_thread = 2}, Faults{.failed_allocation = 17},
                              Faults{.time_jump = 12345678901}, Faults{.time_stands = 3}}) {
    CHECK(ParseFaults(ToString(faults)) == faults);
  }
  CHECK(ToString(Faults{.failed_allocation = 17}) == "allocation-17");
  CHECK(ToString(Faults()).empty());
  for (const char* const wrong :
       {"", "allocation", "allocation-", "allocation-0", "thread-1x", "disk-1"}) {
    INFO(wrong);
    CHECK_FALSE(ParseFaults(wrong));
  }
}

TEST_CASE("a fault is drawn among the calls of a run, and every place has its turn") {
  std::set<std::string> drawn;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Faults fault = DrawFault({.starts = 2, .allocations = 5, .clock_readings = 3}, seed);
    CHECK(fault == DrawFault({.starts = 2, .allocations = 5, .clock_readings = 3}, seed));
    drawn.insert(ToString(fault));
  }
  CHECK(drawn == std::set<std::string>{"allocation-1", "allocation-2", "allocation-3",
                                       "allocation-4", "allocation-5", "clock-1", "clock-2",
                                       "clock-3", "stands-1", "stands-2", "stands-3", "thread-1",
                                       "thread-2"});
  CHECK(DrawFault({}, 1) == Faults());
}

// Allocates on two threads that are the test's and on one that is the engine's.
struct Seen {
  std::uint32_t own = 0;     // allocations of the test's that failed
  std::uint32_t engine = 0;  // of the engine's
  std::uint32_t refused = 0;
};
void OwnAndEngine(Seen& seen) {
  const FaultScope own(false);
  const auto allocate = [](std::uint32_t& failed) {
    try {
      void* memory = ::operator new(sizeof(int));
      ::operator delete(memory, sizeof(int));
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  };
  Sync::thread beside = *Sync::thread::Start("beside", [&] { allocate(seen.own); });
  MeetingFaults([&] {
    const auto worker = Sync::thread::Start("worker", [&] {
      allocate(seen.engine);
      const FaultScope task(false);
      allocate(seen.own);
    });
    if (!worker) {
      ++seen.refused;
      Require(IsOfFault(worker.error()), "the refusal is the fault's");
    }
    allocate(seen.engine);
  });
  Require(FaultHasStruck() == (seen.engine + seen.refused != 0),
          "it is known whether it has struck");
  allocate(seen.own);
}

TEST_CASE("faults hit the engine's calls, and nothing of the test itself") {
  Seen seen;
  const auto program = [&] {
    seen = {};
    OwnAndEngine(seen);
  };
  const FaultPlaces places = RunUnder(program, StrategyDef()).places;
  CHECK(places.starts == 1);
  REQUIRE(places.allocations >= 2);
  std::uint32_t hit = 0;
  std::uint32_t refused = 0;
  for (std::uint64_t n = 1; n <= places.allocations; ++n) {
    REQUIRE_FALSE(RunUnder(program, StrategyDef(), {.faults = {.failed_allocation = n}}).failure);
    CHECK(seen.own == 0);
    hit += seen.engine;
    refused += seen.refused;
  }
  CHECK(hit == 2);
  CHECK(refused == places.allocations - 2);
  REQUIRE_FALSE(RunUnder(program, StrategyDef(), {.faults = {.refused_thread = 1}}).failure);
  CHECK(seen.refused == 1);
}

TEST_CASE("an error is the fault's only where a fault has struck") {
  const Error memory{.code = ErrorCode::kCapacity, .subject = "memory"};
  const Error contacts{.code = ErrorCode::kCapacity, .subject = "contacts"};
  CHECK_FALSE(IsOfFault(memory));
  const auto program = [&] {
    Require(!IsOfFault(memory), "nothing has struck yet");
    try {
      ::operator delete(::operator new(1));
      Require(false, "the allocation fails");
    } catch (const std::bad_alloc&) {
    }
    Require(IsOfFault(memory) && !IsOfFault(contacts), "the error names the fault");
  };
  const Outcome outcome = RunUnder(program, StrategyDef(), {.faults = {.failed_allocation = 1}});
  REQUIRE_FALSE(outcome.failure);
}

TEST_CASE("a call that a fault has refused is made once more, and one with another error is not") {
  int asked = 0;
  const auto start = [&asked] {
    ++asked;
    return MeetingFaults([] { return Sync::thread::Start("worker", [] {}); });
  };
  const auto program = [&] {
    const FaultScope own(false);
    asked = 0;
    Require(AskTwice(start).has_value(), "it is there the second time, or the first");
    const auto refused = AskTwice([&]() -> Result<int> {
      ++asked;
      return Fail(ErrorCode::kCapacity, "contacts");
    });
    Require(!refused, "another error stays");
  };
  REQUIRE_FALSE(RunUnder(program, StrategyDef()).failure);
  CHECK(asked == 2);
  REQUIRE_FALSE(RunUnder(program, StrategyDef(), {.faults = {.refused_thread = 1}}).failure);
  CHECK(asked == 3);
}

TEST_CASE("with faults, each schedule but the first has one; a failure says which") {
  const auto program = [] {
    // The second of three: so one fault in three is found.
    for (int i = 0; i < 3; ++i) {
      try {
        ::operator delete(::operator new(1));
      } catch (const std::bad_alloc&) {
        Require(i != 1, "the second allocation does not fail");
      }
    }
  };
  REQUIRE_FALSE(Explore(program, {.schedules = 50}).failure);
  const Exploration found = Explore(program, {.schedules = 50, .with_faults = true});
  INFO(found.report);
  REQUIRE(found.failure);
  REQUIRE(found.schedules > 1);
  CHECK(found.faults == Faults{.failed_allocation = 2});
  CHECK_THAT(found.report,
             Contains("again: NOWAIT_FAULT='allocation-2' NOWAIT_SCHEDULE='default'"));
}

}  // namespace
}  // namespace nowait::whole
