// Estimate: how many executions a scenario has, before they are all examined.
//
// Knuth, "Estimating the Efficiency of Backtrack Programs" (1975): walk down the tree of graphs at
// random, and divide on the way by the probability of each step. The mean over many walks is right
// in the long run, but a few of them carry most of it. The tree is uneven: a large part that is
// seldom entered is missed by a hundred walks and counted ten times over by the next one. The steps
// go by the children's shares (work_list.h), so that large parts are entered more often. An
// estimate also says how far apart its walks are.
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
  double lower = 0;  // a quarter of them are below
  double upper = 0;  // a quarter of them are above
  double largest = 0;
  double per_second = 0;           // visits
  std::optional<Failure> failure;  // a failure that a probe ran into; then the rest means nothing

  // One line for people.
  std::string Words() const;
};

// The same for the same seed. probes: at least 1.
Estimate EstimateExecutions(const ScenarioEntry& scenario, unsigned probes, std::uint64_t seed);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_ESTIMATE_H_
