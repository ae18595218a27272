// Workloads: rounds of tasks for a pool, whose times are measured on real cores and computed on
// simulated ones. The source is the same: tests/bench/cores_bench.cc and simulate_cores.cc.
//
//   for (const Workload& each : Workloads()) {
//     std::vector<double> times;                          // nanoseconds
//     each.run({.threads = 8, .work = 1000, .rounds = 3, .times = &times});
//   }
//
// A round lasts from the call that makes its first task until the wait for all has returned. Each
// task's own work is `work` nanoseconds, or a multiple that the workload says. The pool is made
// once, and rounds that do not count come first.
//
// Thread safety: one thread, which registers as the pool's main thread. Errors end the program: the
// pools are large enough.
// Source: fork and join, wavefront, list of jobs: [bitsquid2010], [sanglard2013].
#ifndef NOWAIT_TESTS_WHOLE_CORES_WORKLOADS_H_
#define NOWAIT_TESTS_WHOLE_CORES_WORKLOADS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace nowait::whole {

struct Rounds {
  std::uint32_t threads = 1;  // workers and the main thread
  std::uint64_t work = 0;     // nanoseconds
  std::uint32_t part = 1;     // one in so many of the tasks
  std::uint32_t warm = 1;     // rounds that do not count
  std::uint32_t rounds = 1;
  std::vector<double>* times = nullptr;  // nanoseconds, one for each that counts
};

struct Workload {
  const char* name;
  const char* words;  // what it is, in some words
  void (*run)(const Rounds& rounds);
  bool fits = false;  // whether costs are fitted on it; otherwise they are checked on it
};

// The pool that the engine gives.
std::span<const Workload> Workloads();
// The same work in the ways that the engine offers: "work: way".
std::span<const Workload> Policies();

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_WORKLOADS_H_
