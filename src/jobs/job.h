// Job: a function and its argument, as plain data.
//
// A job should be some thousand to some hundred thousand clock cycles long: shorter and handing it
// out costs more than running it, longer and the workers cannot be kept equally busy.
//
// Source: the review's job_t and its remark on size. Lecture: the job list and its fetch lock.
#ifndef NOWAIT_SRC_JOBS_JOB_H_
#define NOWAIT_SRC_JOBS_JOB_H_

namespace nowait {

struct Job {
  void (*function)(void* data) = nullptr;
  void* data = nullptr;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_H_
