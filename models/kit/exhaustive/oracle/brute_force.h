// All executions of a straight-line program, by trying everything.
//
// It combines every outcome of each compare-exchange, every store that each read could read from,
// and every order of the stores to each atomic. Each combination that the axioms
// (models/kit/axioms) accept is an execution. It shares no idea and no line of code with the
// checker that it judges.
//
// To be fast enough for thousands of programs, it abandons at once a choice that no later one can
// repair: a cycle of program order and reads-from, a read-modify-write of a value that another one
// has taken, a compare-exchange that succeeds on the wrong value, or stores against happens-before.
//
// It allows the same spurious failures as the checker, one per thread, and RC11's C++20, without
// load buffering, which the checker leaves out. For the checker that has it (models/kit/buffering)
// it allows load buffering as IMM does [podkopaev2019]: the accesses can take place one after the
// other, each read behind another thread's write that it reads, and in the order that releases,
// acquires, fences and read-modify-writes give their thread.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BRUTE_FORCE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BRUTE_FORCE_H_

#include <functional>

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

enum class LoadBuffering : bool { kLeftOut, kAllowed };

// Stops at the first race.
Findings BruteForce(const StraightLine& program,
                    LoadBuffering load_buffering = LoadBuffering::kLeftOut);

// The same with more than the signatures: visits each execution. happens_before relates two
// statements of the execution. Returns whether there is a race; then some may not be visited.
using HappensBefore = std::function<bool(const Where&, const Where&)>;
using Visitor = std::function<void(const Picture&, const HappensBefore&)>;
bool VisitByBruteForce(const StraightLine& program, const Visitor& visitor,
                       LoadBuffering load_buffering = LoadBuffering::kLeftOut);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_BRUTE_FORCE_H_
