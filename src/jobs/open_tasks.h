// OpenTasks: the slots of the tasks that are not complete yet, each thread's place among them, and
// the questions about one task. The lowest layer of TaskGraph (task_graph.h).
//
// A question is answered for the moment of its look. Of a task that its caller holds, or has
// started, the answer stays true; of any other it may be out of date at once.
#ifndef NOWAIT_SRC_JOBS_OPEN_TASKS_H_
#define NOWAIT_SRC_JOBS_OPEN_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <expected>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_slots.h"
#include "src/jobs/task_state.h"
#include "src/jobs/task_walk.h"

namespace nowait {

// kStore: how many free slots a thread keeps for itself.
template <class Sync, std::uint32_t kStore>
class OpenTasks {
 protected:
  using Slot = TaskSlot<Sync>;
  using Slots = TaskSlots<Sync, kStore>;
  static constexpr std::uint16_t kNone = Slot::kNone;

 public:
  // The task that a thread is in, and the tasks that this one holds.
  struct Place {
    TaskId current;
    std::uint16_t oldest_held = kNone;
    std::uint16_t newest_held = kNone;
    std::uint32_t flags = 0;  // one word: a place is copied twice for each task

    static constexpr std::uint32_t kIdempotent = 1u << 0;
    static constexpr std::uint32_t kInList = 1u << 1;   // in a job of a list, beside others
    static constexpr std::uint32_t kSubmits = 1u << 2;  // of the tasks held together some are out

    bool Has(std::uint32_t any) const { return (flags & any) != 0; }
    bool is_leaf() const { return Has(kIdempotent | kInList); }
  };

  // The thread's own part, an argument of each call.
  class Thread {
   public:
    Thread(OpenTasks& graph, std::uint16_t number)
        : graph_(graph), walk_(graph.slots_, graph.tag_), place_{TaskId::Outside(number)} {
      NOWAIT_ASSERT(number < graph.threads_, "threads of a graph are numbered from 0");
    }
    ~Thread() {
      NOWAIT_ASSERT(!keeps(), "a thread settles before it ends");
      graph_.slots_.GiveAll(store_);
    }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    // The task whose work runs here, or TaskId::Outside.
    TaskId current() const { return place_.current; }
    // Whether that task, or the thread outside, holds any.
    bool holds() const { return place_.oldest_held != kNone; }
    // Whether it holds any task but this one.
    bool HoldsOther(TaskId than) const {
      return place_.oldest_held != place_.newest_held ||
             (holds() && place_.oldest_held != than.slot());
    }
    // Whether it keeps items back; see FinishAndKeep.
    bool keeps() const { return kept_items_ != 0; }

   private:
    friend class OpenTasks;
    template <class, std::uint32_t>
    friend class TaskEnds;
    template <class, std::uint32_t>
    friend class HeldTasks;
    template <class, std::uint32_t>
    friend class TaskLinks;
    template <class, std::uint32_t>
    friend class TaskRuns;
    template <class, std::uint32_t>
    friend class TaskWaits;
    OpenTasks& graph_;
    TaskWalk<Sync, Slots> walk_;
    typename Slots::Store store_;
    Place place_;
    std::uint16_t failed_ = kNone;       // see TryFail; linked like held tasks
    std::uint16_t kept_parent_ = kNone;  // see FinishAndKeep
    std::uint16_t kept_items_ = 0;
  };

  explicit OpenTasks(const TaskGraphDef& def)
      : tag_(def.tag), threads_(def.threads), slots_(def.capacity, def.threads) {}

  // Whether there can be a graph of so many tasks and threads.
  static constexpr bool CanHave(std::uint64_t capacity, std::uint64_t threads) {
    return Slots::CanHave(capacity, threads);
  }
  std::uint32_t capacity() const { return slots_.capacity(); }
  // How many tasks can be open at the same time, at most: the capacity, and the slots that threads
  // keep for themselves.
  std::uint32_t most_open() const { return slots_.size(); }
  static constexpr std::size_t BytesPerTask() {
    return sizeof(Slot) + sizeof(TaskCapture) + sizeof(std::uint32_t);
  }

  // Whether the caller is to run a task that ready was called for. False: another thread runs it,
  // or it has been cancelled.
  bool TryStart(TaskId task) { return Knows(task) && TryStartKnown(task); }
  // The same for a task of this graph.
  [[gnu::always_inline]] bool TryStartKnown(TaskId task) {
    return slots_[task.slot()].state.TryStart(task.generation());
  }
  // Whether TryStart could succeed. Once this is false for a task that ready was called for, it
  // stays false.
  bool MayStart(TaskId task) const {
    if (!Knows(task)) return false;
    const TaskStateWord seen = slots_[task.slot()].state.Look();
    return seen.generation() == task.generation() && seen.MayStart();
  }
  // The work of a started task, for the thread that started it.
  Job WorkOf(TaskId task) const { return slots_[task.slot()].work.get(); }
  TaskKind KindOf(TaskId task) const { return slots_[task.slot()].state.Look().kind(); }
  std::uint8_t PriorityOf(TaskId task) const { return slots_[task.slot()].state.Look().priority(); }
  std::uint8_t AffinityOf(TaskId task) const { return slots_[task.slot()].state.Look().affinity(); }

  // Whether it is a task of this graph.
  Result<void> CheckKnown(TaskId task) const {
    if (Knows(task)) return {};
    return Fail(ErrorCode::kInvalidArgument, "task", task.bits(),
                task.IsTask() ? "of another graph" : "no task");
  }

  // Whether the task is complete. A task whose slot another one has taken is complete.
  bool IsComplete(TaskId task) const {
    NOWAIT_ASSERT(Knows(task), "an id is shown to its own graph");
    return !Knows(task) || IsKnownComplete(task);
  }
  // The same for a task of this graph.
  [[gnu::always_inline]] bool IsKnownComplete(TaskId task) const {
    return slots_[task.slot()].completion.IsComplete(task.generation());
  }

 protected:
  static std::unexpected<Error> Forward(const Result<void>& failed) {
    return std::unexpected(failed.error());
  }

  bool Knows(TaskId task) const {
    return task.IsTask() && task.tag() == tag_ && task.slot() < slots_.size();
  }

  [[gnu::always_inline]] bool IsHeld(TaskId task) const {
    const TaskStateWord seen = slots_[task.slot()].state.Look();
    return seen.generation() == task.generation() && seen.Has(TaskStateWord::kHeld);
  }
  bool IsHeldChild(TaskId task, TaskId parent) const {
    // relaxed: a held task is the caller's (CheckUsable).
    return IsHeld(task) &&
           slots_[task.slot()].parent.load(std::memory_order::relaxed) == parent.slot();
  }
  bool IsCreator(const Thread& by, TaskId task) const {
    // relaxed: the creator has published the id to its user, or is the user.
    return slots_[task.slot()].creator.load(std::memory_order::relaxed) == by.current().bits();
  }

  // Whether the caller may change it: it holds it. (For a task of another creator the answer may be
  // out of date at once, but CheckHeld does not take that task for the caller's.)
  bool IsHeldBy(const Thread& by, TaskId task) const {
    return Knows(task) && IsHeld(task) && IsCreator(by, task);
  }
  Result<void> CheckHeld(const Thread& by, TaskId task) const {
    if (auto known = CheckKnown(task); !known) return known;
    const TaskStateWord seen = slots_[task.slot()].state.Look();
    if (seen.generation() != task.generation()) {
      return Fail(ErrorCode::kStaleId, "task", task.bits());
    }
    if (!seen.Has(TaskStateWord::kHeld)) {
      return Fail(ErrorCode::kWrongPhase, "task", task.bits(), "it has been submitted");
    }
    if (!IsCreator(by, task)) {
      return Fail(ErrorCode::kNotOwner, "task", task.bits(), "its creator holds it");
    }
    return {};
  }
  // Whether the caller may refer to it: no other thread or task holds it.
  bool IsUsable(const Thread& by, TaskId task) const {
    return Knows(task) && (!IsHeld(task) || IsCreator(by, task));
  }
  std::unexpected<Error> NotUsable(TaskId task) const {
    if (auto known = CheckKnown(task); !known) return Forward(known);
    return Fail(ErrorCode::kNotOwner, "task", task.bits(), "its creator holds it");
  }
  Result<void> CheckUsable(const Thread& by, TaskId task) const {
    if (IsUsable(by, task)) return {};
    return NotUsable(task);
  }

  const std::uint16_t tag_;
  const std::uint32_t threads_;
  Slots slots_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_OPEN_TASKS_H_
