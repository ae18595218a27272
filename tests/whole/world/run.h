// Runs a program on threads of its own and says what happened.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_RUN_H_
#define NOWAIT_TESTS_WHOLE_WORLD_RUN_H_

#include <cstdint>

#include "tests/whole/camera.h"
#include "tests/whole/world/history.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

// The calling thread is game thread 0, which updates the worlds. workers: of the pool. camera: is
// shown each round, if it is not null.
History Run(const WorldProgram& program, std::uint32_t workers, whole::Camera* camera = nullptr);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_RUN_H_
