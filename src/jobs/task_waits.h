// TaskWaits: a thread waits for a task, and finds the tasks that the awaited one needs, to help
// with them. A layer of TaskGraph (task_graph.h).
//
// Source: leapfrogging [wagner1993] also helps only with the awaited task.
#ifndef NOWAIT_SRC_JOBS_TASK_WAITS_H_
#define NOWAIT_SRC_JOBS_TASK_WAITS_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_runs.h"
#include "src/jobs/task_state.h"
#include "src/jobs/task_walk.h"

namespace nowait {

template <class Sync, std::uint32_t kStore>
class TaskWaits : public TaskRuns<Sync, kStore> {
  using Lower = TaskRuns<Sync, kStore>;

 public:
  using Lower::CheckKnown;
  using Lower::IsComplete;
  using Lower::Lower;
  using Lower::SubmitAll;
  using Lower::TryStartAgain;
  using typename Lower::Thread;
  // Where a wait last found a task to help with; kept by the wait from one search to the next.
  using Cursor = typename TaskWalk<Sync, typename Lower::Slots>::Cursor;

  // To be called before the current task or thread waits; submits the tasks that it holds. A task
  // may wait only for one that it has created, a thread outside all tasks for any. A refusal
  // changes nothing.
  template <class Ready>
  Result<void> BeginWait(Thread& by, TaskId task, Ready&& ready) {
    if (auto known = CheckKnown(task); !known) return known;
    if (by.current().IsTask() && !IsComplete(task)) {
      if (by.place_.is_leaf()) {
        return Fail(ErrorCode::kWrongPhase, "wait", task.bits(),
                    "an idempotent task or a list does not wait");
      }
      // If it is complete by now, its slot may be another task's: that is no error.
      if (!IsCreator(by, task) && !IsComplete(task)) {
        return Fail(ErrorCode::kNotOwner, "wait", task.bits(), "a task waits for what it created");
      }
      auto& needs = slots_[by.current().slot()].needs;
      needs.store(task.bits(), std::memory_order::seq_cst);  // see task_links.h
      if (!NeedsNothing(task) &&
          by.walk_.Up(by.current(), [task](TaskId, TaskId to) { return to == task; })) {
        needs.store(0, std::memory_order::relaxed);  // 0 leads nowhere: task_walk.h
        return Fail(ErrorCode::kCycle, "wait", task.bits(), "it waits for the waiting task");
      }
    }
    SubmitAll(by, ready);
    return {};
  }
  void EndWait(Thread& by) {
    if (!by.current().IsTask()) return;
    // relaxed: 0 leads nowhere.
    slots_[by.current().slot()].needs.store(0, std::memory_order::relaxed);
  }

  // Starts a task that `task` needs, or `task` itself, for the caller to run: Enter, work, Finish.
  // affinity: the thread's own name, or 0. Nothing is found when every task that it needs is
  // running, or waits for a device or another thread. found: where this wait last found a task; the
  // search goes on from there. Bounds: n children of one parent that may start are found with O(n)
  // steps in all. Two searches take longer: one that finds nothing, and the next one after all
  // children of a parent. They take at most a step for each task below and each link between them,
  // completed tasks with an open parent included.
  std::optional<TaskId> FindHelp(Thread& by, TaskId task, std::uint8_t affinity, Cursor* found) {
    return FindBelow(by, task, found, [&](TaskId to) {
      TaskState<Sync>& state = slots_[to.slot()].state;
      const TaskStateWord seen = state.Look();
      if (seen.Has(TaskStateWord::kExternal) || !seen.MayStart()) return false;
      if (seen.affinity() != 0 && seen.affinity() != affinity) return false;
      return state.TryStart(to.generation());
    });
  }

  // The same, from the beginning.
  std::optional<TaskId> FindHelp(Thread& by, TaskId task, std::uint8_t affinity) {
    Cursor none;
    return FindHelp(by, task, affinity, &none);
  }

  // As FindHelp, but starts a second run of an idempotent task that `task` needs and another thread
  // is in.
  std::optional<TaskId> FindToRunAgain(Thread& by, TaskId task) {
    Cursor none;
    return FindBelow(by, task, &none, [this](TaskId to) { return TryStartAgain(to); });
  }

  // The priorities, a bit for each, of the lists that `task` needs and whose jobs are run now.
  std::uint32_t PrioritiesOfLists(Thread& by, TaskId task) {
    Cursor none;
    std::uint32_t priorities = 0;
    FindBelow(by, task, &none, [&](TaskId to) {
      const TaskStateWord seen = slots_[to.slot()].state.Look();
      const bool runs = seen.generation() == to.generation() && seen.Has(TaskStateWord::kList) &&
                        seen.Has(TaskStateWord::kStarted) && !IsComplete(to);
      if (runs) priorities |= 1u << seen.priority();
      return false;
    });
    return priorities;
  }

  // Whether `waiting` needs `task`, or is the same: then a thread that waits for `waiting` may help
  // with `task`, which it has from a queue. Cheaper than FindHelp where the answer is near.
  bool IsNeeded(Thread& by, TaskId waiting, TaskId task) {
    if (!Knows(task) || waiting == task) return waiting == task;
    return by.walk_.Up(task, [waiting](TaskId, TaskId to) { return to == waiting; });
  }

 private:
  using Lower::IsCreator;
  using Lower::Knows;
  using Lower::slots_;
  using typename Lower::Slot;

  // The first task from `task` downward for which start returns true.
  template <class Start>
  std::optional<TaskId> FindBelow(Thread& by, TaskId task, Cursor* cursor, const Start& start) {
    if (!Knows(task)) return std::nullopt;
    std::optional<TaskId> found;
    const auto meet = [&](TaskId, TaskId to) {
      if (!start(to)) return false;
      found = to;
      return true;
    };
    if (by.walk_.Resume(cursor, meet) || meet(task, task)) return found;
    by.walk_.Down(task, meet, cursor);
    return found;
  }

  // Whether a task has neither children nor a dependency, waits for nothing, and has not begun its
  // work. See task_links.h, Why cycles are found.
  bool NeedsNothing(TaskId task) const {
    const Slot& slot = slots_[task.slot()];
    const auto seen = slot.completion.Look();
    if (!seen.IsOpen(task.generation()) || seen.items != 1) return false;
    if (slot.needs.load(std::memory_order::seq_cst) != 0) return false;
    // After the look: if the one item is a child's, the look saw the work's Close and its start.
    const TaskStateWord state = slot.state.Look();
    return state.generation() == task.generation() &&
           !state.Has(TaskStateWord::kEmpty | TaskStateWord::kStarted | TaskStateWord::kCancelled);
  }
};

// Implementation: why this is right
//
// Why nothing is deadlocked: a task waits only for what it created (kNotOwner otherwise), and by
// waiting submits the tasks that it holds. FindHelp goes down from the awaited task: through
// children, dependencies and what running tasks wait for. That relation is acyclic, so it ends at
// tasks that are ready, or that run and do not wait. Only a task that a walk reaches is started, so
// a task below on the same stack is waiting for the one above. So at the end of each walk there is
// a thread that can go on.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_WAITS_H_
