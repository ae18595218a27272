// BodyElements: which element of the union-find a body is, and how a sleeping body becomes one while
// others link.
//
// A body that sleeps has no element. The first thread that finds it touched by an awake body gives
// it one, so that the woken body and what it touches come out in one island. Many threads may find
// the same body at the same time; one of them wins, and the others need not wait for it.
//
// Thread safety: Wake from any thread, at once with Union and Find on sets(), and ElementOf for
// bodies that had an element before. Everything else from one thread, while nobody wakes or links.
// Progress: wait-free up to UnionFind::Activate.
//
// Invariants
//   1. element_of_[slot] goes from kAsleep (by Wake: to kWaking) to an element, and back by Reset.
//   2. slot_of_[element] is written by the one thread that was given the element, and read only
//      after that thread has been joined.
//
// Promise: every body that was woken has exactly one element, and SlotOf names each once. A Wake
// that comes between the two steps of another thread's returns kWaking; what it had to link is to be
// linked after the join.
// Linearization point of Wake: its compare-exchange from kAsleep; else its load.
//
// Memory orders: all relaxed. An element is a number that leads to a link of the union-find, which
// has been there since before the phase; slot_of_ is plain data that the join publishes.
//
// Source: the talk, "Active body links - initial state" (new bodies can be activated as collisions
// are found); the claim in two steps is ours. Model: models/islands/body_elements. Lecture:
// union-find islands.
#ifndef NOWAIT_SRC_ISLANDS_BODY_ELEMENTS_H_
#define NOWAIT_SRC_ISLANDS_BODY_ELEMENTS_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/islands/union_find.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = StdSync>
class BodyElements {
 public:
  // Wake's answer while another thread is giving the body its element.
  static constexpr std::uint32_t kWaking = ~std::uint32_t{0} - 1;

  // max_bodies: slots are below it, and each can have an element.
  explicit BodyElements(std::uint32_t max_bodies)
      : sets_(max_bodies), element_of_(max_bodies), slot_of_(max_bodies) {
    for (std::uint32_t slot = 0; slot < max_bodies; ++slot) {
      element_of_[slot].store(kAsleep, std::memory_order::relaxed);
    }
  }

  UnionFind<Sync>& sets() { return sets_; }
  const UnionFind<Sync>& sets() const { return sets_; }

  std::uint32_t count() const { return sets_.count(); }

  // Gives a body that has none an element, which is returned.
  std::uint32_t Add(std::uint32_t slot) { return Give(slot); }

  // The element of the body in `slot`, given to it now if it had none; or kWaking.
  std::uint32_t Wake(std::uint32_t slot) {
    std::uint32_t element = element_of_[slot].load(std::memory_order::relaxed);
    if (element != kAsleep) return element;
    if (element_of_[slot].compare_exchange_strong(element, kWaking, std::memory_order::relaxed,
                                                  std::memory_order::relaxed)) {
      return Give(slot);
    }
    return element;
  }

  // Only for a body that has an element.
  std::uint32_t ElementOf(std::uint32_t slot) const {
    return element_of_[slot].load(std::memory_order::relaxed);
  }

  // The body that is `element`, below count().
  std::uint32_t SlotOf(std::uint32_t element) const { return slot_of_[element].get(); }

  // Takes all elements away. O(count()).
  void Reset() {
    for (std::uint32_t element = 0; element < count(); ++element) {
      element_of_[SlotOf(element)].store(kAsleep, std::memory_order::relaxed);
    }
    sets_.Reset();
  }

 private:
  static constexpr std::uint32_t kAsleep = ~std::uint32_t{0};

  // The caller is the only one who may: by its exchange to kWaking, or because nobody wakes now.
  std::uint32_t Give(std::uint32_t slot) {
    const std::uint32_t element = sets_.Activate();
    NOWAIT_ASSERT(element != UnionFind<Sync>::kNone, "there is an element for every body");
    slot_of_[element].set(slot);
    element_of_[slot].store(element, std::memory_order::relaxed);
    return element;
  }

  UnionFind<Sync> sets_;
  SyncArray<Sync, typename Sync::template atomic<std::uint32_t>> element_of_;  // by slot
  SyncArray<Sync, typename Sync::template plain<std::uint32_t>> slot_of_;      // by element
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ISLANDS_BODY_ELEMENTS_H_
