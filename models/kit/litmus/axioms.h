// Whether an execution of a checker is one that C++20 allows (models/kit/axioms).
//
// This is the other half of the litmus suite: the suite asks about shapes that are known, the
// axioms judge any execution at all. They share nothing with the checker but its trace: the store
// of each read, and the order of the stores to each atomic.
#ifndef NOWAIT_MODELS_KIT_LITMUS_AXIOMS_H_
#define NOWAIT_MODELS_KIT_LITMUS_AXIOMS_H_

#include <string>

#include "models/kit/program/trace.h"

namespace nowait::model {

// The rule that the execution breaks, by name; empty when it is consistent. Atomics, fences and
// plain data; without mutexes and sleeping. At most 64 events.
std::string BrokenAxiom(const Trace& trace);

// Whether two accesses to a plain datum, one of them a write, are not ordered by happens-before.
bool HasDataRace(const Trace& trace);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_LITMUS_AXIOMS_H_
