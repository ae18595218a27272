// Scenarios of src/jobs/job_list.h.
#ifndef NOWAIT_MODELS_ARM_JOB_LIST_H_
#define NOWAIT_MODELS_ARM_JOB_LIST_H_

#include <cstdint>

#include "src/jobs/job.h"
#include "src/jobs/job_list.h"

namespace nowait::arm {

template <class Sync>
struct JobsFetchedOnce {
  static constexpr const char* kName = "job_list fetched_once";
  static constexpr const char* kPromise = "each job is fetched once, in the order of adding";
  static constexpr int kThreads = 2;

  JobsFetchedOnce() {
    for (char& number : numbers) {
      static_cast<void>(list.Add({.data = &number}));  // it has room for them
    }
    list.Submit();
  }

  void Thread(int t) { Fetch(t); }
  // Nothing but a fetch that the other thread has under way keeps a job from being fetched.
  void Fetch(int t) {
    Job job;
    if (list.Fetch(&job) == RunResult::kProgress) fetched[t] = job.data;
  }
  bool Holds() {
    if (fetched[0] == nullptr && fetched[1] == nullptr) return false;
    for (int t = 0; t < 2; ++t) {
      if (fetched[t] == nullptr) Fetch(t);
    }
    return (fetched[0] == &numbers[0] && fetched[1] == &numbers[1]) ||
           (fetched[0] == &numbers[1] && fetched[1] == &numbers[0]);
  }

  JobList<Sync> list{2};
  char numbers[2] = {};
  void* fetched[2] = {};
};

// One thread returns from the job in front of a sync point. Another one asks for the job behind it.
template <class Sync>
struct JobsInSections {
  static constexpr const char* kName = "job_list sections";
  static constexpr const char* kPromise =
      "a job behind a sync point is fetched behind all that the job before it did";
  static constexpr int kThreads = 2;

  JobsInSections() {
    static_cast<void>(list.Add({}));  // it has room for two jobs and a sync point
    static_cast<void>(list.AddSyncPoint());
    static_cast<void>(list.Add({}));
    list.Submit();
    Job job;
    list.Fetch(&job);
  }

  void Thread(int t) {
    if (t == 0) {
      note.set(1);
      tells = list.CompleteJobs();
      return;
    }
    Job job;
    if (list.Fetch(&job) == RunResult::kProgress) found = note.get();
  }
  bool Holds() { return tells && found == 1; }

  JobList<Sync> list{2, 1};
  typename Sync::template plain<int> note{0};
  bool tells = false;
  int found = 1;
};

// One thread fetches a job and runs it, another asks whether the list is finished.
template <class Sync>
struct JobsFinish {
  static constexpr const char* kName = "job_list finishes";
  static constexpr const char* kPromise = "a list that is finished shows what its jobs did";
  static constexpr int kThreads = 2;

  JobsFinish() {
    static_cast<void>(list.Add({}));  // capacity one: it cannot fail
    list.Submit();
  }

  void Thread(int t) {
    if (t == 0) {
      Job job;
      if (list.Fetch(&job) != RunResult::kProgress) return;
      note.set(1);
      list.CompleteJobs();
      return;
    }
    if (list.Finished()) found = note.get();
  }
  bool Holds() { return list.Finished() && found == 1; }

  JobList<Sync> list{1};
  typename Sync::template plain<int> note{0};
  int found = 1;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_JOB_LIST_H_
