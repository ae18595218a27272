// From a trace to the record of a counterexample.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_FROM_TRACE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_FROM_TRACE_H_

#include <optional>
#include <string>
#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/source_text.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// The execution: the part that its failure needs (causal_past.h), in the order in which it is
// easiest to follow (schedule.h). One that did not fail is shown whole.
Execution ExecutionOf(const Trace& trace, const std::optional<model::Failure>& failure,
                      SourceText& text);

// One that did not fail, in the order in which it was run: for a comparison with another one, step
// by step. with_after: also the steps after the threads. And the number that an event of the trace
// has there.
Execution ExecutionAsRun(const Trace& trace, bool with_after, SourceText& text);
int NumberAsRun(const Trace& trace, EventNumber number);

// A value that is no pointer. Large unsigned ones are marks and bits more often than counts:
// 0x80000002. "...": a type whose bytes mean nothing to a reader.
std::string NumberOf(Word value, ValueType type);

// "", "fails", "fails spuriously", "wakes spuriously", "blocks".
std::string OutcomeOf(const model::Event& event);

// How large the execution is; the scenario's name is left empty.
Size SizeOf(const Execution& execution, int threads);

// The whole text of every file that the executions name.
std::vector<Source> SourcesOf(const std::vector<const Execution*>& executions, SourceText& text);

// A site as the record has it.
Place PlaceOf(const Site& site);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_FROM_TRACE_H_
