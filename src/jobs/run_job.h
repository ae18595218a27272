// RunJob: calls a job's function, and stops its exceptions.
//
// The engine throws nothing, and no exception crosses its interfaces; but a job is foreign code. An
// exception that left a worker would end the program. One that left a helping thread would reach a
// waiter that does not know the job. So it is caught where the job was called, and reported. The
// report is foreign code, too: its exception is caught and counted, and reported nowhere.
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

// The receiver of reports; without a function there is no report.
struct ThrownReport {
  void (*function)(void* data, TaskId task, const char* what) = nullptr;
  void* data = nullptr;
};

// In the handler of what a job has thrown.
[[gnu::noinline, gnu::cold]] inline void ReportThrown(TaskId task, const ThrownReport& report,
                                                      TaskCounts& counts) {
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
    throw;
  } catch (const std::exception& thrown) {
    tell(thrown.what());
  } catch (...) {
    tell("not a std::exception");
  }
}

// Whether it returned without an exception. counts: the calling thread's.
[[gnu::always_inline]] inline bool RunJob(const Job& job, TaskId task, const ThrownReport& report,
                                          TaskCounts& counts) {
  try {
    job.function(job.data);
    return true;
  } catch (...) {
    ReportThrown(task, report, counts);
  }
  return false;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_RUN_JOB_H_
