// Tables and JSON of what simulated cores take: for tests/whole/cores/simulate_cores.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_TABLES_H_
#define NOWAIT_TESTS_WHOLE_CORES_TABLES_H_

#include <span>
#include <string>
#include <vector>

#include "tests/whole/cores/compute.h"
#include "tests/whole/cores/core_costs.h"
#include "tests/whole/cores/fit.h"

namespace nowait::whole {

// The same workload and work on 1, 2, 4 ... threads.
using Series = std::vector<ComputedPoint>;

struct CheckedPoint {
  MeasuredPoint measured;
  double computed;  // nanoseconds
};

std::string CostsTable(const CoreCosts& costs);
// One thread and two of a workload and work are neighbours.
std::string ChecksTable(std::span<const CheckedPoint> checks);
// The largest deviation of those with a task's own work, or of those without.
std::string FarthestLine(std::span<const CheckedPoint> checks, bool with_work);
std::string SpeedUpTable(std::span<const Series> all);
// The line that is busiest on the most threads, and from how many threads on it is busy for half of
// the time; where the cores' time goes; and how many cores' time goes into calls that wake.
std::string LinesTable(std::span<const Series> all);
// Microseconds of a round.
std::string TimesTable(std::span<const Series> all);

std::string ToJson(const CoreCosts& costs, std::span<const CheckedPoint> checks,
                   std::span<const Series> workloads, std::span<const Series> at_once,
                   std::span<const Series> policies);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_TABLES_H_
