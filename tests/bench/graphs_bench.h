// The part of the benchmark "jobs" that measures graphs of tasks; see graphs_bench.cc.
#ifndef NOWAIT_TESTS_BENCH_GRAPHS_BENCH_H_
#define NOWAIT_TESTS_BENCH_GRAPHS_BENCH_H_

namespace nowait {

// Diamonds, wavefronts, frames and the critical path.
void RegisterGraphs();

// The unbalanced tree, short tasks by several producers, more threads than cores, and fans beside
// other libraries.
void RegisterCrowds();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_GRAPHS_BENCH_H_
