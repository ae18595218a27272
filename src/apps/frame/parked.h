// Parked: a job that holds up one worker of a pool: what a system does that takes a core away.
//
//   Parked parked;
//   if (auto held = parked.Park(pool); !held) return held;
//   ...                                                      one thread fewer
//   parked.LetGo();
//
// Thread safety: Park and LetGo by a main thread of the pool, outside tasks; LetGo before the
// pool's Close, once for each Park. A Parked outlives that Close: the worker may still be on its
// way out of the job when LetGo returns.
#ifndef NOWAIT_SRC_APPS_FRAME_PARKED_H_
#define NOWAIT_SRC_APPS_FRAME_PARKED_H_

#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/sync/barrier.h"

namespace nowait {

class Parked {
 public:
  // Waits until a worker has the job, and does not help meanwhile. pool: with a worker.
  Result<void> Park(TaskPool& pool) {
    const auto task = pool.Add({.work = {&Run, this}});
    if (!task) return std::unexpected(task.error());
    if (auto submitted = pool.Submit(*task); !submitted) return submitted;
    begun_.ArriveAndWait();
    return {};
  }
  void LetGo() { let_go_.ArriveAndWait(); }

 private:
  static void Run(void* data) {
    auto& parked = *static_cast<Parked*>(data);
    const ProfileScope span("parked");
    parked.begun_.ArriveAndWait();
    parked.let_go_.ArriveAndWait();
  }
  Barrier<> begun_{2};
  Barrier<> let_go_{2};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_FRAME_PARKED_H_
