// The half of the benchmark "jobs" that measures tasks; jobs_bench.cc measures job lists and has
// the main function.
#ifndef NOWAIT_TESTS_BENCH_TASKS_BENCH_H_
#define NOWAIT_TESTS_BENCH_TASKS_BENCH_H_

namespace nowait {

void RegisterTasks();

// Says how much memory a task takes, and a worker.
void PrintTaskMemory();

// Says what a device's thread costs while its requests stall.
void PrintDeviceTime();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_TASKS_BENCH_H_
