// Diagnosis: the parts of a record besides the execution: a smaller one, the repair, and the other
// executions (models/kit/diagnosis/minimise_counterexample.h, repair.h, recorded.h).
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_DIAGNOSIS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_DIAGNOSIS_H_

#include <optional>
#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/source_text.h"
#include "models/kit/diagnosis/minimise_counterexample.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::counterexample {

// The failure that was found, and the smaller one that is shown instead.
Minimised MinimisedOf(const ScenarioEntry& found_in, const Trace& found,
                      const model::Failure& failure, const MinimalCounterexample& smallest,
                      SourceText& text);

// The repair of the failure of `failing`, which is one of `scenarios`, and the counterpart of the
// failing execution under that repair. Returns nothing if it is unknown.
std::optional<Repair> RepairOf(const std::vector<ScenarioEntry>& scenarios,
                               const ScenarioEntry& failing, const Trace& trace,
                               const model::Failure& failure, SourceText& text);

// All executions of the scenario, with objects named as in the failing one.
Recorded RecordedOf(const ScenarioEntry& failing, const Trace& trace, const model::Failure& failure,
                    SourceText& text);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_DIAGNOSIS_H_
