// AwakeSet: which bodies take part in a step, one bit per body, and how a sleeping body wakes while
// other threads link.
//
// A step skips the bodies that sleep. The first thread that finds a sleeping body touched by an
// awake one wakes it, and must arrange the search for the body's own contacts. Many threads may
// find the same body at the same time; one of them is the first.
//
// Thread safety: Wake and Contains from any thread, at once. Everything else from one thread, while
// no thread wakes bodies.
// Progress: wait-free up to the hardware's fetch_or.
//
// Promise: of all Wakes of a body that sleeps, exactly one returns true, for the first caller. List
// has each body once, in an order that no thread can influence.
//
// Source: [rouwe2022], "Active body links - initial state" (new bodies can be activated as
// collisions are found). There a waking body gets the next index; here it keeps its slot, as
// union_find.h says. Model: models/islands/awake_set. Lecture: union-find islands.
#ifndef NOWAIT_SRC_ISLANDS_AWAKE_SET_H_
#define NOWAIT_SRC_ISLANDS_AWAKE_SET_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class AwakeSet {
 public:
  // max_bodies: slots are below it. Initially all bodies sleep.
  explicit AwakeSet(std::uint32_t max_bodies) : words_((max_bodies + kBits - 1) / kBits) {
    Clear();
  }

  // Adds a body that is awake from the start. O(1), without a read-modify-write.
  void Add(std::uint32_t slot) {
    auto& word = words_[slot / kBits];
    word.store(word.load(std::memory_order::relaxed) | Bit(slot), std::memory_order::relaxed);
  }

  // Wakes the body. Returns whether it was asleep until now and the caller was the first.
  bool Wake(std::uint32_t slot) {
    // The bit is read first, because nearly all bodies are awake already, and a write takes the
    // line from every other thread.
    if (Contains(slot)) return false;
    const std::uint64_t before =
        words_[slot / kBits].fetch_or(Bit(slot), std::memory_order::relaxed);
    return (before & Bit(slot)) == 0;
  }

  // While others wake bodies: whether the body was awake in the last state that the caller knows.
  bool Contains(std::uint32_t slot) const {
    return (words_[slot / kBits].load(std::memory_order::relaxed) & Bit(slot)) != 0;
  }

  // Replaces the contents of `slots` with the slots of all bodies in the set, ascending.
  // O(max_bodies / 64 + slots).
  void List(std::vector<std::uint32_t>& slots) const {
    slots.clear();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t word = words_[i].load(std::memory_order::relaxed);
      for (; word != 0; word &= word - 1) {
        slots.push_back(static_cast<std::uint32_t>(i * kBits) +
                        static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

  // All bodies sleep again. O(max_bodies / 64).
  void Clear() {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i].store(0, std::memory_order::relaxed);
  }

 private:
  static constexpr std::uint32_t kBits = 64;

  static std::uint64_t Bit(std::uint32_t slot) { return std::uint64_t{1} << slot % kBits; }

  SyncArray<Sync, typename Sync::template atomic<std::uint64_t>> words_;
};

// Implementation: why this is right
//
// Invariant: a bit goes from 0 to 1 once, until Clear.
//
// Linearization point of Wake: its fetch_or; for a Wake that finds the bit set, its load.
//
// Memory orders: all relaxed. A bit is its own message: the body's state is unchanged since before
// the phase, and the thread that wakes a body knows its slot. List is called after the threads have
// been joined.

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_AWAKE_SET_H_
