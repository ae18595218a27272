// Estimate: how many executions a scenario has, without examining them all.
//
// Knuth, "Estimating the Efficiency of Backtrack Programs" (1975): walk down the tree of graphs at
// random, and divide by the probability of each step on the way. The mean over many walks converges
// to the right number, but a few walks contribute most of it. The tree is uneven: a hundred walks
// miss a large part that is rarely entered, and the next walk counts it ten times over. Steps are
// therefore chosen by the children's shares (work_list.h), so that large parts are entered more
// often. An estimate also says how far apart its walks are.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_ESTIMATE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_ESTIMATE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/program/failure.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

struct Estimate {
  unsigned probes = 0;
  double executions = 0;  // the mean of the probes
  double smallest = 0;
  double lower = 0;  // a quarter of the probes are below
  double upper = 0;  // a quarter of the probes are above
  double largest = 0;
  double per_second = 0;           // visits
  std::optional<Failure> failure;  // a failure found by a probe; all other fields but the next one
                                   // are then meaningless
  std::string failed_at;           // the path of its graph (run_exhaustive.h)

  // The estimate as one line of text.
  std::string Words() const;
};

// Returns the same for the same seed. probes: at least 1.
Estimate EstimateExecutions(const ScenarioEntry& scenario, unsigned probes, std::uint64_t seed);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_ESTIMATE_H_
