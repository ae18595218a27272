// LayerChanges: a query that walks several trees sees a body once that goes from one to another.
//
// A walk takes one tree after the other. It may meet a body that changes its layer meanwhile in
// both trees, or in neither. So changes are counted, and a query that one of them has met runs
// again:
//
//   query:   for (;;) { const auto watch = changes.BeginWatch(); walk;
//                       if (!watch.HasMetSome()) break; }
//   change:  link the body into the new tree; changes.Count(); take it out of the old one;
//            changes.Count();           all under the body's lock, as each look at a body is
//
// Promise: a walk that has met no change sees each body that is there throughout once.
//
// Thread safety: all functions from any thread; a watch belongs to one thread.
// Progress: Count is wait-free. A query is lock-free: it runs again only where another thread has
// changed a layer meanwhile, which no thread does during the physics update.
// Complexity: O(1) for a walk, in a cache line of the thread's; O(kStripes) for Count.
//
// Source: a reader that ends with a read-modify-write of what it read first: [boehm2012]. Model:
// models/world/layer_changes. Test: tests/world/layer_change_test.cc.
#ifndef NOWAIT_SRC_WORLD_LAYER_CHANGES_H_
#define NOWAIT_SRC_WORLD_LAYER_CHANGES_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

// kStripes: the number of cache lines that have the count; a power of two.
template <class Sync = EngineSync, std::uint32_t kStripes = 16>
class LayerChanges {
  using Changes = typename Sync::template atomic<std::uint32_t>;

 public:
  class Watch {
   public:
    // Whether a change was counted since the watch began. A read-modify-write has a place before or
    // after each count. release: the walk happens before a count that comes after it, and therefore
    // cannot have found a body taken out of its old tree already.
    bool HasMetSome() const {
      return changes_.fetch_add(0, std::memory_order::release) != at_start_;
    }

   private:
    friend class LayerChanges;
    // acquire: pairs with the release in Count: the links that were made before it.
    explicit Watch(Changes& changes)
        : changes_(changes), at_start_(changes.load(std::memory_order::acquire)) {}

    Changes& changes_;
    const std::uint32_t at_start_;
  };

  auto BeginWatch() const { return Watch(stripes_[Sync::ThreadSlot() % kStripes].changes); }

  // release: pairs with the acquire that begins a watch; acquire: with the release that ends one.
  void Count() {
    for (Stripe& stripe : stripes_) stripe.changes.fetch_add(1, std::memory_order::acq_rel);
  }

 private:
  struct alignas(64) Stripe {
    Changes changes{0};
  };

  mutable std::array<Stripe, kStripes> stripes_;
};

// Implementation: why this is right
//
// A walk, one change of a body that it looks for, and the change's two counts C1 and C2:
//   - C1 after the walk's end. The walk happens before the removal: it meets the body in the old
//     tree. If it met the body in the new tree as well, it has looked at the body there, under the
//     body's lock; the change had the lock by then, and the look came after C2. So it did not.
//   - C2 before the walk's beginning. The walk meets the body in the new tree alone.
//   - C1 before the beginning, C2 after the end. The walk meets the body in the new tree, and looks
//     at it. The look waits for the lock, and comes after C2. So this does not happen.
//   - A count between beginning and end. The walk runs again.
// The count has 32 bits: only a walk that exactly 2^31 changes have met would miss them.

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_LAYER_CHANGES_H_
