// Judge: whether the scenarios accept a program with edits.
//
// Most mutants fall within a few executions, but nobody knows in which scenario. So all scenarios
// are searched in rounds, each round deeper than the one before: at random, with the options that
// the scenario's own random search has (and all of them if it has none), then depth first.
// Execution k of a random search depends on k alone, so verdicts repeat exactly, on any machine.
#ifndef NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_
#define NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/back_end.h"
#include "models/kit/mutation/edits.h"
#include "models/kit/scenario.h"
#include "models/kit/search.h"

namespace nowait::model {

struct Verdict {
  bool killed = false;
  std::uint64_t executions = 0;  // of all scenarios together, until it was killed or to the end
  std::uint64_t effects = 0;     // of tampering; see EditingMachine

  // When it was killed: by what, and how to see it again.
  std::string scenario;
  Search search;
  Failure failure;
  Start replay;
};

class Judge {
 public:
  // executions: at most so many of each kind of search for each scenario.
  Judge(const std::vector<ScenarioEntry>& scenarios, std::uint64_t executions);

  // sites: where to count what was executed; may be null.
  Verdict Try(const Edits& edits, SiteTable* sites = nullptr) const;

 private:
  struct Round {
    Search::Kind kind;
    std::uint64_t begin;  // random: the number of the first execution
    std::uint64_t executions;
  };

  const std::vector<ScenarioEntry>& scenarios_;
  std::vector<Round> rounds_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_JUDGE_H_
