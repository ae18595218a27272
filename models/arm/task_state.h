// Scenarios of src/jobs/task_state.h.
#ifndef NOWAIT_MODELS_ARM_TASK_STATE_H_
#define NOWAIT_MODELS_ARM_TASK_STATE_H_

#include "src/jobs/task_def.h"
#include "src/jobs/task_state.h"

namespace nowait::arm {

inline constexpr TaskDef kSomeWork = {.work = {[](void*) {}}};

// Two threads have started the same idempotent task.
template <class Sync>
void HoldTwoRuns(TaskState<Sync>& state) {
  state.Hold(1, {.work = kSomeWork.work, .kind = TaskKind::kIdempotent});
  state.Submit(false);
  state.TryStart(1);
  state.TryStartAgain(1);
}

// The holder of a blocked task submits it, another thread completes its dependency. The later one
// of them finds the task free.
template <class Sync>
struct StateFreedOnce {
  static constexpr const char* kName = "task_state freed_once";
  static constexpr const char* kPromise =
      "one thread finds the task free and starts it, behind what the other one wrote";
  static constexpr int kThreads = 2;

  StateFreedOnce() {
    state.Hold(1, kSomeWork);
    state.Block();
  }

  void Thread(int t) {
    notes[t].set(1);
    const TaskStateWord word = t == 0 ? state.Submit(true) : state.Release();
    if (!word.IsFree()) return;
    started[t] = state.TryStart(1);
    note = notes[1 - t].get();
  }
  bool Holds() { return started[0] != started[1] && note == 1; }

  TaskState<Sync> state;
  typename Sync::template plain<int> notes[2];
  bool started[2] = {};
  int note = 0;
};

// A task that nothing blocks is submitted, while two threads have found an entry of a queue.
template <class Sync>
struct StateStartedOnce {
  static constexpr const char* kName = "task_state started_once";
  static constexpr const char* kPromise =
      "at most one of two threads starts the task, behind what its holder wrote";
  static constexpr int kThreads = 3;

  StateStartedOnce() { state.Hold(1, kSomeWork); }

  void Thread(int t) {
    if (t == 0) {
      note.set(1);
      state.Submit(false);
      return;
    }
    started[t - 1] = state.TryStart(1);
    if (started[t - 1]) found = note.get();
  }
  bool Holds() { return !(started[0] && started[1]) && found == 1; }

  TaskState<Sync> state;
  typename Sync::template plain<int> note;
  bool started[2] = {};
  int found = 1;
};

// The dependency of a submitted task is complete while another thread cancels the task. A cancelled
// task is completed by the thread that finds it free.
template <class Sync>
struct StateStartOrCancel {
  static constexpr const char* kName = "task_state start_or_cancel";
  static constexpr const char* kPromise =
      "the task is started, or completed by one thread, behind what its dependency wrote";
  static constexpr int kThreads = 2;

  using CancelResult = typename TaskState<Sync>::CancelResult;

  StateStartOrCancel() {
    state.Hold(1, kSomeWork);
    state.Block();
    state.Submit(false);
  }

  void Thread(int t) {
    if (t == 0) {
      note.set(1);
      const TaskStateWord word = state.Release();
      completed[0] = word.Has(TaskStateWord::kCancelled);
      if (!completed[0]) started = state.TryStart(1);
      return;
    }
    completed[1] = state.Cancel(1) == CancelResult::kDone;
    if (completed[1]) found = note.get();
  }
  bool Holds() { return started + completed[0] + completed[1] == 1 && found == 1; }

  TaskState<Sync> state;
  typename Sync::template plain<int> note;
  bool started = false;
  bool completed[2] = {};
  int found = 1;
};

// Two runs of an idempotent task are done at the same time.
template <class Sync>
struct StateOneRunCounts {
  static constexpr const char* kName = "task_state one_run_counts";
  static constexpr const char* kPromise = "of two runs of a task one commits";
  static constexpr int kThreads = 2;

  StateOneRunCounts() { HoldTwoRuns(state); }

  void Thread(int t) { committed[t] = state.TryCommit(1); }
  bool Holds() { return committed[0] != committed[1]; }

  TaskState<Sync> state;
  bool committed[2] = {};
};

// Two runs of an idempotent task leave. The first one has completed the task, and no longer needs
// the slot.
template <class Sync>
struct StateLastLeaves {
  static constexpr const char* kName = "task_state last_leaves";
  static constexpr const char* kPromise =
      "one thread gives the slot back, behind all that the other one has read";
  static constexpr int kThreads = 2;

  StateLastLeaves() {
    HoldTwoRuns(state);
    state.TryCommit(1);
  }

  void Thread(int t) {
    read[t] = buffer.get();
    gives_back[t] = state.Leave().gives_back;
    if (t == 0 && state.GiveBack()) gives_back[t] = true;
    if (gives_back[t]) buffer.set(kFreed);
  }
  bool Holds() { return gives_back[0] != gives_back[1] && read[0] != kFreed && read[1] != kFreed; }

  static constexpr int kFreed = 2;

  TaskState<Sync> state;
  typename Sync::template plain<int> buffer{1};
  bool gives_back[2] = {};
  int read[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_TASK_STATE_H_
