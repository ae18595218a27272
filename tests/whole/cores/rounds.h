// RunRounds: the rounds of a workload on a pool of their own, timed by the policy's clock.
#ifndef NOWAIT_TESTS_WHOLE_CORES_ROUNDS_H_
#define NOWAIT_TESTS_WHOLE_CORES_ROUNDS_H_

#include <chrono>
#include <cstdint>

#include "src/base/or_end.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "tests/whole/cores/work.h"
#include "tests/whole/cores/workloads.h"

namespace nowait::whole {

// round(pool): makes the tasks and waits for them.
template <class Pool, class Round>
void RunRounds(const Rounds& rounds, const Round& round) {
  const auto pool = OrEnd(Pool::Create({.workers = rounds.threads - 1, .capacity = 16'384}));
  const auto here = OrEnd(pool->Register("main"));
  for (std::uint32_t i = 0; i < rounds.warm; ++i) round(*pool);
  for (std::uint32_t i = 0; i < rounds.rounds; ++i) {
    BeginRound();
    const auto began = EngineSync::clock::now();
    round(*pool);
    const std::chrono::duration<double, std::nano> lasted = EngineSync::clock::now() - began;
    if (EndRound(lasted.count())) rounds.times->push_back(lasted.count());
  }
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_ROUNDS_H_
