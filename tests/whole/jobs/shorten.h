// Shorten: the smallest program that still fails, found by leaving parts out (delta debugging).
//
// Parts are the steps of all scripts, the tasks' properties, threads and features. Whatever is left
// out, a program stays legal (program.h). `fails` is asked about each candidate; where threads
// decide, it runs a candidate many times.
//
// Source: A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE
// 28(2), 2002: halves, quarters and so on are left out before single steps.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_SHORTEN_H_
#define NOWAIT_TESTS_WHOLE_JOBS_SHORTEN_H_

#include <cstdint>
#include <functional>

#include "tests/whole/jobs/program.h"

namespace nowait::job_programs {

// most_asked: how often `fails` may be asked.
Program Shorten(Program program, const std::function<bool(const Program&)>& fails,
                std::uint32_t most_asked);

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_SHORTEN_H_
