// Classes of executions: those of a program whose threads are alike, up to the names of the
// threads.
//
// Threads that run the same code can exchange names: an execution becomes an execution again. A
// search that knows it (symmetry.h) visits one of each class, and the brute force all of them.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CLASSES_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CLASSES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/findings.h"
#include "models/kit/exhaustive/oracle/straight_line.h"

namespace nowait::model::oracle {

// The program, with the longest of its threads in each thread's place, cut so that brute force can
// take it: two threads of four statements, three of three, or four of two.
StraightLine MadeSymmetric(StraightLine program, std::size_t threads);

// The signature (findings.h) of the execution in which thread t is named names[t].
std::string Renamed(const std::string& signature, const std::vector<std::size_t>& names);

// The least of a signature and of those that it becomes by renaming threads.
std::string ClassOf(const std::string& signature, std::size_t threads);

// The brute force's findings as the search should have them: a class for each signature, each once.
Findings ClassesOf(const Findings& all, std::size_t threads);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_CLASSES_H_
