// SpscRing: a bounded queue from one thread to another.
//
// For data that one thread produces at its own pace and another consumes at its own: the input
// sampler's events, a frame pipe's buffers. Neither ever waits for the other; the producer must
// deal with a full ring.
//
// Thread safety: TryPush by one thread, the producer, and TryPop by one thread, the consumer.
// SizeHint by either. Another thread may take over a role if something orders it after the former
// thread's last call.
// Progress: wait-free: no call has a loop.
//
// Promise: TryPush and TryPop are linearizable as a bounded queue in which a failing call may
// disregard the other side's overlapping calls; see below. TryPush fails only when the ring is
// full, if elements count whose TryPop overlaps it. TryPop fails only when the ring is empty, if
// elements do not count whose TryPush overlaps it. The producer's work before a TryPush happens
// before the consumer's work after the TryPop of its element. The consumer's work before a TryPop
// happens before the producer's work after the TryPush that reuses the cell.
//
// Source: the ring with two counters: [lamport1977]. The kept counts of the far side: the
// MCRingBuffer of [lee2009]. Model: models/sync/spsc_ring. Lecture: publication: the
// single-producer ring.
#ifndef NOWAIT_SRC_SYNC_SPSC_RING_H_
#define NOWAIT_SRC_SYNC_SPSC_RING_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "src/sync/policy.h"

namespace nowait {

template <class T, class Sync = EngineSync>
class SpscRing {
  // An element stays in its cell until another one takes its place: its destructor may do nothing.
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
  // least_capacity: rounded up to a power of two; 0 gives 1.
  explicit SpscRing(std::size_t least_capacity) : cells_(std::bit_ceil(least_capacity)) {}

  std::size_t capacity() const { return cells_.size(); }

  // For the producer. Returns false, and leaves the ring unchanged, if it is full.
  bool TryPush(const T& element) {
    // relaxed: the producer's own count.
    const std::uint64_t tail = producer_.tail.load(std::memory_order::relaxed);
    if (tail - producer_.head_seen.get() == capacity()) {
      // acquire: pairs with the release in TryPop: the consumer has read what lay in the cell.
      const std::uint64_t head = consumer_.head.load(std::memory_order::acquire);
      producer_.head_seen.set(head);
      if (tail - head == capacity()) return false;
    }
    cells_[Cell(tail)].set(element);
    // release: pairs with the acquire in TryPop: the element.
    producer_.tail.store(tail + 1, std::memory_order::release);
    return true;
  }

  // For the consumer. Returns true and stores the oldest element in *element. Returns false and
  // leaves *element alone if the ring is empty.
  bool TryPop(T* element) {
    // relaxed: the consumer's own count.
    const std::uint64_t head = consumer_.head.load(std::memory_order::relaxed);
    if (head == consumer_.tail_seen.get()) {
      // acquire: pairs with the release in TryPush: the elements.
      const std::uint64_t tail = producer_.tail.load(std::memory_order::acquire);
      consumer_.tail_seen.set(tail);
      if (head == tail) return false;
    }
    *element = cells_[Cell(head)].get();
    // release: pairs with the acquire in TryPush: the cell may be written again.
    consumer_.head.store(head + 1, std::memory_order::release);
    return true;
  }

  // For either side. Never too large for the consumer: after a hint of n, the next n TryPops
  // succeed. Never too small for the producer: the next capacity() - n TryPushes succeed.
  std::size_t SizeHint() const {
    // relaxed: one of the two counts is our own. We never see less of the other one than our last
    // TryPush or TryPop did, and when that call reads it again it sees no less than this one.
    const std::uint64_t head = consumer_.head.load(std::memory_order::relaxed);
    const std::uint64_t tail = producer_.tail.load(std::memory_order::relaxed);
    return static_cast<std::size_t>(tail - head);
  }

 private:
  std::size_t Cell(std::uint64_t count) const {
    return static_cast<std::size_t>(count & (cells_.size() - 1));
  }

  struct alignas(64) Producer {
    typename Sync::template atomic<std::uint64_t> tail{0};
    typename Sync::template plain<std::uint64_t> head_seen{0};
  };
  struct alignas(64) Consumer {
    typename Sync::template atomic<std::uint64_t> head{0};
    typename Sync::template plain<std::uint64_t> tail_seen{0};
  };

  SyncArray<Sync, typename Sync::template plain<T>> cells_;  // never changes: a line of its own
  Producer producer_;
  Consumer consumer_;
};

// Implementation: why this is right
//
// Invariants
//   1. tail counts the elements that were ever put in, head those that were ever taken out. Each is
//      written by one side alone. 64 bits do not wrap.
//   2. head <= tail <= head + capacity. Element i lies in cell i mod capacity from the store that
//      raises tail above i to the store that raises head above i. In between the cell belongs to
//      the consumer, and otherwise to the producer.
//   3. Each side keeps the other side's count as it last saw it, and looks again only when that
//      count says that it cannot continue. Counts only grow: an old one errs towards "full" and
//      "empty".
//
// The promise holds over happens-before (models/kit/scenario/linearizability.h): two calls overlap
// when neither is known to come before the other. Linearization points: the stores to tail and
// head.
//
// It is not a queue in the strict sense, for two cells or more. The producer puts in two elements
// and finds no room; the consumer takes out one and finds no other. "Full" has to come before the
// TryPop, and "empty" before the second TryPush: no order allows both. Each side has stored its own
// count and then read an old value of the other (store buffering). To forbid it, all four
// operations would have to be seq_cst, which no caller needs: a caller that finds the ring full or
// empty tries again later.

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_SPSC_RING_H_
