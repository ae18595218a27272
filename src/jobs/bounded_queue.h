// BoundedQueue: a bounded queue of any number of producers and consumers. The scheduler's global
// queue and the queues of named threads and of devices stand on it.
//
//   cell:   0              1              2              3
//           sequence 8     sequence 3     sequence 5     sequence 6      capacity 4
//           free for       full, of       full, of       free for
//           place 4        place 1        place 2        place 3
//                          ^ head = 1                    ^ tail = 3
//
// Thread safety: TryPush, TryPushMany, TryPop and TryReplaceOldest from any thread, any time.
// Progress: no call waits, and a compare-exchange fails only because another one succeeded, or
// spuriously. As a queue it is not lock-free: a thread that is stopped between taking its place and
// leaving its cell hides the places behind that one until it goes on.
//
// Promise: linearizable as a bounded first in, first out queue, in which a call may fail because of
// one that overlaps it; stated in full behind the class. When nothing overlaps, "nothing" means
// empty and "full" means full. A consumer may sleep after "nothing" only if each producer wakes it
// after its TryPush has returned. A producer's work before TryPush happens before what the consumer
// does after the TryPop of that element.
//
// Source: [vyukov]. Model: models/jobs/bounded_queue. Lecture: queues and work stealing.
#ifndef NOWAIT_SRC_JOBS_BOUNDED_QUEUE_H_
#define NOWAIT_SRC_JOBS_BOUNDED_QUEUE_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "src/sync/policy.h"

namespace nowait {

template <class T, class Sync = EngineSync>
class BoundedQueue {
  // An element stays in its cell until another one takes its place: its end must have no effect.
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
  // least_capacity: rounded up to a power of two; 0 gives 1.
  explicit BoundedQueue(std::size_t least_capacity) : cells_(std::bit_ceil(least_capacity)) {
    // relaxed: the thread that publishes the queue to others publishes this.
    for (std::size_t i = 0; i < capacity(); ++i) {
      cells_[i].sequence.store(FreeFor(i), std::memory_order::relaxed);
    }
  }

  std::size_t capacity() const { return cells_.size(); }

  // False when the queue says "full"; it is then unchanged.
  [[gnu::always_inline]] bool TryPush(const T& element) {
    // relaxed: the cell's sequence shows whether the place is out of date.
    std::uint64_t place = tail_.load(std::memory_order::relaxed);
    for (;;) {
      Cell& cell = CellOf(place);
      // acquire: pairs with the release in TryPop: the consumer has read the cell. For a place that
      // was taken: pairs with the release below, so that the new tail_ is read.
      const std::uint64_t sequence = cell.sequence.load(std::memory_order::acquire);
      if (sequence < FreeFor(place)) return false;
      if (sequence > FreeFor(place)) {
        place = tail_.load(std::memory_order::relaxed);
        continue;
      }
      // relaxed: it takes a place and publishes nothing; the cell's sequence does that.
      if (tail_.compare_exchange_retry(place, place + 1, std::memory_order::relaxed,
                                       std::memory_order::relaxed)) {
        cell.element.set(element);
        // release: pairs with the acquire in TryPop: the element.
        cell.sequence.store(HoldsThatOf(place), std::memory_order::release);
        return true;
      }
    }
  }

  // True: *element is the oldest element. False: the queue says "nothing", and *element is left
  // alone.
  [[gnu::always_inline]] bool TryPop(T* element) {
    // relaxed: as in TryPush.
    std::uint64_t place = head_.load(std::memory_order::relaxed);
    for (;;) {
      Cell& cell = CellOf(place);
      // acquire: pairs with the release in TryPush: the element. For a place that was taken: pairs
      // with the release below, so that the new head_ is read.
      const std::uint64_t sequence = cell.sequence.load(std::memory_order::acquire);
      if (sequence < HoldsThatOf(place)) return false;
      if (sequence > HoldsThatOf(place)) {
        place = head_.load(std::memory_order::relaxed);
        continue;
      }
      // relaxed: as in TryPush.
      if (head_.compare_exchange_retry(place, place + 1, std::memory_order::relaxed,
                                       std::memory_order::relaxed)) {
        *element = cell.element.get();
        // release: pairs with the acquire in TryPush: the cell may be written again.
        cell.sequence.store(FreeFor(place + capacity()), std::memory_order::release);
        return true;
      }
    }
  }

  // Whether TryPop might give an element now. A hint: it may say yes in vain. No is as TryPop's
  // "nothing" for all elements whose TryPush happens before the call.
  bool Any() const {
    // relaxed, both: nothing is read on the strength of it. A head_ that is out of date leads to a
    // cell whose sequence is above.
    const std::uint64_t place = head_.load(std::memory_order::relaxed);
    return cells_[static_cast<std::size_t>(place & (cells_.size() - 1))].sequence.load(
               std::memory_order::relaxed) >= HoldsThatOf(place);
  }

  // True: the queue was full, *oldest was its oldest element, and the element is its newest now.
  // False: it was not full, or other calls were faster; nothing has been changed.
  bool TryReplaceOldest(const T& element, T* oldest) {
    // relaxed: as in TryPush.
    std::uint64_t place = head_.load(std::memory_order::relaxed);
    Cell& cell = CellOf(place);
    // acquire: as in TryPop.
    if (cell.sequence.load(std::memory_order::acquire) != HoldsThatOf(place)) return false;
    // relaxed, both: if the exchange succeeds, the queue is still full (invariant 4), whatever else
    // has been seen.
    if (tail_.load(std::memory_order::relaxed) != place + capacity()) return false;
    if (!head_.compare_exchange_strong(place, place + 1, std::memory_order::relaxed,
                                       std::memory_order::relaxed)) {
      return false;
    }
    *oldest = cell.element.get();
    cell.element.set(element);
    // relaxed: as in TryPush. No other thread has changed it.
    tail_.store(place + capacity() + 1, std::memory_order::relaxed);
    // release: pairs with the acquire in TryPop: the element, and in TryPush: tail_.
    cell.sequence.store(HoldsThatOf(place + capacity()), std::memory_order::release);
    return true;
  }

  // Pushes the first of `count` elements (at least one): as many as find room one behind the
  // other. Returns how many. 0: the queue says "full".
  std::size_t TryPushMany(const T* elements, std::size_t count) {
    // relaxed: as in TryPush.
    std::uint64_t place = tail_.load(std::memory_order::relaxed);
    for (;;) {
      std::size_t room = 0;
      std::uint64_t sequence = 0;
      do {
        // acquire: as in TryPush.
        sequence = CellOf(place + room).sequence.load(std::memory_order::acquire);
      } while (sequence == FreeFor(place + room) && ++room < count);
      if (room == 0) {
        if (sequence < FreeFor(place)) return 0;
        place = tail_.load(std::memory_order::relaxed);
        continue;
      }
      // relaxed: as in TryPush.
      if (tail_.compare_exchange_retry(place, place + room, std::memory_order::relaxed,
                                       std::memory_order::relaxed)) {
        for (std::size_t i = 0; i < room; ++i) {
          Cell& cell = CellOf(place + i);
          cell.element.set(elements[i]);
          // release: as in TryPush.
          cell.sequence.store(HoldsThatOf(place + i), std::memory_order::release);
        }
        return room;
      }
    }
  }

 private:
  struct Cell {
    typename Sync::template atomic<std::uint64_t> sequence{0};
    typename Sync::template plain<T> element;
  };

  static std::uint64_t FreeFor(std::uint64_t place) { return 2 * place; }
  static std::uint64_t HoldsThatOf(std::uint64_t place) { return 2 * place + 1; }

  Cell& CellOf(std::uint64_t place) {
    return cells_[static_cast<std::size_t>(place & (cells_.size() - 1))];
  }

  SyncArray<Sync, Cell> cells_;  // never changes: not on a line with the counts
  alignas(64) typename Sync::template atomic<std::uint64_t> tail_{0};
  alignas(64) typename Sync::template atomic<std::uint64_t> head_{0};
};

// Implementation: why this is right
//
// Promise: over happens-before (models/kit/scenario/linearizability.h), TryPush, TryPop and
// TryReplaceOldest are linearizable as a bounded first in, first out queue in which a call may fail
// because of one that overlaps it (neither is known to come before the other):
//   - TryPop says "nothing" when the queue is empty, or when it overlaps the TryPush of the element
//     that it finds to be the oldest. Elements behind that one are then hidden as well, although
//     their TryPushes have returned; a strict queue would owe them.
//   - TryPush says "full" when there are capacity elements, or when a TryPop that overlaps it is
//     emptying the cell of the place that it finds to be the next. There may be room in all the
//     other cells.
//   - The oldest or next that a call finds may have been taken by calls that overlap it, too.
//   - TryPushMany is as many TryPushes in one step, of which the first may say "full". The others
//     need not be tried.
//   - TryReplaceOldest takes the oldest out and puts its element in as one step, when there are
//     capacity elements; it may say "no" at any time.
// Linearization points: the compare-exchanges on tail_ and head_ (in TryReplaceOldest on head_).
//
// Invariants
//   1. tail_ counts the places that producers took, head_ those that consumers took. Place p is in
//      cell p mod capacity. 64 bits do not wrap.
//   2. A cell's sequence is 2p when it is free for place p, 2p + 1 when it holds the element of
//      place p, and 2(p + capacity) when that was taken out. It only grows. (With p, p + 1 and p +
//      capacity, as in the published queue, a full cell would look free in a queue of one.)
//   3. A thread that took place p on tail_ while the cell's sequence was 2p has the cell to itself
//      until it stores 2p + 1. (Also if it took some places at once. A cell that was free for its
//      place stays so until tail_ passes that, and tail_ had not moved.) A thread that took place p
//      on head_ while it was 2p + 1 has it until it stores the next.
//   4. tail_ is at most head_ + capacity. When it equals that, and place p has been taken on head_,
//      tail_ stays at p + capacity until the thread that took p stores the cell's next sequence.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_BOUNDED_QUEUE_H_
