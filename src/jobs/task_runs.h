// TaskRuns: the work of started tasks, from Enter to Finish, and the answers of devices, which do
// the work of external tasks. A layer of TaskGraph (task_graph.h).
//
// Promise: a task is started or cancelled by exactly one call. Of an idempotent task's two runs one
// counts, and the slot outlives both.
#ifndef NOWAIT_SRC_JOBS_TASK_RUNS_H_
#define NOWAIT_SRC_JOBS_TASK_RUNS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_links.h"
#include "src/jobs/task_state.h"

namespace nowait {

template <class Sync, std::uint32_t kStore>
class TaskRuns : public TaskLinks<Sync, kStore> {
  using Lower = TaskLinks<Sync, kStore>;

 public:
  using Lower::Lower;
  using Lower::Settle;
  using Lower::SubmitAll;
  using typename Lower::Place;
  using typename Lower::Thread;

  // Whether the caller is to run an idempotent task a second time, which has been started and is
  // not done.
  bool TryStartAgain(TaskId task) {
    return Knows(task) && slots_[task.slot()].state.TryStartAgain(task.generation());
  }

  // Between Enter and Finish the thread runs a task that it has started. These pairs nest, because
  // a waiting task helps. Returns where the thread was before.
  Place Enter(Thread& by, TaskId started) {
    // acquire in Look: not needed; the caller has started the task.
    const bool idempotent = slots_[started.slot()].state.Look().Has(TaskStateWord::kIdempotent);
    return std::exchange(by.place_,
                         Place{.current = started, .flags = idempotent ? Place::kIdempotent : 0});
  }
  // The same for plain work.
  Place EnterPlain(Thread& by, TaskId started) {
    return std::exchange(by.place_, Place{.current = started});
  }

  // The same for a job of a list, whose task many threads are in at the same time.
  Place EnterList(Thread& by, TaskId started) {
    return std::exchange(by.place_, Place{.current = started, .flags = Place::kInList});
  }
  void LeaveList(Thread& by, const Place& outer) { by.place_ = outer; }
  // The last job of a list has returned, and every thread has left it.
  template <class Ready>
  void CompleteList(Thread& by, TaskId started, Ready&& ready) {
    CloseItem(by, started.slot(), ready);
  }

  // Whether this run of the current, idempotent task is the first to be done: then its result
  // counts. To be called once, before the result is put where others look.
  bool TryCommit(Thread& by) {
    const TaskId task = by.current();
    return slots_[task.slot()].state.TryCommit(task.generation());
  }

  // The work of a started task that has not been finished has thrown, or has not been done.
  void MarkFailed(TaskId task) { SetFailed(task.slot()); }

  // The current task's work is done. Submits the tasks that it holds. Returns whether this was the
  // last run: always, but for idempotent tasks. won: the result of TryCommit.
  template <class Ready>
  bool Finish(Thread& by, const Place& outer, Ready&& ready, bool won = true) {
    SubmitAll(by, ready);
    const Place inner = std::exchange(by.place_, outer);
    const std::uint16_t index = inner.current.slot();
    if (won) CloseItem(by, index, ready);
    if (!inner.Has(Place::kIdempotent)) return true;
    const auto left = slots_[index].state.Leave();
    if (left.gives_back) slots_.Give(by.store_, index);
    return left.last;
  }

  // The same for plain work. ready.Keeps(state): whether the caller takes this dependent, which
  // only the ended task has held back; then ready.Keep(task), and StartKept or ReleaseKept has to
  // follow. The item of the task's parent may be kept back: then the next child of that parent
  // which ends here takes it along, so that a parent of many children is written seldom. Settle has
  // to follow before this thread runs anything but plain children of that parent, and before it
  // sleeps or goes on with other code.
  template <class Ready>
  [[gnu::always_inline]] void FinishAndKeep(Thread& by, const Place& outer, Ready& ready) {
    SubmitAll(by, ready);
    const std::uint16_t index = std::exchange(by.place_, outer).current.slot();
    Slot& slot = slots_[index];
    const auto closed = slot.completion.Close();
    if (!closed.complete) return;
    // relaxed, all three: as in Completed.
    const std::uint16_t parent = slot.parent.load(std::memory_order::relaxed);
    const bool has_children = slot.first_child.load(std::memory_order::relaxed) != kNone;
    if (parent == kNone || has_children || closed.first != kNone ||
        slot.failed.load(std::memory_order::relaxed)) {
      return Completed(by, index, closed, ready);
    }
    NOWAIT_ASSERT(!by.keeps() || by.kept_parent_ == parent, "a thread settles before other tasks");
    by.kept_parent_ = parent;
    ++by.kept_items_;
    // The parent is complete by these: no thread is to wait for it any longer.
    if (slots_[parent].completion.HasOnly(by.kept_items_)) Settle(by, ready);
  }
  // Starts a kept task. False: it has been cancelled, and ReleaseKept has to follow.
  [[gnu::always_inline]] bool StartKept(TaskId kept) {
    return slots_[kept.slot()].state.TryReleaseAndStart();
  }
  // Other threads may start it.
  template <class Ready>
  void ReleaseKept(Thread& by, TaskId kept, Ready&& ready) {
    const std::uint16_t index = kept.slot();
    if (IsDone(index, slots_[index].state.Release(), ready)) CloseItem(by, index, ready);
  }
  // The device has done its work, or failed. by_device: the caller is a request's own device. Any
  // other caller is refused for a request (kNotOwner): the device may still be serving it.
  template <class Ready>
  Result<void> CompleteExternal(Thread& by, TaskId task, Ready&& ready, bool by_device = false,
                                bool failed = false) {
    if (auto usable = CheckUsable(by, task); !usable) return usable;
    TaskState<Sync>& state = slots_[task.slot()].state;
    const TaskStateWord seen = state.Look();
    if (seen.generation() == task.generation()) {
      if (!seen.Has(TaskStateWord::kExternal)) {
        return Fail(ErrorCode::kInvalidArgument, "task", task.bits(), "its work is not external");
      }
      if (seen.Has(TaskStateWord::kRequest) && !by_device) {
        return Fail(ErrorCode::kNotOwner, "request", task.bits(), "its device answers it");
      }
      if (!seen.Has(TaskStateWord::kStarted | TaskStateWord::kCancelled)) {
        return Fail(ErrorCode::kWrongPhase, "completion", task.bits(),
                    "no thread has started the task");
      }
    }
    if (!state.TryCommit(task.generation())) return Fail(ErrorCode::kStaleId, "task", task.bits());
    if (failed) SetFailed(task.slot());
    CloseItem(by, task.slot(), ready);
    return {};
  }

  // The hand-over of an external task that the caller has started has failed. False: the device has
  // it nevertheless, and has answered. Otherwise CompleteFailed has to follow; until then the slot
  // is the caller's.
  bool TryFail(Thread& by, TaskId task) {
    Slot& slot = slots_[task.slot()];
    if (!slot.state.TryCommit(task.generation())) return false;
    SetFailed(task.slot());
    slot.next_held.set(std::exchange(by.failed_, task.slot()));
    return true;
  }
  // Completes one such task; false when there is no more.
  template <class Ready>
  bool CompleteFailed(Thread& by, Ready&& ready) {
    if (by.failed_ == kNone) return false;
    const std::uint16_t index = std::exchange(by.failed_, slots_[by.failed_].next_held.get());
    CloseItem(by, index, ready);
    return true;
  }

  // The caller has started and handed over an external task. Its device may have answered already.
  void MarkInFlight(TaskId task) { slots_[task.slot()].state.MarkInFlight(task.generation()); }
  // Completes every task that is out, as a failed one, and returns how many. A device that has one
  // finds it stale. In proportion to the size of the graph.
  template <class Ready>
  std::uint32_t CompleteInFlight(Thread& by, Ready&& ready) {
    std::uint32_t completed = 0;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      TaskState<Sync>& state = slots_[i].state;
      const TaskStateWord seen = state.Look();
      if (!seen.Has(TaskStateWord::kInFlight) || !state.TryCommit(seen.generation())) continue;
      SetFailed(static_cast<std::uint16_t>(i));
      CloseItem(by, static_cast<std::uint16_t>(i), ready);
      ++completed;
    }
    return completed;
  }

 protected:
  using Lower::CheckUsable;
  using Lower::CloseItem;
  using Lower::Completed;
  using Lower::IsDone;
  using Lower::kNone;
  using Lower::Knows;
  using Lower::SetFailed;
  using Lower::slots_;
  using typename Lower::Slot;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_RUNS_H_
