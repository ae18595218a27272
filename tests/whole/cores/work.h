// Work: a task's own work, of so many nanoseconds that touch no shared memory; and where a program
// says which part of it is measured. On simulated cores it adds to the core's clock (simulate.cc);
// on real ones it computes for as long (tests/bench/cores_work.cc).
//
// Thread safety: Work from any thread; the others from the first one.
#ifndef NOWAIT_TESTS_WHOLE_CORES_WORK_H_
#define NOWAIT_TESTS_WHOLE_CORES_WORK_H_

#include <cstdint>

namespace nowait::whole {

void Work(std::uint64_t nanoseconds);

// The rounds that count begin, and have ended.
void BeginCount();
void EndCount();

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_WORK_H_
