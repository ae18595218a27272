// HeldTasks: the tasks that their creator has not submitted yet, and their submission or
// cancellation. A layer of TaskGraph (task_graph.h).
//
// The creator of a task (another task, or a thread outside all tasks) holds it until the creator
// submits it or waits, so that a graph can be put together in any order before any of it runs.
#ifndef NOWAIT_SRC_JOBS_HELD_TASKS_H_
#define NOWAIT_SRC_JOBS_HELD_TASKS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/task_ends.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_state.h"

namespace nowait {

template <class Sync, std::uint32_t kStore>
class HeldTasks : public TaskEnds<Sync, kStore> {
  using Lower = TaskEnds<Sync, kStore>;
  using Cancelled = typename TaskState<Sync>::CancelResult;

 public:
  using Lower::Lower;
  using typename Lower::Place;
  using typename Lower::Thread;

  // submitted(): called when it has been; see TaskLinks::Create.
  template <class Ready>
  Result<void> Submit(Thread& by, TaskId task, Ready&& ready) {
    return Submit(by, task, ready, [] {});
  }
  template <class Ready, class Submitted>
  Result<void> Submit(Thread& by, TaskId task, Ready&& ready, const Submitted& submitted) {
    if (!IsHeldBy(by, task)) return CheckHeld(by, task);
    SetSubmits(by.place_, by.HoldsOther(task));
    SubmitHeld(by, task.slot(), ready);
    submitted();
    return {};
  }

  // All tasks that the caller holds, oldest first.
  template <class Ready>
  void SubmitAll(Thread& by, Ready&& ready) {
    if (by.holds()) SubmitAllHeld(by, ready);
    SetSubmits(by.place_, false);
  }

  // The work of the tasks that the caller holds will not be done.
  void CancelHeld(Thread& by) {
    for (std::uint16_t i = by.place_.oldest_held; i != kNone; i = slots_[i].next_held.get()) {
      TaskState<Sync>& state = slots_[i].state;
      state.Cancel(state.Look().generation());
    }
  }

  // The task's own work will not be done, if it has not been started: true if this call is the
  // reason. The task is complete when it would have been without that work; its children are tasks
  // of their own.
  template <class Ready>
  Result<bool> Cancel(Thread& by, TaskId task, Ready&& ready) {
    if (auto usable = CheckUsable(by, task); !usable) return Forward(usable);
    const Cancelled cancelled = slots_[task.slot()].state.Cancel(task.generation());
    if (cancelled == Cancelled::kDone) {
      SetFailed(task.slot());
      CloseItem(by, task.slot(), ready);
    }
    return cancelled != Cancelled::kTooLate;
  }

  // The same for the task and all below it, and returns how many will not be done. Children that
  // another creator still holds are left to it. Takes a step for each task below.
  template <class Ready>
  Result<std::uint32_t> CancelGroup(Thread& by, TaskId task, Ready&& ready) {
    if (auto usable = CheckUsable(by, task); !usable) return std::unexpected(usable.error());
    std::uint32_t cancelled = 0;
    // Those that nothing held, linked by next_held: this call completes them. After the walk, whose
    // memory is the thread's: a hand-over or a report inside ready may cancel another group.
    std::uint16_t done = kNone;
    const auto cancel = [&](TaskId one) {
      if (IsHeld(one) && !IsCreator(by, one)) return;
      Slot& slot = slots_[one.slot()];
      const Cancelled result = slot.state.Cancel(one.generation());
      if (result == Cancelled::kTooLate) return;
      ++cancelled;
      if (result == Cancelled::kCancelled) return;
      SetFailed(one.slot());
      slot.next_held.set(std::exchange(done, one.slot()));
    };
    cancel(task);
    by.walk_.Below(task, [&](TaskId, TaskId child) {
      cancel(child);
      return false;
    });
    while (done != kNone) {
      const std::uint16_t index = std::exchange(done, slots_[done].next_held.get());
      CloseItem(by, index, ready);
    }
    return cancelled;
  }

 protected:
  using Lower::CheckHeld;
  using Lower::CheckUsable;
  using Lower::CloseItem;
  using Lower::Forward;
  using Lower::IsCreator;
  using Lower::IsDone;
  using Lower::IsHeld;
  using Lower::IsHeldBy;
  using Lower::kNone;
  using Lower::SetFailed;
  using Lower::slots_;
  using typename Lower::Slot;

  void LinkHeld(Place& place, std::uint16_t index) {
    slots_[index].next_held.set(kNone);
    slots_[index].previous_held.set(place.newest_held);
    if (place.newest_held == kNone) {
      place.oldest_held = index;
    } else {
      slots_[place.newest_held].next_held.set(index);
    }
    place.newest_held = index;
  }
  void UnlinkHeld(Place& place, std::uint16_t index) {
    if (index == place.oldest_held) return UnlinkOldest(place, index);
    const std::uint16_t next = slots_[index].next_held.get();
    const std::uint16_t previous = slots_[index].previous_held.get();
    slots_[previous].next_held.set(next);
    if (next == kNone) {
      place.newest_held = previous;
    } else {
      slots_[next].previous_held.set(previous);
    }
  }
  // The same for the oldest one, whose previous_held means nothing: it may be of a former one.
  void UnlinkOldest(Place& place, std::uint16_t index) {
    place.oldest_held = slots_[index].next_held.get();
    if (place.oldest_held == kNone) place.newest_held = kNone;
  }
  static void SetSubmits(Place& place, bool submits) {
    place.flags = (place.flags & ~Place::kSubmits) | (submits ? Place::kSubmits : 0);
  }

  template <class Ready>
  [[gnu::noinline]] void SubmitAllHeld(Thread& by, Ready& ready) {
    if (!by.place_.Has(Place::kSubmits)) {
      SetSubmits(by.place_, true);
      SubmitWithoutWork(by, by.place_.oldest_held);
    }
    while (by.holds()) {
      const std::uint16_t index = by.place_.oldest_held;
      if (slots_[index].completion.FirstAlone() != kNone) SubmitDependents(by, index);
      UnlinkOldest(by.place_, index);
      SubmitUnlinked(by, index, ready);
    }
  }

  // Submits the tasks that depend on a held one, directly and through each other. Before that one:
  // as long as it is held, none of them can be released, and no read-modify-write is needed.
  [[gnu::noinline]] void SubmitDependents(Thread& by, std::uint16_t held) {
    // Those that are left are linked by next_held. They stay held until their own dependents are
    // known: from then on another thread may register with them.
    std::uint16_t last = kNone, next = kNone;
    for (std::uint16_t at = held; at != kNone; at = next) {
      Slot& slot = slots_[at];
      // relaxed, below: the holder's own.
      for (std::uint16_t i = slot.completion.FirstAlone(); i != kNone;
           i = slots_[i].next_dependent.load(std::memory_order::relaxed)) {
        if (!slots_[i].state.Look().Has(TaskStateWord::kHeld)) continue;  // submitted before
        UnlinkHeld(by.place_, i);
        slots_[i].next_held.set(kNone);
        if (last == kNone) {
          next = i;
        } else {
          slots_[last].next_held.set(i);
        }
        last = i;
      }
      if (at == held) continue;
      next = slot.next_held.get();
      slot.state.Submit(false);
    }
  }

  // Submits a held task that has children and no work of its own; false for any other. No other
  // thread changes its count (invariant 1): to take its own item off is no read-modify-write.
  [[gnu::noinline]] bool SubmitWithoutWork(Thread& by, std::uint16_t index) {
    Slot& slot = slots_[index];
    // relaxed: the holder alone writes it.
    if (slot.needs.load(std::memory_order::relaxed) != 0 || !slot.state.IsWithoutWork() ||
        !slot.completion.CloseAlone()) {
      return false;
    }
    UnlinkHeld(by.place_, index);
    // Before its children are submitted, one of which takes the last item off.
    if (slot.state.Look().Has(TaskStateWord::kCancelled)) [[unlikely]]
      SetFailed(index);
    slot.state.Submit(false);
    return true;
  }

  template <class Ready>
  void SubmitHeld(Thread& by, std::uint16_t index, Ready& ready) {
    UnlinkHeld(by.place_, index);
    SubmitUnlinked(by, index, ready);
  }
  template <class Ready>
  [[gnu::always_inline]] void SubmitUnlinked(Thread& by, std::uint16_t index, Ready& ready) {
    Slot& slot = slots_[index];
    // relaxed: the holder alone writes it.
    const bool registered = slot.needs.load(std::memory_order::relaxed) != 0;
    if (IsDone(index, slot.state.Submit(registered), ready)) CloseItem(by, index, ready);
  }
};

// Implementation: why this is right
//
// Invariants
//   1. A task is private while it is held and no task is submitted that was held together with it
//      (Place::kSubmits). No other thread is allowed to name it, and none has a child of it to
//      complete. So its holder alone changes its count and its list of children, without a
//      read-modify-write.
//   2. SubmitAll submits the tasks that depend on a held one before that one. None of them can be
//      released before, so the holder alone changes their states, without a read-modify-write. They
//      have other creators' dependents only from their submission on.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_HELD_TASKS_H_
