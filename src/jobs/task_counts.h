// TaskCounts: what became of the tasks and jobs that a thread took from the pool. Plain numbers,
// one thread's own.
#ifndef NOWAIT_SRC_JOBS_TASK_COUNTS_H_
#define NOWAIT_SRC_JOBS_TASK_COUNTS_H_

#include <cstdint>

namespace nowait {

// Of job lists.
struct ListRunCounts {
  std::uint64_t jobs = 0;    // run
  std::uint64_t stalls = 0;  // turned away by a fetch lock
  std::uint64_t hidden = 0;  // of these: another list had a job, or was finished
  std::uint64_t yields = 0;  // only stalls were left

  ListRunCounts& operator+=(const ListRunCounts& more) {
    jobs += more.jobs;
    stalls += more.stalls;
    hidden += more.hidden;
    yields += more.yields;
    return *this;
  }
};

struct TaskCounts {
  std::uint64_t ran = 0;            // began their work, those that threw included
  std::uint64_t again = 0;          // second runs of idempotent tasks
  std::uint64_t threw = 0;          // tasks and jobs that ended by an exception
  std::uint64_t reports_threw = 0;  // of these: the report (on_throw) threw, too
  std::uint64_t cancelled = 0;      // done without their work, because the pool was shut down
  std::uint64_t stale = 0;          // entries of queues that were no longer needed
  std::uint64_t sleeps = 0;         // how often there was nothing to do
  ListRunCounts lists;

  TaskCounts& operator+=(const TaskCounts& more) {
    ran += more.ran;
    again += more.again;
    threw += more.threw;
    reports_threw += more.reports_threw;
    cancelled += more.cancelled;
    stale += more.stale;
    sleeps += more.sleeps;
    lists += more.lists;
    return *this;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_COUNTS_H_
