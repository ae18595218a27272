// ListBoard: where submitted job lists hang for the workers to find, and where they are taken down.
//
// The hard part of handing out a list is getting it back: the thread that waits for it may destroy
// it as soon as it is finished, while a worker that saw it a moment ago is about to look into it. So
// a worker enters a slot before it touches the list there and leaves afterwards, and the poster
// closes the slot and waits until it is empty.
//
// Thread safety: Post, Close, IsVacant and Vacate by the thread that posts, each thread for its own
// slots; Enter, Entered and Leave from any thread.
// Progress: lock-free; waiting for IsVacant is the caller's.
//
// Invariants
//   1. A slot's state is one word: claimed, open, and the number of visitors. The number grows only
//      by a compare-exchange from an open state, so after Close it only falls.
//   2. list is written between the claim and the opening, and read between entering and leaving.
//
// Promise: each slot is linearizable over happens-before (models/kit/linearizability.h): Enter
// returns the list that hangs there, or null when none is open; Leave tells the last visitor of a
// closed slot and nobody else; IsVacant says whether that one has left. Post may return kNone for a
// slot that another Post is just taking. A list that Enter returned stays posted, and so may not be
// destroyed, until Leave. When IsVacant has returned true after Close, no thread will touch the
// list through this slot again, and everything that visitors did happens before.
//
// Source: the review's ring of submitted lists and the workers' local copies of it, with the
// unsynchronised copying replaced. Model: models/jobs/list_board. Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_LIST_BOARD_H_
#define NOWAIT_SRC_JOBS_LIST_BOARD_H_

#include <atomic>
#include <cstdint>

#include "src/jobs/job_list.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = StdSync>
class ListBoard {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // slots: how many lists can hang at the same time.
  explicit ListBoard(std::uint32_t slots) : slots_(slots) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

  // Hangs a submitted list and returns its slot, or kNone when all slots are taken.
  std::uint32_t Post(JobList<Sync>* list) {
    for (std::uint32_t i = 0; i < size(); ++i) {
      Slot& slot = slots_[i];
      std::uint32_t free = 0;
      // acquire: pairs with the release in Vacate: `list` may be written again.
      if (slot.state.compare_exchange_strong(free, kClaimed, std::memory_order::acquire,
                                             std::memory_order::relaxed)) {
        slot.list.set(list);
        // release: pairs with the acquire in Enter: the pointer, and the list behind it.
        slot.state.store(kClaimed | kOpen, std::memory_order::release);
        return i;
      }
    }
    return kNone;
  }

  // Enters a slot; null when no list hangs there. A list that is returned must be left again.
  JobList<Sync>* Enter(std::uint32_t i) {
    Slot& slot = slots_[i];
    std::uint32_t state = slot.state.load(std::memory_order::relaxed);
    while ((state & kOpen) != 0) {
      // acquire: pairs with the release in Post; other visitors' changes between are
      // read-modify-writes and keep its release sequence going.
      if (slot.state.compare_exchange_weak(state, state + 1, std::memory_order::acquire,
                                           std::memory_order::relaxed)) {
        return slot.list.get();
      }
    }
    return nullptr;
  }

  // The list in a slot that the caller has entered.
  JobList<Sync>* Entered(std::uint32_t i) const { return slots_[i].list.get(); }

  // Returns whether this was the last visitor of a closed slot: somebody may wait for that.
  bool Leave(std::uint32_t i) {
    // release: pairs with the acquire in IsVacant.
    return slots_[i].state.fetch_sub(1, std::memory_order::release) == (kClaimed | 1);
  }

  // Lets nobody enter any more.
  void Close(std::uint32_t i) {
    // relaxed: nothing is published by closing; the poster learns of visitors in IsVacant.
    slots_[i].state.fetch_and(~kOpen, std::memory_order::relaxed);
  }

  // Whether the last visitor of a closed slot has left.
  bool IsVacant(std::uint32_t i) const {
    return slots_[i].state.load(std::memory_order::acquire) == kClaimed;  // pairs with Leave
  }

  // Gives a vacant slot back.
  void Vacate(std::uint32_t i) {
    slots_[i].state.store(0, std::memory_order::release);  // pairs with the acquire in Post
  }

 private:
  static constexpr std::uint32_t kClaimed = 1u << 31;
  static constexpr std::uint32_t kOpen = 1u << 30;

  struct alignas(64) Slot {
    typename Sync::template atomic<std::uint32_t> state{0};
    typename Sync::template plain<JobList<Sync>*> list{nullptr};
  };

  SyncArray<Sync, Slot> slots_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_LIST_BOARD_H_
