// Runs a program as often as its kind asks for, and judges what happened.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_JUDGE_H_
#define NOWAIT_TESTS_WHOLE_WORLD_JUDGE_H_

#include <cstddef>
#include <optional>

#include "tests/whole/camera.h"
#include "tests/whole/world/check.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

// Once; and an ordered program with other numbers of workers, and without its second world: the
// outcome has to be the same. camera: is shown each run, and the picture of the failure is marked;
// may be null.
Failure Judge(const WorldProgram& program, whole::Camera* camera = nullptr);

// The picture that shows what was found broken in the run; none: it is not known when that was.
std::optional<std::size_t> PictureOf(const Broken& broken, const History& history,
                                     std::size_t worlds);
// The first picture in which two runs of as many rounds differ; none: they have the same outcome.
std::optional<std::size_t> PictureOfDifference(const History& one, const History& other);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_JUDGE_H_
