// Job: a function and its argument, as plain data.
//
// A job should be some thousand to some hundred thousand clock cycles long. If it is shorter,
// handing it out costs more than running it; if it is longer, the workers cannot be kept equally
// busy.
//
// Source: [sanglard2013], job_t and the remark on size. Lecture: the job list and its fetch lock.
#ifndef NOWAIT_SRC_JOBS_JOB_H_
#define NOWAIT_SRC_JOBS_JOB_H_

namespace nowait {

struct Job {
  void (*function)(void* data) = nullptr;
  void* data = nullptr;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_H_
