// AwakeSet: which bodies take part in a step, one bit a body, and how a sleeping one comes to while
// others link.
//
// A body that sleeps is not looked at. The first thread that finds it touched by an awake body wakes it, and
// has to see to it that the body's own contacts are looked for. Many threads may find the same body at
// the same time; one of them is the first.
//
// Thread safety: Wake and Contains from any thread, at once. Everything else from one thread, while nobody
// wakes.
// Progress: wait-free up to the hardware's fetch_or.
//
// Invariant: a bit goes from 0 to 1 once, until Clear.
//
// Promise: of all Wakes of a body that sleeps exactly one is told that it was the first, and List has
// each body once, in an order that no thread can influence.
// Linearization point of Wake: its fetch_or; of one that finds the bit set, its load.
//
// Memory orders: all relaxed. A bit is its own message: the body's state is what it was before the phase,
// and the slot of a woken body is known to whoever woke it. List is called after the threads have been joined.
//
// Source: the talk, "Active body links - initial state" (new bodies can be activated as collisions are
// found). There a body that wakes is given the next index; here it keeps its slot, as union_find.h says.
// Model: models/islands/awake_set. Lecture: union-find islands.
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
  // max_bodies: slots are below it. All sleep.
  explicit AwakeSet(std::uint32_t max_bodies) : words_((max_bodies + kBits - 1) / kBits) {
    Clear();
  }

  // A body that is awake from the start. O(1), without a read-modify-write.
  void Add(std::uint32_t slot) {
    auto& word = words_[slot / kBits];
    word.store(word.load(std::memory_order::relaxed) | Bit(slot), std::memory_order::relaxed);
  }

  // Wakes the body. Returns whether it slept until now, and the caller was the first.
  bool Wake(std::uint32_t slot) {
    // Looked at first, because nearly all bodies are awake already, and a write takes the line from
    // everybody else.
    if (Contains(slot)) return false;
    const std::uint64_t before =
        words_[slot / kBits].fetch_or(Bit(slot), std::memory_order::relaxed);
    return (before & Bit(slot)) == 0;
  }

  // While others wake: whether the body was awake when the caller last heard of it.
  bool Contains(std::uint32_t slot) const {
    return (words_[slot / kBits].load(std::memory_order::relaxed) & Bit(slot)) != 0;
  }

  // Replaces what is in `slots` by those of all bodies in the set, ascending. O(max_bodies / 64 + slots).
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

  // All sleep again. O(max_bodies / 64).
  void Clear() {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i].store(0, std::memory_order::relaxed);
  }

 private:
  static constexpr std::uint32_t kBits = 64;

  static std::uint64_t Bit(std::uint32_t slot) { return std::uint64_t{1} << slot % kBits; }

  SyncArray<Sync, typename Sync::template atomic<std::uint64_t>> words_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_AWAKE_SET_H_
