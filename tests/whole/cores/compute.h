// Compute: a workload's time on simulated cores, and what its lines had to serve.
//
//   auto point = Compute(costs, Workloads().front(), {.threads = 8, .work = 1000});
//   if (!point) return std::unexpected(point.error());
//   point->nanoseconds, point->hottest.site.file()
//
// Errors: those of CoreCosts::Check, CheckThreads and RunOnCores. Thread safety: one thread.
// Complexity: a simulated step takes some 100 ns. Test: compute_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_COMPUTE_H_
#define NOWAIT_TESTS_WHOLE_CORES_COMPUTE_H_

#include <algorithm>
#include <cstdint>

#include "src/base/result.h"
#include "tests/whole/cores/core_clocks.h"
#include "tests/whole/cores/core_costs.h"
#include "tests/whole/cores/workloads.h"

namespace nowait::whole {

struct ComputedPoint {
  const Workload* workload = nullptr;
  std::uint64_t work = 0;
  std::uint32_t threads = 1;
  double nanoseconds = 0;  // of a round
  CoreTimes times = {};
  LineUse hottest = {};
  std::uint64_t steps = 0;  // of the whole run

  double SpeedUp(const ComputedPoint& one) const { return one.nanoseconds / nanoseconds; }
  // How long the hottest line was busy, of the round's time. A request of the last moment is
  // served afterwards.
  double Busy() const {
    return std::min(1.0, static_cast<double>(hottest.busy) / static_cast<double>(times.elapsed));
  }
  // A share of all cores' time.
  double ShareOf(std::uint64_t picoseconds) const {
    return static_cast<double>(picoseconds) / (static_cast<double>(times.elapsed) * threads);
  }
};

// rounds: its threads, work and part.
Result<ComputedPoint> Compute(const CoreCosts& costs, const Workload& workload,
                              const Rounds& rounds);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_COMPUTE_H_
