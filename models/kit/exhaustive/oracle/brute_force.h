// All executions of a straight-line program, by trying everything.
//
// Every way in which each compare-exchange can go, every store that each read could read from,
// every order of the stores to each atomic: each combination that the axioms (models/kit/axioms)
// accept is an execution. No idea of the checker that this judges is used here, and no line of it.
//
// To be fast enough for thousands of programs, a choice that no later one can mend is given up at
// once: a cycle of program order and reads-from, a read-modify-write of a value that another one
// has taken, a compare-exchange that succeeds on the wrong value, stores against happens-before.
//
// It allows RC11's C++20: without load buffering, which the checker leaves out. It allows the same
// spurious failures as the checker: one for each thread.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BRUTE_FORCE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BRUTE_FORCE_H_

#include <functional>

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// Stops at the first race.
Findings BruteForce(const StraightLine& program);

// The same for more than the signatures: visits each execution. happens_before: of two statements
// in it. Returns whether there is a race; then not all have been visited.
using HappensBefore = std::function<bool(const Where&, const Where&)>;
using Visitor = std::function<void(const Picture&, const HappensBefore&)>;
bool VisitByBruteForce(const StraightLine& program, const Visitor& visitor);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BRUTE_FORCE_H_
