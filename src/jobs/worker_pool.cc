#include "src/jobs/worker_pool.h"

#include "src/base/assert.h"

namespace nowait {
namespace {

// Whether this thread is a worker, or inside Run: whatever calls Run now is a job.
thread_local bool at_work = false;

class AtWorkScope {
 public:
  AtWorkScope() { at_work = true; }
  ~AtWorkScope() { at_work = false; }
  AtWorkScope(const AtWorkScope&) = delete;
  AtWorkScope& operator=(const AtWorkScope&) = delete;
};

}  // namespace

WorkerPool::WorkerPool(std::uint32_t workers, std::function<void(std::uint32_t)> on_start) {
  threads_.reserve(workers);
  for (std::uint32_t i = 0; i < workers; ++i) {
    threads_.emplace_back([this, on_start, i] {
      if (on_start) on_start(i);
      const AtWorkScope at_work_now;
      rounds_.Work();
    });
  }
}

WorkerPool::~WorkerPool() { rounds_.Close(); }

void WorkerPool::Run(JobList<>& list) {
  NOWAIT_ASSERT(!at_work, "a job may not run a list and wait for it");
  const AtWorkScope at_work_now;
  rounds_.Run(list);
}

}  // namespace nowait
