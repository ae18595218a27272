// Scenarios of src/jobs/task_completion.h.
#ifndef NOWAIT_MODELS_ARM_TASK_COMPLETION_H_
#define NOWAIT_MODELS_ARM_TASK_COMPLETION_H_

#include <atomic>
#include <cstdint>

#include "src/jobs/task_completion.h"

namespace nowait::arm {

// The work of a task and its child end on two threads.
template <class Sync>
struct CompletionLastClose {
  static constexpr const char* kName = "task_completion last_close";
  static constexpr const char* kPromise =
      "one of two Closes completes the task, behind the work of the other one";
  static constexpr int kThreads = 2;

  CompletionLastClose() : task(items.Open()) { items.AddItemAlone(); }

  void Thread(int t) {
    notes[t].set(1);
    completes[t] = items.Close().complete;
    if (completes[t]) found = notes[1 - t].get();
  }
  bool Holds() { return completes[0] != completes[1] && found == 1 && items.IsComplete(task); }

  TaskCompletion<Sync> items;
  std::uint32_t task;
  typename Sync::template plain<int> notes[2];
  bool completes[2] = {};
  int found = 0;
};

// A dependent registers while the task is completed.
template <class Sync>
struct CompletionRegisters {
  static constexpr const char* kName = "task_completion registers";
  static constexpr const char* kPromise =
      "a dependent is released with what it wrote, or finds the task complete with its work";
  static constexpr int kThreads = 2;

  CompletionRegisters() : task(items.Open()) {}

  void Thread(int t) {
    notes[t].set(1);
    if (t == 0) {
      const auto closed = items.Close();
      first = closed.first;
      if (first != kNone) found[0] = notes[1].get() + second.load(std::memory_order::relaxed);
      return;
    }
    registered = items.Register(task, kDependent, [&](std::uint16_t next) {
      second.store(next, std::memory_order::relaxed);
    });
    if (!registered) found[1] = notes[0].get();
  }
  bool Holds() {
    return first == (registered ? kDependent : kNone) && found[0] == (registered ? 1 + kNone : 0) &&
           found[1] == (registered ? 0 : 1);
  }

  static constexpr std::uint16_t kNone = TaskCompletion<Sync>::kNone;
  static constexpr std::uint16_t kDependent = 3;

  TaskCompletion<Sync> items;
  std::uint32_t task;
  typename Sync::template plain<int> notes[2];
  typename Sync::template atomic<std::uint16_t> second{0};
  std::uint16_t first = kNone;
  bool registered = false;
  int found[2] = {};
};

// A thread announces that it will sleep until the task is complete, and looks again. The thread
// that completes the task asks afterwards whether another one waits.
template <class Sync>
struct CompletionWakesSleeper {
  static constexpr const char* kName = "task_completion wakes_sleeper";
  static constexpr const char* kPromise =
      "a thread that would sleep is seen by the thread that completes the task";
  static constexpr int kThreads = 2;

  CompletionWakesSleeper() : task(items.Open()) {}

  void Thread(int t) {
    if (t == 0) {
      items.Close();
      wakes = waiting.load(std::memory_order::seq_cst);
      return;
    }
    waiting.store(1, std::memory_order::seq_cst);
    sleeps = !items.IsComplete(task);
  }
  bool Holds() { return !sleeps || wakes == 1; }

  TaskCompletion<Sync> items;
  std::uint32_t task;
  typename Sync::template atomic<std::uint32_t> waiting{0};
  bool sleeps = false;
  std::uint32_t wakes = 0;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_TASK_COMPLETION_H_
