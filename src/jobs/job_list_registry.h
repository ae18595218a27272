// JobListRegistry: where submitted job lists are attached for threads to find, and how they are
// taken back.
//
// The hard part of handing out a list is getting it back. Its owner may destroy it as soon as it is
// finished, while a thread that saw it a moment ago is about to look into it. So a thread enters a
// slot before it touches the list there, and leaves afterwards. A visitor that learns that nothing
// is left to fetch closes the slot, and the last visitor to leave a closed slot owns the list:
//
//   post    inside, alone       the list is attached; others may enter
//   leave   something is left   it stays attached, even if no thread is inside
//   leave   nothing is left     no thread enters any more
//   leave   the last one        the slot is free, and the list can go back to its owner
//
// No thread waits for another. The poster is a visitor like any other: it may leave long before the
// last one does.
//
// Thread safety: any thread, any time.
// Progress: lock-free.
//
// Promise: Enter returns the attached list or null. After a LeaveDone, only the last visitor to
// leave gets the task, and no thread touches the list through this slot again. Stated in full
// behind the class.
//
// Source: [sanglard2013], the ring of submitted lists. Model: models/jobs/job_list_registry.
// Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_JOB_LIST_REGISTRY_H_
#define NOWAIT_SRC_JOBS_JOB_LIST_REGISTRY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_id.h"
#include "src/sync/atomic_min_max.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class JobListRegistry {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // lists: how many of one priority can be attached at the same time.
  explicit JobListRegistry(std::uint32_t lists, std::uint32_t priorities = 1)
      : lists_(lists), slots_(std::size_t{lists} * priorities), ranges_(priorities) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  std::uint32_t priorities() const { return static_cast<std::uint32_t>(ranges_.size()); }

  // The slots of a priority, 0 being the highest, begin here; behind the first Used(priority) of
  // them no list has ever been attached.
  std::uint32_t Begin(std::uint32_t priority) const { return priority * lists_; }
  std::uint32_t Used(std::uint32_t priority) const {
    // relaxed: a thread that learnt of a Post has this from the notification.
    return ranges_[priority].used.load(std::memory_order::relaxed);
  }
  // How many lists of the priority are attached, or are just being attached, or have just been
  // closed.
  std::uint32_t Open(std::uint32_t priority) const {
    // relaxed: as Used. Each list changes the count twice. A thread that learnt of the Post has the
    // first change from the notification, and the second comes later (see LeaveDone): 0 is after
    // both.
    return ranges_[priority].open.load(std::memory_order::relaxed);
  }

  // Attaches a submitted list, enters its slot and returns the slot, or kNone when all slots of the
  // priority are taken.
  std::uint32_t Post(JobList<Sync>* list, TaskId task, std::uint32_t priority = 0) {
    NOWAIT_ASSERT(priority < priorities(), "a priority that the registry has slots for");
    for (std::uint32_t i = Begin(priority); i < Begin(priority + 1); ++i) {
      Slot& slot = slots_[i];
      std::uint32_t free = 0;
      // acquire: pairs with the release in Leave: `list` and `task` may be written again.
      if (slot.state.compare_exchange_strong(free, 1, std::memory_order::acquire,
                                             std::memory_order::relaxed)) {
        slot.list.set(list);
        slot.task.set(task);
        Range& range = ranges_[priority];
        // relaxed, both: see Used and Open.
        AtomicMax<Sync>(range.used, i - Begin(priority) + 1, std::memory_order::relaxed);
        range.open.fetch_add(1, std::memory_order::relaxed);
        // release: pairs with the acquire in Enter: the pointer, and the list behind it.
        slot.state.store(kOpen | 1, std::memory_order::release);
        return i;
      }
    }
    return kNone;
  }

  // Enters a slot; null when no list is attached there. A returned list must be left again.
  JobList<Sync>* Enter(std::uint32_t i) {
    Slot& slot = slots_[i];
    std::uint32_t state = slot.state.load(std::memory_order::relaxed);
    while ((state & kOpen) != 0) {
      // acquire: pairs with the release in Post; other visitors' changes between are
      // read-modify-writes and keep its release sequence going.
      if (slot.state.compare_exchange_retry(state, state + 1, std::memory_order::acquire,
                                            std::memory_order::relaxed)) {
        return slot.list.get();
      }
    }
    return nullptr;
  }

  // The list in a slot that the caller has entered, and its task.
  JobList<Sync>* Entered(std::uint32_t i) const { return slots_[i].list.get(); }
  TaskId TaskOf(std::uint32_t i) const { return slots_[i].task.get(); }

  // Leaves a slot whose list may have something left to fetch. Returns the list's task if the
  // caller was the last visitor of a closed slot: the slot is free then, and the list is the
  // caller's.
  TaskId Leave(std::uint32_t i) {
    const TaskId task = slots_[i].task.get();  // while it cannot change
    // acq_rel: a release for the last visitor and for the next Post, and an acquire in the last
    // visitor: the work of all that left before. Each Leave is a read-modify-write, so it continues
    // the release sequences of the others.
    return slots_[i].state.fetch_sub(1, std::memory_order::acq_rel) == 1 ? task : TaskId();
  }

  // The same where nothing is left to fetch: no thread may enter any more.
  TaskId LeaveDone(std::uint32_t i) {
    const TaskId task = slots_[i].task.get();
    std::uint32_t state = slots_[i].state.load(std::memory_order::relaxed);
    // acq_rel: as Leave. Failure relaxed: only the next attempt uses the value.
    while (!slots_[i].state.compare_exchange_retry(
        state, (state & ~kOpen) - 1, std::memory_order::acq_rel, std::memory_order::relaxed)) {
    }
    // relaxed: the caller has entered the slot, so the count in Post happens before this one.
    if ((state & kOpen) != 0) ranges_[i / lists_].open.fetch_sub(1, std::memory_order::relaxed);
    return (state & ~kOpen) == 1 ? task : TaskId();
  }

 private:
  static constexpr std::uint32_t kOpen = 1u << 31;

  struct alignas(64) Slot {
    typename Sync::template atomic<std::uint32_t> state{0};
    typename Sync::template plain<JobList<Sync>*> list{nullptr};
    typename Sync::template plain<TaskId> task;
  };
  // Of a priority. Each look of an idle thread reads it: not on a line with other counts.
  struct alignas(64) Range {
    typename Sync::template atomic<std::uint32_t> used{0};
    typename Sync::template atomic<std::uint32_t> open{0};
  };

  const std::uint32_t lists_;
  SyncArray<Sync, Slot> slots_;
  SyncArray<Sync, Range> ranges_;
};

// Implementation: why this is right
//
// The slots are in ranges, one for each priority, highest first. Of each range the registry counts
// how many slots have ever been used, so that few slots are looked at where few lists are attached
// at the same time. It also counts how many are open, so that no slot is looked at where no list is
// attached.
//
// Promise: each slot is linearizable over happens-before (models/kit/scenario/linearizability.h).
// Enter returns the list that is attached there, or null when the slot has no open list. Leave
// returns the list's task to the last visitor after a LeaveDone, and no task to any other visitor.
// The work of every visitor happens before that return, and no thread will touch the list through
// this slot again. Post may return kNone for slots that other Posts are just taking. Used and Open
// may overlook slots that were posted to, but not for a thread that learnt of the Post by something
// that orders it. To that thread Open returns 0 only if the list has been closed: there is nothing
// left to fetch.
//
// Invariants
//   1. A slot's state is one word: the number of visitors, and whether it is open to more. 0 is
//      free. The number grows only by a compare-exchange from an open state, so in a closed slot it
//      only falls, and exactly one Leave takes it to 0.
//   2. list and task are written between the claim and the opening, and read by visitors.
//   3. A slot is opened once, by the thread that claims it, and closed by a visitor. So it is
//      closed before it is free.
//   4. A list is counted in open before its slot is opened. It is counted off once, by the visitor
//      that has closed the slot, afterwards. So the count of open lists never falls below their
//      number.
//
// Source: the review's workers each copy the ring of submitted lists, with the version that the
// copy was made from. Both are replaced. The slots are the ring, and no thread copies them: there
// is no copy that is older than its version, or that is read while it is written (the review's
// first defect; the mutants copied_without_order and opened_before_written). The version announced
// new lists; here the epoch of the event count does (list_work.h).

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_LIST_REGISTRY_H_
