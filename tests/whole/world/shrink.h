// Makes a program that fails smaller, as long as it fails.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_SHRINK_H_
#define NOWAIT_TESTS_WHOLE_WORLD_SHRINK_H_

#include <functional>

#include "tests/whole/world/program.h"

namespace nowait::world_programs {

// fails: whether a program still fails; it may run the program several times. is_over: whether to
// stop and return what there is. Part by part is taken away, whole rounds and threads first, then
// calls in runs of half the length, then a quarter, ... (delta debugging: A. Zeller, R.
// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002); in the end the numbers in
// the calls.
WorldProgram Shrink(const WorldProgram& program,
                    const std::function<bool(const WorldProgram&)>& fails,
                    const std::function<bool()>& is_over);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_SHRINK_H_
