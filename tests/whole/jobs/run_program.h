// RunProgram: runs a program once on real pools, as its judge.
//
//   main thread 0   makes the pool, runs its script, closes the pool when all others have ended
//                   theirs
//   main thread i   runs its script, then helps until all have ended theirs, and leaves
//   completers      if there are external tasks: one or two, of which the first may be a main
//                   thread, and others have not registered; each completes all that is handed over,
//                   and helps with nothing
//
// Returns if every promise was kept. Otherwise it ends the process and prints the promise that was
// broken (Fail, record.h), or it does not return: so it is run in a process of its own
// (tests/whole/separate_process.h). Under the scheduler a broken promise ends the run.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_RUN_PROGRAM_H_
#define NOWAIT_TESTS_WHOLE_JOBS_RUN_PROGRAM_H_

#include "tests/whole/jobs/program.h"

namespace nowait::job_programs {

void RunProgram(const Program& program);

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_RUN_PROGRAM_H_
