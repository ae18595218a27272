// Whether C++20 allows an execution that a checker produced (models/kit/axioms).
//
// This is the other half of the litmus suite. The suite asks about known shapes, whereas the axioms
// judge any execution. They share nothing with the checker but its trace: the store that each read
// takes, and the order of the stores to each atomic.
#ifndef NOWAIT_MODELS_KIT_LITMUS_AXIOMS_H_
#define NOWAIT_MODELS_KIT_LITMUS_AXIOMS_H_

#include <string>

#include "models/kit/program/trace.h"

namespace nowait::model {

// The name of the rule that the execution breaks; empty if the execution is consistent. Covers
// atomics, fences and plain data, but neither mutexes nor sleeping. At most 64 events.
std::string BrokenAxiom(const Trace& trace);

// Whether two accesses to one plain datum, at least one a write, are unordered by happens-before.
bool HasDataRace(const Trace& trace);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_AXIOMS_H_
