// Classes of executions: the executions of a program with interchangeable threads, up to the names
// of the threads.
//
// Threads that run the same code can swap names, and an execution is then still an execution. A
// search that uses this (symmetry.h) visits one of each class, and the brute force visits all of
// them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CLASSES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CLASSES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// The program with its longest thread in every thread's place, shortened so that brute force can
// handle it: two threads of four statements, three of three, or four of two.
StraightLine MadeSymmetric(StraightLine program, std::size_t threads);

// The signature (findings.h) of the execution in which thread t is named names[t].
std::string Renamed(const std::string& signature, const std::vector<std::size_t>& names);

// The least among a signature and the signatures that result from renaming threads.
std::string ClassOf(const std::string& signature, std::size_t threads);

// The brute force's findings as the search should report them: the class of each signature, once.
Findings ClassesOf(const Findings& all, std::size_t threads);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CLASSES_H_
