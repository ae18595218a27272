// The findings with load buffering, printed.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_TABLE_H_
#define NOWAIT_MODELS_KIT_BUFFERING_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/buffering/explore.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {

// A program's exit status, the first that applies.
enum class Status : std::uint8_t {
  kKept = 0,
  kFound = 1,       // a scenario fails for certain
  kPossible = 3,    // one fails if the program does not have the dependency that it may have
  kDoesNotFit = 4,  // one was not examined
};

// "kept"; "kept, bounded"; "POSSIBLE: the failure"; "BROKEN: the failure"; "does not fit: why".
std::string Verdict(const Explored& explored);

// The events of the failing execution, a line for each; empty if no execution fails.
std::string FailingExecution(const Explored& explored);

struct Printed {
  // The name of one scenario, whose failing execution is printed as well; empty for all of them.
  std::string only = {};
  // For mutants: the failure, certain or possible, that one of them must have. Empty: no failure is
  // expected.
  std::string expected_failure = {};
  Limits limits = {};
};

// Examines the scenarios and prints a line for each, and "N passed, M failed" behind them: a
// scenario that does not fit has done neither. Returns the exit status.
Status PrintScenarios(const std::vector<ScenarioEntry>& scenarios, const Printed& how = {});

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_TABLE_H_
