// Tray: the tasks that may start in one word, the oldest lowest. A policy of TaskScheduler
// (src/jobs/global_queue.h) that takes one step where a queue takes several: a model over it
// examines how threads wait, help and sleep. The queues have models of their own.
#ifndef NOWAIT_MODELS_JOBS_TRAY_H_
#define NOWAIT_MODELS_JOBS_TRAY_H_

#include <atomic>
#include <cstdint>

#include "models/kit/scenario/model.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"

namespace nowait {

class Tray {
 public:
  static constexpr bool kNewestFirst = false;

  Tray(std::uint32_t /*owners*/, std::uint32_t most_open) {
    model::Check(most_open < (1 << kSlotBits), "a tray has places for few tasks");
  }

  template <class MayStart>
  void Push(std::uint32_t /*thread*/, const ReadyTask& task, const MayStart& /*may_start*/) {
    model::Check(task.priority == 0, "a tray has one priority");
    const std::uint64_t entry = EntryOf(task.id);
    std::uint64_t tasks = tasks_.load(std::memory_order::relaxed);
    std::uint64_t more = 0;
    do {
      int end = 0;
      while (end < 64 && tasks >> end != 0) end += kEntryBits;
      model::Check(end < 64, "there is room in the tray");
      more = tasks | entry << end;
      // release: pairs with the acquire in Pop. Failure relaxed: only the next attempt uses the
      // value.
    } while (!tasks_.compare_exchange_strong(tasks, more, std::memory_order::release,
                                             std::memory_order::relaxed));
  }

  template <class MayStart>
  void PushMany(std::uint32_t thread, std::uint32_t priority, const TaskId* tasks,
                std::size_t count, const MayStart& may_start) {
    for (std::size_t i = 0; i < count; ++i) {
      Push(thread, {.id = tasks[i], .priority = static_cast<std::uint8_t>(priority)}, may_start);
    }
  }

  bool Pop(std::uint32_t /*thread*/, std::uint32_t priority, TaskId* task) {
    if (priority != 0) return false;
    std::uint64_t tasks = tasks_.load(std::memory_order::relaxed);
    do {
      if (tasks == 0) return false;
      // acquire: pairs with the release in Push. Failure relaxed: as there.
    } while (!tasks_.compare_exchange_strong(tasks, tasks >> kEntryBits, std::memory_order::acquire,
                                             std::memory_order::relaxed));
    const auto entry = static_cast<std::uint32_t>(tasks) & ((1u << kEntryBits) - 1);
    *task = TaskId(kTag, static_cast<std::uint16_t>(entry & ((1u << kSlotBits) - 1)),
                   entry >> kSlotBits);
    return true;
  }
  // relaxed: nothing is read on the strength of it.
  bool Any() const { return tasks_.load(std::memory_order::relaxed) != 0; }
  bool PopOldest(std::uint32_t /*turn*/, std::uint32_t priority, TaskId* task) {
    return Pop(0, priority, task);
  }
  template <class Wanted, class MayStart>
  bool PopOwn(std::uint32_t /*thread*/, const Wanted& /*wanted*/, const MayStart& /*may_start*/,
              TaskId* /*task*/, bool* /*put_back*/) {
    return false;
  }

 private:
  static constexpr std::uint16_t kTag = 1;  // of the scenarios' graphs
  static constexpr int kSlotBits = 4, kEntryBits = 8;

  static std::uint64_t EntryOf(TaskId task) {
    model::Check(task.tag() == kTag && task.generation() < (1 << (kEntryBits - kSlotBits)),
                 "a tray's entries are small");
    return task.slot() | task.generation() << kSlotBits;
  }

  ModelSync::atomic<std::uint64_t> tasks_{0};
};

}  // namespace nowait

#endif  // NOWAIT_MODELS_JOBS_TRAY_H_
