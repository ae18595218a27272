// Sweep: an operation with each of its allocations failing in turn.
//
// Each run has to show: no exception crosses the public API, the error names something, nothing is
// leaked, and `after` finds the state as it was before or as documented. An operation may also do
// without the memory and succeed.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_SWEEP_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_SWEEP_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "src/base/result.h"
#include "tests/whole/faults/allocations.h"

namespace nowait::whole {

struct SweepResult {
  std::uint64_t faults = 0;   // allocations that failed, one in each run
  std::uint64_t refused = 0;  // runs that ended with an error
};

// make() gives a state; act(state) a Result<void>; after(state, result) looks at both. The first
// run is without a fault, so that what is made once in a process is no leak.
template <class Make, class Act, class After>
SweepResult Sweep(const Make& make, const Act& act, const After& after) {
  SweepResult sum;
  {
    // As many messages as a run below may have: the test framework keeps the room for them.
    INFO("no allocation fails, which is longer than a short text");
    INFO(ToString(Error{ErrorCode::kCapacity, "memory", 0, "for what the sweep asks for"}));
    CHECK(sum.faults == 0);
    auto state = make();
    const Result<void> done = act(state);
    REQUIRE(done.has_value());
    after(state, done);
  }
  sum.faults = EachAllocation([&](std::uint64_t n) {
    const std::int64_t live = LiveAllocations();
    bool has_struck = false;
    std::optional<std::string> thrown;
    Result<void> result;
    {
      auto state = make();
      {
        const AllocationFault fault(n);
        try {
          result = act(state);
        } catch (const std::exception& exception) {
          thrown = exception.what();
        }
        has_struck = fault.has_struck();
      }
      INFO("allocation " << n << " fails");
      if (thrown) FAIL("an exception crosses the public API: " << *thrown);
      if (!result) {
        INFO(ToString(result.error()));
        CHECK(result.error().subject[0] != '\0');
        ++sum.refused;
      }
      after(state, result);
    }
    const std::int64_t left = LiveAllocations() - live;
    INFO("allocation " << n << " fails");
    CHECK(left == 0);
    return has_struck;
  });
  return sum;
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_SWEEP_H_
