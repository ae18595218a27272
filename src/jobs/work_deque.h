// WorkDeque: the jobs of one thread, newest first; other threads steal the oldest.
//
//   cells:      . . 3 4 5 6 . .        Push and Take work here, without a read-modify-write
//                   ^       ^          until one item is left
//                   top     bottom
//   Steal works here
//
// Thread safety: Push and Take by one thread, the owner; Steal from any other. Another thread may
// become the owner when something orders that after the last call of the former owner.
// Progress: wait-free: no call has a loop. A Steal fails (kLost) only because another removal
// succeeded.
//
// Promise: each item is returned exactly once, by Take or by Steal, and what the owner did before
// Push happens before what follows that return. Over happens-before
// (models/kit/scenario/linearizability.h), the deque is linearizable as a bounded deque, with the
// two exceptions stated behind the class.
//
// Source: [chaselev2005]; memory orders after [le2013], with operations in place of their fences.
// Model: models/jobs/work_deque. Lecture: queues and work stealing.
#ifndef NOWAIT_SRC_JOBS_WORK_DEQUE_H_
#define NOWAIT_SRC_JOBS_WORK_DEQUE_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "src/sync/policy.h"

namespace nowait {

enum class StealResult : std::uint8_t {
  kItem,   // an item was stolen
  kEmpty,  // there was no item
  kLost,   // another thread took it first; there may be more
};

template <class T, class Sync = EngineSync>
class WorkDeque {
  // A thief may read a cell while the owner writes it: an item is one atomic.
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8 &&
                std::has_single_bit(sizeof(T)));

 public:
  // least_capacity: rounded up to a power of two; 0 gives 1.
  explicit WorkDeque(std::size_t least_capacity) : cells_(std::bit_ceil(least_capacity)) {}

  std::size_t capacity() const { return cells_.size(); }

  // The owner's. False when the deque is full; it is then unchanged.
  bool Push(T item) {
    // relaxed: the owner alone writes it.
    const std::uint64_t bottom = owner_.bottom.load(std::memory_order::relaxed);
    if (bottom - owner_.top_seen.get() == capacity()) {
      // acquire: pairs with the release in Steal: the thief has read its cell.
      owner_.top_seen.set(top_.load(std::memory_order::acquire));
      if (bottom - owner_.top_seen.get() == capacity()) return false;
    }
    // relaxed: published by the store below. A thief that reads it in place of an older item has
    // lost (invariant 3).
    CellOf(bottom).store(item, std::memory_order::relaxed);
    // release: pairs with Steal's load of bottom: the item.
    owner_.bottom.store(bottom + 1, std::memory_order::release);
    return true;
  }

  // The owner's. True: *item is the newest item. False: the deque is empty, and *item is left
  // alone. (g++ 12 builds an optional in pieces and copies it whole, with a load that waits for the
  // stores.)
  bool Take(T* item) {
    // relaxed: the owner alone writes it.
    const std::uint64_t bottom = owner_.bottom.load(std::memory_order::relaxed);
    if (bottom == owner_.top_seen.get()) return false;
    const std::uint64_t newest = bottom - 1;
    // seq_cst, both: see Orders. The store is a release, too, as Push's is: a thief may read it.
    // The load is an acquire, too, as Push's is: top_seen is used there.
    owner_.bottom.store(newest, std::memory_order::seq_cst);
    std::uint64_t top = top_.load(std::memory_order::seq_cst);
    if (top < newest) {
      owner_.top_seen.set(top);
      // relaxed: the owner alone writes it.
      *item = CellOf(newest).load(std::memory_order::relaxed);
      return true;
    }
    // One item is left, or was: the thread that raises top has it. seq_cst: see Orders. Failure
    // acquire: pairs with the release in Steal: the thief has read its cell, and bottom.
    const bool ours =
        top == newest && top_.compare_exchange_strong(top, top + 1, std::memory_order::seq_cst,
                                                      std::memory_order::acquire);
    if (ours) *item = CellOf(newest).load(std::memory_order::relaxed);
    owner_.top_seen.set(bottom);
    // relaxed: top is above every item there was, so a thief that reads this steals nothing by it.
    owner_.bottom.store(bottom, std::memory_order::relaxed);
    return ours;
  }

  // Any other thread's. With kItem, *item is the oldest item; otherwise it is left alone.
  StealResult Steal(T* item) {
    // seq_cst, both: see Orders. The second is an acquire, too: pairs with the releases in Push and
    // Take.
    std::uint64_t top = top_.load(std::memory_order::seq_cst);
    const std::uint64_t bottom = owner_.bottom.load(std::memory_order::seq_cst);
    if (top >= bottom) return StealResult::kEmpty;  // above: Take has lowered bottom
    // relaxed: written before the store to bottom that was read above. If it was written since, the
    // exchange fails (invariant 3). Before the exchange: after it the cell is the owner's.
    const T oldest = CellOf(top).load(std::memory_order::relaxed);
    // seq_cst: see Orders. It is a release, too: pairs with the acquires in Push and Take: this
    // thief has read cell and bottom. Failure relaxed: nothing is read on the strength of it.
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order::seq_cst,
                                      std::memory_order::relaxed)) {
      return StealResult::kLost;
    }
    *item = oldest;
    return StealResult::kItem;
  }

  // Any thread's: whether there is an item. A hint: a Push that happens before the call is seen.
  bool Any() const {
    // relaxed, both: nothing is read on the strength of it.
    return top_.load(std::memory_order::relaxed) < owner_.bottom.load(std::memory_order::relaxed);
  }

 private:
  typename Sync::template atomic<T>& CellOf(std::uint64_t number) {
    return cells_[static_cast<std::size_t>(number & (cells_.size() - 1))];
  }

  struct alignas(64) Owner {
    typename Sync::template atomic<std::uint64_t> bottom{0};
    typename Sync::template plain<std::uint64_t> top_seen{0};
  };

  SyncArray<Sync, typename Sync::template atomic<T>> cells_;  // never changes: a line of its own
  Owner owner_;
  alignas(64) typename Sync::template atomic<std::uint64_t> top_{0};
};

// Implementation: why this is right
//
// Promise: linearizable over happens-before (models/kit/scenario/linearizability.h) as a bounded
// deque. Push adds at the bottom. Take removes there, and finds nothing only when the deque is
// empty. Steal removes at the top, and is kEmpty only when the deque is empty. There are two
// exceptions, in which nothing is changed:
//   - Steal is kLost only when another removal of an item overlaps it; neither is known to come
//     before the other.
//   - Push fails only when there are capacity items. An item counts if the Steal that took it
//     overlaps the Push (as in src/sync/spsc_ring.h: to see all of them would cost each Push a
//     seq_cst store).
// Linearization points: the store to bottom in Push, and in a Take that leaves items; the
// compare-exchange on top; the loads of top and bottom in a Take or Steal that finds nothing.
//
// Invariants
//   1. The items are those with numbers top <= i < bottom; item i is in cell i mod capacity. top
//      only grows, one at a time; bottom is written by the owner alone. 64 bits do not wrap.
//   2. Item i belongs to the thread that raises top from i to i + 1 or, when there are items below
//      it, to the owner that lowers bottom to i. The owner may do that without asking if it has
//      then still seen top below i: later thieves see the lowered bottom (see Orders).
//   3. A cell is written only by the owner, and only when top is known to be above the number that
//      was in it. A thief that read it too late finds top changed and discards the item.
//   4. top_seen <= top. When it is bottom, the deque is empty: no other thread adds items.
//
// Orders. Take stores bottom and then loads top, Steal loads top and then bottom; one of the two
// has to see the other (store buffering). All four are seq_cst, and so are both exchanges on top.
// Suppose Take lowers bottom to i and still reads top < i. Suppose also that a thief, after others
// have taken the items between, reads top = i and a bottom above i, the old one. Then in the order
// S: the lowering < Take's load of top (program order) < the exchange that raised top to i (the
// load reads an earlier value) < the thief's load of top (it reads that exchange) < its load of
// bottom (program order) < the lowering (it reads an earlier value). That is a cycle, which S does
// not have.
//
// The exchanges are seq_cst for that argument alone. By the letter of C++20 acq_rel ones would do:
// [atomics.order] 3 puts Take's load directly before the thief's load, which reads a later value.
// RC11 [lahav2017] has no such step from a load over an exchange to the exchange's reader, and
// LWG 3941 may take it from C++20. With relaxed exchanges RC11 allows that a thief and the owner
// take one item (models/kit/exhaustive/comparison.md). On x86 an exchange is the same instruction
// with each order.
//
// The thief's load of top has to be seq_cst although the exchanges are. An acquire there puts the
// exchange that it reads from before the thief's load of bottom by happens-before, and one would
// like to say, in S as well. C++11 said that; C++20 does not ([atomics.order] 4 takes
// strongly-happens-before, P0668). Take an exchange that synchronises with an acquire of another
// thread: it precedes the operations that follow there in S only if the acquire is seq_cst too. The
// mutant steal_top_acquire is that deque, and the checker shows an item given out twice by three
// threads.
//
// Take's failed exchange is an acquire. The thief to which it lost has read bottom, and that read
// has to come before the store that puts bottom back. With a relaxed failure load buffering lets
// the thief read this very store; an earlier thief then finds a deque empty that is not
// (models/kit/buffering/README.md).
//
// [le2013] has a fence between the two operations on each side; ThreadSanitizer does not see
// fences.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORK_DEQUE_H_
