// Runs a program as often as its kind asks for, and judges what happened.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_JUDGE_H_
#define NOWAIT_TESTS_WHOLE_WORLD_JUDGE_H_

#include "tests/whole/world/check.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

// Once; and an ordered program with other numbers of workers, and without its second world: the
// outcome has to be the same.
Failure Judge(const WorldProgram& program);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_JUDGE_H_
