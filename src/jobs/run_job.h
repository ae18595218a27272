// RunJob: calls a job's function, and stops what it throws.
//
// Nothing here throws, and no exception crosses the interfaces; but a job is somebody else's code.
// If an exception left a worker, the program would end; if it left a thread that helps, an innocent
// waiter would find an exception of a job that it does not know. So it is caught where the job was
// called, and reported. So is what the report throws, which is somebody else's code, too: counted,
// and told to nobody, because nobody is left to be told.
//
// Thread safety: as the job's, and the report's function's: this is called on the thread that ran
// the job.
#ifndef NOWAIT_SRC_JOBS_RUN_JOB_H_
#define NOWAIT_SRC_JOBS_RUN_JOB_H_

#include <exception>

#include "src/jobs/job.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"

namespace nowait {

// Who is told; nobody without a function.
struct ThrownReport {
  void (*function)(void* data, TaskId task, const char* what) = nullptr;
  void* data = nullptr;
};

// Whether it returned without an exception. counts: the calling thread's.
inline bool RunJob(const Job& job, TaskId task, const ThrownReport& report, TaskCounts& counts) {
  const auto tell = [&](const char* what) {
    ++counts.threw;
    if (report.function == nullptr) return;
    try {
      report.function(report.data, task, what);
    } catch (...) {
      ++counts.reports_threw;
    }
  };
  try {
    job.function(job.data);
    return true;
  } catch (const std::exception& thrown) {
    tell(thrown.what());
  } catch (...) {
    tell("not a std::exception");
  }
  return false;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_RUN_JOB_H_
