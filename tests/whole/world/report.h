// Report: what a person needs to see of a program that has failed on real threads.
//
// The program may crash, hang or leave threads behind, and may keep its promises in the next run:
// it runs several times in each of many processes.
#ifndef NOWAIT_TESTS_WHOLE_WORLD_REPORT_H_
#define NOWAIT_TESTS_WHOLE_WORLD_REPORT_H_

#include <functional>
#include <iosfwd>
#include <string>

#include "tests/whole/camera.h"
#include "tests/whole/separate_process.h"
#include "tests/whole/world/check.h"
#include "tests/whole/world/program.h"

namespace nowait::world_programs {

// Judge (judge.h), or another judgement.
using JudgeFunction = std::function<Failure(const WorldProgram&, whole::Camera*)>;

// Ends the process with a message when a promise is broken.
void JudgeHere(const WorldProgram& program, const JudgeFunction& judge,
               whole::Camera* camera = nullptr);

// So often a failure is tried to be seen again: threads meet otherwise each time.
inline constexpr int kAttempts = 30;

// Makes the program smaller, for half a minute at most, and writes films of the smaller one, whose
// pages are named on `films`. Returns both programs in lines. outcome: how its process ended.
std::string Report(const WorldProgram& program, const whole::ProcessOutcome& outcome,
                   const JudgeFunction& judge, std::ostream& films);

}  // namespace nowait::world_programs

#endif  // NOWAIT_TESTS_WHOLE_WORLD_REPORT_H_
