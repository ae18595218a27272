// Scenarios of src/jobs/job_list_registry.h.
#ifndef NOWAIT_MODELS_ARM_JOB_LIST_REGISTRY_H_
#define NOWAIT_MODELS_ARM_JOB_LIST_REGISTRY_H_

#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"
#include "src/jobs/task_id.h"

namespace nowait::arm {

inline constexpr TaskId kListTask = TaskId(1, 2, 3);

// One thread attaches a list, another one looks into the slot.
template <class Sync>
struct RegistryPublishes {
  static constexpr const char* kName = "job_list_registry publishes";
  static constexpr const char* kPromise =
      "a visitor finds no list, or the list with what was written before it was attached";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      note.set(1);
      registry.Post(&list, kListTask);
      return;
    }
    JobList<Sync>* const entered = registry.Enter(0);
    if (entered == nullptr) return;
    found = entered == &list && registry.TaskOf(0) == kListTask ? note.get() : 0;
  }
  bool Holds() { return found == 1; }

  JobListRegistry<Sync> registry{1};
  JobList<Sync> list{1};
  typename Sync::template plain<int> note{0};
  int found = 1;
};

// The poster learns that nothing is left, while a visitor comes.
template <class Sync>
struct RegistryCloses {
  static constexpr const char* kName = "job_list_registry closes";
  static constexpr const char* kPromise =
      "a visitor that comes before the end keeps the list, one that comes later finds no list";
  static constexpr int kThreads = 2;

  RegistryCloses() { registry.Post(&list, kListTask); }

  void Thread(int t) {
    if (t == 0) {
      got_it = registry.LeaveDone(0) == kListTask;
      if (got_it) contents.set(kDestroyed);
      return;
    }
    entered = registry.Enter(0) == &list;
    if (entered) looked = contents.get();
  }
  bool Holds() { return got_it != entered && looked != kDestroyed && registry.Open(0) == 0; }

  static constexpr int kDestroyed = 2;

  JobListRegistry<Sync> registry{1};
  JobList<Sync> list{1};
  typename Sync::template plain<int> contents{1};
  bool got_it = false;
  bool entered = false;
  int looked = 0;
};

// Two visitors leave, one of which has learnt that nothing is left.
template <class Sync>
struct RegistryGivesBack {
  static constexpr const char* kName = "job_list_registry gives_back";
  static constexpr const char* kPromise =
      "one of two visitors gets the list, behind all that the other one has read of it";
  static constexpr int kThreads = 2;

  RegistryGivesBack() {
    registry.Post(&list, kListTask);
    registry.Enter(0);
  }

  void Thread(int t) {
    looked[t] = contents.get();
    const TaskId task = t == 0 ? registry.LeaveDone(0) : registry.Leave(0);
    got_it[t] = task == kListTask;
    if (got_it[t]) contents.set(kDestroyed);
  }
  bool Holds() {
    return got_it[0] != got_it[1] && looked[0] != kDestroyed && looked[1] != kDestroyed;
  }

  static constexpr int kDestroyed = 2;

  JobListRegistry<Sync> registry{1};
  JobList<Sync> list{1};
  typename Sync::template plain<int> contents{1};
  int looked[2] = {};
  bool got_it[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_JOB_LIST_REGISTRY_H_
