// The questions of a workload (workloads.h) to its cores: tasks' own work, rounds that count.
// Simulated cores answer in simulate.cc, real ones in tests/bench/cores_work.cc.
//
// Thread safety: Work from any thread, the others from the first one.
#ifndef NOWAIT_TESTS_WHOLE_CORES_WORK_H_
#define NOWAIT_TESTS_WHOLE_CORES_WORK_H_

#include <cstdint>

namespace nowait::whole {

// Computes for so long, without shared memory.
void Work(std::uint64_t nanoseconds);

// Returns when all other threads sleep: each round begins so.
void BeginRound();
// Whether the round counts: on real cores, whether each of its threads had one when it wanted one.
bool EndRound(double nanoseconds);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_WORK_H_
