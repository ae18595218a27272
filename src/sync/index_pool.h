// IndexPool: hands out the indices 0 .. capacity-1, one owner each, from any thread.
//
// The owner of an index uses it to name a slot of an array of its own (a tree node). Fresh indices
// come in ascending order; returned ones are reused last in, first out.
//
// Thread safety: Take and Return from any thread, any time.
// Progress: lock-free (a compare-exchange fails only because another one succeeded).
//
// Promise: Take and Return are linearizable over happens-before
// (models/kit/scenario/linearizability.h) as a stack of returned indices above a counter of fresh
// ones: Take gives out a fresh index only when there is no returned one. The last owner's work
// before Return happens before the next owner's work after Take.
//
// Source: the free list of [treiber1986], with a tag. Model: models/sync/index_pool. Lecture:
// staging trees and unlinking.
#ifndef NOWAIT_SRC_SYNC_INDEX_POOL_H_
#define NOWAIT_SRC_SYNC_INDEX_POOL_H_

#include <atomic>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class IndexPool {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // capacity: at most 2^32 - 2.
  explicit IndexPool(std::uint32_t capacity) : next_(capacity), head_(kNone) {}

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(next_.size()); }

  // Returns an index that no other thread owns, or kNone if all are owned.
  std::uint32_t Take() {
    for (;;) {
      // relaxed, here and in TakeFresh: see the linearization points.
      const bool fresh_left = fresh_.load(std::memory_order::relaxed) < capacity();
      std::uint32_t index = TakeReturned();
      if (index != kNone || !fresh_left) return index;
      index = TakeFresh();
      if (index != kNone) return index;
    }
  }

  // Gives back an index that the caller owns.
  void Return(std::uint32_t index) {
    std::uint64_t head = head_.load(std::memory_order::relaxed);
    do {
      next_[index].store(Index(head),
                         std::memory_order::relaxed);  // published by the exchange below
      // release: pairs with the acquires in Take. Failure relaxed: only the next attempt uses it.
    } while (!head_.compare_exchange_weak(head, Tagged(Tag(head) + 1, index),
                                          std::memory_order::release, std::memory_order::relaxed));
  }

 private:
  static std::uint32_t Index(std::uint64_t head) { return static_cast<std::uint32_t>(head); }
  static std::uint32_t Tag(std::uint64_t head) { return static_cast<std::uint32_t>(head >> 32); }
  static std::uint64_t Tagged(std::uint32_t tag, std::uint32_t index) {
    return (std::uint64_t{tag} << 32) | index;
  }

  std::uint32_t TakeReturned() {
    // acquire: pairs with the release in Return: next_[i], and the last owner's work.
    std::uint64_t head = head_.load(std::memory_order::acquire);
    while (Index(head) != kNone) {
      // relaxed: written before the release that put the index at the head. A later write by
      // another owner may be read instead, see invariant 2.
      const std::uint32_t next = next_[Index(head)].load(std::memory_order::relaxed);
      // Success relaxed: the tag makes each head's value unique: the exchange replaces the store
      // that was read above, with acquire. Failure acquire: the first read of this head, as above.
      if (head_.compare_exchange_weak(head, Tagged(Tag(head) + 1, next), std::memory_order::relaxed,
                                      std::memory_order::acquire)) {
        return Index(head);
      }
    }
    return kNone;
  }

  // relaxed: a fresh index has no earlier owner.
  std::uint32_t TakeFresh() {
    std::uint32_t fresh = fresh_.load(std::memory_order::relaxed);
    while (fresh < capacity()) {
      if (fresh_.compare_exchange_retry(fresh, fresh + 1, std::memory_order::relaxed,
                                        std::memory_order::relaxed)) {
        return fresh;
      }
    }
    return kNone;
  }

  SyncArray<Sync, typename Sync::template atomic<std::uint32_t>> next_;
  // On a separate cache line, to which the pool's size is rounded up: every query may read the data
  // that the pool's owner keeps next to it (tree_storage.h: the nodes), and each Take and Return
  // writes here.
  alignas(64) typename Sync::template atomic<std::uint64_t> head_;
  typename Sync::template atomic<std::uint32_t> fresh_{0};
};

static_assert(alignof(IndexPool<>) == 64 && sizeof(IndexPool<>) % 64 == 0,
              "data beside a pool shares no cache line with its callers' writes");

// Implementation: why this is right
//
// Invariants
//   1. head_ holds a tag in its upper and an index in its lower half. Each change raises the tag: a
//      compare-exchange cannot succeed against a head that left and came back (ABA) unless 2^32
//      changes fell in between.
//   2. next_[i] is written only by the owner of i, while it returns i. A Take that lost may have
//      read it too late; its compare-exchange then fails on the tag, and the value is discarded.
//   3. A Take that gets a fresh index has found the list empty first, and so has a Take that fails.
//
// Linearization points: the successful compare-exchange on head_. A Take of a fresh index, or a
// Take that fails, takes effect where it found the list empty. If a Take that got an earlier fresh
// index found it empty later in the order of head_'s changes, it takes effect there. At such a
// point every index that was ever returned is owned again, and the list has nothing more to say
// when the fresh indices are counted: fresh_ needs no order but its own.

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_INDEX_POOL_H_
