// FitCosts: the costs of simulated cores by which their times come nearest to measured ones.
//
//   const CoreCosts fitted = FitCosts(points, {.notify = 3000, .wake = 9000}, compute);
//
// A computed time is as good as its ratio to the measured one: the fit has the least sum of the
// squares of the ratios' logarithms. From one thread come `step` and `update`, from two `transfer`;
// the other costs are single instructions and calls, and have been measured by themselves. A cost
// is searched by factors: up and down from the best one so far, by smaller and smaller factors.
//
// Points whose workload does not `fit` are left alone: they check the costs afterwards.
//
// Thread safety: one thread. Complexity: some hundred simulations of each point. Source: the direct
// search of Hooke and Jeeves (1961), along one cost at a time. Test: fit_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_FIT_H_
#define NOWAIT_TESTS_WHOLE_CORES_FIT_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/whole/cores/core_costs.h"

namespace nowait::whole {

struct MeasuredPoint {
  std::string workload;
  std::uint64_t work = 0;  // nanoseconds
  std::uint32_t part = 1;
  std::uint32_t threads = 1;
  double nanoseconds = 0;  // of a round
  bool fits = false;
};

// The nanoseconds of a round.
using ComputePoint = std::function<double(const CoreCosts& costs, const MeasuredPoint& point)>;

// measured: its step, update and transfer are where the search begins.
CoreCosts FitCosts(std::span<const MeasuredPoint> points, const CoreCosts& measured,
                   const ComputePoint& compute);

// The costs near `begin` where error(costs) is least; only those of `names` change.
CoreCosts Search(const CoreCosts& begin, std::span<const std::string_view> names,
                 const std::function<double(const CoreCosts& costs)>& error);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_FIT_H_
