#include <catch2/catch.hpp>
#include <cstdint>
#include <new>

#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/small_programs.h"

namespace nowait::whole {
namespace {

using namespace small;

// Three allocations of the program's own, on two threads.
std::uint32_t failed = 0;
void Allocates() {
  failed = 0;
  const auto allocate = [] {
    try {
      // Called by name: a compiler may leave out what a new-expression allocates, and this never.
      void* memory = ::operator new(sizeof(int));
      ::operator delete(memory, sizeof(int));
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  };
  allocate();
  auto other = Sync::thread::Start("other", allocate);
  if (!other) {  // what it allocates to start one
    ++failed;
    allocate();
  }
  allocate();
}

TEST_CASE("each allocation of a program can fail, and no other one does") {
  const Outcome all = RunUnder(&Allocates, StrategyDef());
  REQUIRE_FALSE(all.failure);
  REQUIRE(failed == 0);
  REQUIRE(all.places.allocations >= 3);
  for (std::uint64_t n = 1; n <= all.places.allocations; ++n) {
    const Outcome outcome =
        RunUnder(&Allocates, StrategyDef(), {.faults = {.failed_allocation = n}});
    REQUIRE_FALSE(outcome.failure);
    REQUIRE(failed == 1);
  }
}

}  // namespace
}  // namespace nowait::whole
