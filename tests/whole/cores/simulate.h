// RunOnCores: a controlled program on simulated cores (core_clocks.h), which has a thread for each.
//
//   CoreClocks cores(costs, 8);
//   auto steps = RunOnCores(cores, [] { ... });
//   if (!steps) return std::unexpected(steps.error());
//
// The program is the engine's own source, in the configuration `controlled`. The same program and
// costs give the same picoseconds: memory is allocated by aligned_memory.cc, each block on lines of
// its own, so that addresses decide nothing.
//
// Errors: kWrongPhase "simulation": the program has failed (a deadlock, an exception, a thread
// left); the failure is printed. Thread safety: one thread. Test: core_clocks_test.cc.
#ifndef NOWAIT_TESTS_WHOLE_CORES_SIMULATE_H_
#define NOWAIT_TESTS_WHOLE_CORES_SIMULATE_H_

#include <cstdint>
#include <functional>

#include "src/base/result.h"
#include "tests/whole/cores/core_clocks.h"

namespace nowait::whole {

// How many steps it took.
Result<std::uint64_t> RunOnCores(CoreClocks& cores, const std::function<void()>& program);

// 1 to 64; kInvalidArgument "threads" otherwise.
Result<void> CheckThreads(std::uint64_t threads);

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_SIMULATE_H_
