#include "tests/whole/cores/compute.h"

#include <vector>

#include "tests/whole/cores/simulate.h"

namespace nowait::whole {

Result<ComputedPoint> Compute(const CoreCosts& costs, const Workload& workload,
                              const Rounds& rounds) {
  if (auto good = costs.Check(); !good) return std::unexpected(good.error());
  if (auto good = CheckThreads(rounds.threads); !good) return std::unexpected(good.error());
  CoreClocks cores(costs, rounds.threads);
  std::vector<double> times;
  Rounds one = rounds;
  one.warm = 1;
  one.rounds = 1;
  one.times = &times;
  const auto steps = RunOnCores(cores, [&] { workload.run(one); });
  if (!steps) return std::unexpected(steps.error());
  ComputedPoint point{.workload = &workload,
                      .work = rounds.work,
                      .threads = rounds.threads,
                      .nanoseconds = times.front(),
                      .times = cores.counts(),
                      .steps = *steps};
  const std::vector<LineUse> lines = cores.Lines();
  if (!lines.empty()) point.hottest = lines.front();
  return point;
}

}  // namespace nowait::whole
