// The findings with load buffering, printed.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_TABLE_H_
#define NOWAIT_MODELS_KIT_BUFFERING_TABLE_H_

#include <string>
#include <vector>

#include "models/kit/buffering/explore.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {

// "kept"; "kept, bounded"; "POSSIBLE: the failure"; "BROKEN: the failure"; "does not fit: why".
std::string Verdict(const Explored& explored);

// The events of the failing execution, a line for each; empty if no execution fails.
std::string FailingExecution(const Explored& explored);

// Examines the scenarios and prints a line for each. only: the name of one, whose failing execution
// is printed as well; empty for all of them. Returns 1 if one fails for certain, otherwise 0.
int PrintScenarios(const std::vector<ScenarioEntry>& scenarios, const std::string& only);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_TABLE_H_
