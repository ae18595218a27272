// Shapes of work that workloads and policies share: rounds of tasks on a pool of either kind.
#ifndef NOWAIT_TESTS_WHOLE_CORES_SHAPES_H_
#define NOWAIT_TESTS_WHOLE_CORES_SHAPES_H_

#include <cmath>
#include <cstdint>

#include "src/base/or_end.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/cores/rounds.h"
#include "tests/whole/cores/work.h"
#include "tests/whole/cores/workloads.h"

namespace nowait::whole {

inline constexpr std::uint32_t kTasks = 4096;

// One thread makes them all.
template <class Pool>
void Fan(const Rounds& rounds) {
  RunRounds<Pool>(rounds, [&, work = rounds.work](Pool& pool) {
    const TaskId all = OrEnd(pool.AddEmpty());
    for (std::uint32_t i = 0; i < kTasks / rounds.part; ++i) {
      pool.AddOrEnd([work] { Work(work); }, {.parent = all});
    }
    OrEnd(pool.Wait(all));
  });
}

// As the calls of a recursive Fibonacci function: each waits for its two.
template <class Pool>
void Grow(Pool& pool, std::uint32_t n, std::uint64_t work) {
  if (n >= 2) {
    const TaskId one = pool.AddOrEnd([&pool, n, work] { Grow(pool, n - 1, work); });
    const TaskId other = pool.AddOrEnd([&pool, n, work] { Grow(pool, n - 2, work); });
    OrEnd(pool.Wait(one));
    OrEnd(pool.Wait(other));
  }
  Work(work);
}
template <class Pool>
void Tree(const Rounds& rounds) {
  constexpr std::uint32_t kLevels = 14;
  // One level less has 1/1.618 of the calls.
  const auto less =
      static_cast<std::uint32_t>(std::lround(std::log(rounds.part) / std::log(1.618)));
  RunRounds<Pool>(rounds, [less, work = rounds.work](Pool& pool) {
    OrEnd(pool.Wait(pool.AddOrEnd([&pool, less, work] { Grow(pool, kLevels - less, work); })));
  });
}

// A batch's loop: pieces from ranges that the threads steal from each other.
template <std::uint32_t kGrain>
void Ranges(const Rounds& rounds) {
  auto body = [work = rounds.work](std::uint32_t begin, std::uint32_t end) {
    Work((end - begin) * work);
  };
  JobBatch batch;
  RunRounds<TaskPool>(rounds, [&](TaskPool& pool) {
    OrEnd(batch.AddLoop(kTasks / rounds.part, kGrain, body));
    OrEnd(batch.Run(pool));
  });
}

// Jobs of one list, which the pool's threads fetch.
inline void List(const Rounds& rounds) {
  auto body = [work = rounds.work](std::uint32_t) { Work(work); };
  JobBatch batch(kTasks);
  RunRounds<TaskPool>(rounds, [&](TaskPool& pool) {
    OrEnd(batch.AddEach(kTasks / rounds.part, body));
    OrEnd(batch.Run(pool));
  });
}

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_CORES_SHAPES_H_
