// Shown: the part of a failing execution that is shown, and its order.
//
// This is the part that the failure needs (causal_past.h), in the order that is easiest to follow
// (schedule.h). A livelock repeats itself: one turn of the repeating steps is shown, and nothing
// after it. Every prefix of an execution is an execution, of the same program stopped earlier.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SHOWN_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SHOWN_H_

#include <optional>
#include <string>

#include "models/kit/program/failure.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

struct Shown {
  Trace trace;
  std::string left_out;  // a sentence without its full stop; empty: nothing is left out
};

Shown Show(const Trace& trace, const model::Failure& failure);

// Steps that occur several times in a row.
struct Repetition {
  EventNumber first = kNoEvent;
  EventNumber steps = 0;  // the number in one turn
  EventNumber turns = 0;

  friend bool operator==(const Repetition&, const Repetition&) = default;
};

// The steps that make up most of a trace: the same threads do the same to the same objects, in the
// same order, and get the same values. Returns nothing unless steps occur three times in a row.
std::optional<Repetition> FindRepetition(const Trace& trace);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SHOWN_H_
