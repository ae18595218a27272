// RunProgram: runs a NumberProgram, and says which promise was broken.
//
// After each update, also one that failed: no number of a body is infinite or a NaN, no speed is
// above its limit if a step was taken, a rotation has length one, an update fails for "contacts"
// alone, and a ray's hit lies on the ray. The hashes are compared with those of other numbers of
// threads by the caller.
#ifndef NOWAIT_TESTS_WHOLE_NUMBERS_RUN_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_NUMBERS_RUN_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/whole/camera.h"
#include "tests/whole/numbers/number_program.h"

namespace nowait::number_programs {

struct Outcome {
  std::vector<std::uint64_t> hashes;  // one a frame: the state, the events, what the queries found
  std::string broken;                 // the promise; empty when all were kept
};

// threads: that the updates run on, this one included. camera: is shown each frame; may be null.
Outcome RunProgram(const NumberProgram& program, std::uint32_t threads,
                   whole::Camera* camera = nullptr);

// Runs the program on one thread and on each number in `threads`. The first broken promise, if any.
// camera: is shown each run, and the picture of the broken promise is marked; may be null.
std::optional<std::string> Check(const NumberProgram& program,
                                 const std::vector<std::uint32_t>& threads,
                                 whole::Camera* camera = nullptr);

}  // namespace nowait::number_programs

#endif  // NOWAIT_TESTS_WHOLE_NUMBERS_RUN_PROGRAM_H_
