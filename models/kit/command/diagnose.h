// Diagnose: the record of a failure, with everything that is known about it.
#ifndef NOWAIT_MODELS_KIT_COMMAND_DIAGNOSE_H_
#define NOWAIT_MODELS_KIT_COMMAND_DIAGNOSE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/command/report.h"
#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/source_text.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

// The execution to show: the one that was found; the smallest one of the requested scenario that
// fails in the same way; or the smallest one of any scenario.
enum class Shows : std::uint8_t { kFound, kSmallestOfScenario, kSmallest };

// Like RecordOf (report.h), with the parts that RecordOf leaves out. scenarios: all of them,
// including `scenario`. It takes up to a few seconds.
counterexample::Counterexample Diagnose(const std::string& structure,
                                        const std::vector<ScenarioEntry>& scenarios,
                                        const ScenarioEntry& scenario, const SearchReport& report,
                                        const std::string& mutation, Shows shows,
                                        counterexample::SourceText& text);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_DIAGNOSE_H_
