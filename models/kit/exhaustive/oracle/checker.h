// The checker that is judged: all executions of a straight-line program, as it finds them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CHECKER_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CHECKER_H_

#include <cstddef>

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// No program has so many; a checker that finds more finds some again and again.
inline constexpr std::size_t kMaxExecutions = 100'000;

using Checker = Findings (*)(const StraightLine&);

// The search through graphs alone: each statement is asked for as an event. Plain accesses are left
// out. It is for programs without them.
Findings FindByGraphs(const StraightLine& program);

// Of a program whose threads are alike: one of the executions that differ only in which thread did
// which part.
Findings FindRepresentatives(const StraightLine& program);

// The whole of it: the program is a scenario that runs on the machine.
Findings FindByMachine(const StraightLine& program);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CHECKER_H_
