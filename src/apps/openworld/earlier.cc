#include "src/apps/openworld/earlier.h"

#include "src/jobs/task_id.h"

namespace nowait {

Result<void> Earlier::AwaitLoads(TaskPool& pool, const Streamer& streamer) const {
  if (!on_) return {};
  for (TaskId due = streamer.Due(); due.IsTask(); due = streamer.Due()) {
    const ProfileScope scope("wait for a load");
    if (auto waited = pool.Wait(due); !waited) return waited;
  }
  return {};
}

}  // namespace nowait
