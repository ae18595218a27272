// MakeProgram: a legal program of jobs from a seed.
//
// Each program has only some of the features, drawn anew (swarm testing: what is always there hides
// what needs its absence). Most are small, so that a failure is short and many fit into a second;
// some have 120 tasks and more, as slots have to change hands below a wait.
//
// Source: A. Groce, C. Zhang, E. Eide, Y. Chen, J. Regehr, "Swarm Testing", ISSTA 2012.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_MAKE_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_JOBS_MAKE_PROGRAM_H_

#include <cstdint>

#include "tests/whole/jobs/program.h"

namespace nowait::job_programs {

// The same seed gives the same program on every machine.
Program MakeProgram(std::uint64_t seed);

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_MAKE_PROGRAM_H_
