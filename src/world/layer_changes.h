// LayerChanges: a query that walks several trees sees a body once that goes from one to another.
//
// A walk takes one tree after the other. It may meet a body that changes its layer meanwhile in
// both trees, or in neither. So changes are counted, and a body keeps the count of its last one.
// A walk leaves a body out that has changed since the walk began. A query whose walk may have
// missed some looks at those afterwards, each by itself:
//
//   query:   const auto watch = changes.BeginWatch();
//            walk, but for bodies for which watch.IsNewer(count of the body);
//            if (some were left out || watch.HasMetSome()) look at each body that is newer
//            and that the walk has not looked at;
//   change:  link the body into the new tree; changes.Count(); take it out of the old one;
//            count of the body = changes.Count();
//
// All of a change and each look at a body is under the body's lock.
// Promise: the query looks at each body once that is in its layers throughout.
//
// Thread safety: all functions from any thread; a watch belongs to one thread.
// Progress: wait-free.
// Complexity: O(1) for a walk, in a cache line of the thread's; O(kStripes) for Count.
//
// Source: a reader that ends with a read-modify-write of what it read first: [boehm2012]. Model:
// models/world/layer_changes. Test: tests/world/layer_change_test.cc.
#ifndef NOWAIT_SRC_WORLD_LAYER_CHANGES_H_
#define NOWAIT_SRC_WORLD_LAYER_CHANGES_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

// kStripes: the number of cache lines that have the count; a power of two.
template <class Sync = EngineSync, std::uint32_t kStripes = 16>
class LayerChanges {
  using Changes = typename Sync::template atomic<std::uint64_t>;

 public:
  class Watch {
   public:
    // Whether a change was counted since the watch began. A read-modify-write has a place before or
    // after each count. release: the walk happens before a count that comes after it, and therefore
    // cannot have found a body taken out of its old tree already.
    bool HasMetSome() const {
      return changes_.fetch_add(0, std::memory_order::release) != at_start_;
    }
    // Whether a body with this count may have changed since the watch began. A body that did not
    // may seem so as well, if its change came shortly before.
    bool IsNewer(std::uint64_t count) const { return count > at_start_; }

   private:
    friend class LayerChanges;
    // acquire: pairs with the release in Count: the links that were made before it.
    explicit Watch(Changes& changes)
        : changes_(changes), at_start_(changes.load(std::memory_order::acquire)) {}

    Changes& changes_;
    const std::uint64_t at_start_;
  };

  auto BeginWatch() const { return Watch(stripes_[Sync::ThreadSlot() % kStripes].changes); }

  // Returns the highest count of a stripe: newer for each watch that began before this.
  // release: pairs with the acquire that begins a watch; acquire: with the release that ends one.
  std::uint64_t Count() {
    std::uint64_t highest = 0;
    for (Stripe& stripe : stripes_) {
      highest = std::max(highest, stripe.changes.fetch_add(1, std::memory_order::acq_rel) + 1);
    }
    return highest;
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
//   - A count between beginning and end. C2 comes after the beginning, so the body is newer from
//     then on: the walk has looked at it before the change, or leaves it out. The look afterwards
//     waits for the lock of a change that is not done, and finds the body newer.
// A body that seems newer was left out; so the query looks afterwards, even if it met no count.

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_LAYER_CHANGES_H_
