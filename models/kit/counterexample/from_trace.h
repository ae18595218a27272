// Makes the record of a counterexample from a trace.
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

// The part of the execution that its failure needs (causal_past.h), in the order that is easiest to
// follow (schedule.h). An execution that did not fail is shown whole.
Execution ExecutionOf(const Trace& trace, const std::optional<model::Failure>& failure,
                      SourceText& text);

// An execution that did not fail, in the order in which it ran, for a step-by-step comparison with
// another one. with_after: includes the steps after the threads. The second function returns the
// number that an event of the trace has there.
Execution ExecutionAsRun(const Trace& trace, bool with_after, SourceText& text);
int NumberAsRun(const Trace& trace, EventNumber number);

// A value that is not a pointer. A large unsigned value, such as 0x80000002, is more often a mark
// or a set of bits than a count. "..." stands for a type whose bytes mean nothing to a reader.
std::string NumberOf(Word value, ValueType type);

// "", "fails", "fails spuriously", "wakes spuriously", "blocks".
std::string OutcomeOf(const model::Event& event);

// The size of the execution; the scenario's name stays empty.
Size SizeOf(const Execution& execution, int threads);

// The whole text of every file that the executions name.
std::vector<Source> SourcesOf(const std::vector<const Execution*>& executions, SourceText& text);

// A site in the form of the record.
Place PlaceOf(const Site& site);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_FROM_TRACE_H_
