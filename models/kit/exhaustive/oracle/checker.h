// The checker under judgement: all executions of a straight-line program, as it finds them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CHECKER_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CHECKER_H_

#include <cstddef>

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// No program has this many: a checker that finds more finds some executions repeatedly.
inline constexpr std::size_t kMaxExecutions = 100'000;

using Checker = Findings (*)(const StraightLine&);

// The search of graphs alone: each statement is requested as an event. Plain accesses are left out,
// so it is meant for programs without them.
Findings FindByGraphs(const StraightLine& program);

// For a program with interchangeable threads: one of the executions that differ only in which
// thread took which part.
Findings FindRepresentatives(const StraightLine& program);

// The whole checker: the program is a scenario that runs on the machine.
Findings FindByMachine(const StraightLine& program);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CHECKER_H_
