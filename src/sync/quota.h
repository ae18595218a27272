// Quota: a limit on a number of items that any number of threads count together.
//
// For buffers that threads fill separately and whose total size has a limit: a thread that gets a
// unit of the quota may keep its item; otherwise it drops the item.
//
// Thread safety: Take from any thread. Reset by one thread, while no thread takes; the start of the
// taking threads orders it before them.
// Progress: wait-free up to the hardware's fetch_add.
//
// Invariant: taken_ is the number of Takes since the last Reset. It changes only by
// read-modify-writes: no two Takes read the same number, and the first `limit` in its modification
// order read less than `limit`.
//
// Promise: of the Takes since the last Reset, the first `limit` succeed, or all if there are fewer;
// linearizable as a counter, at the fetch_add. Orders are relaxed: a Take publishes nothing.
// Bound: 2^32 - 1 Takes between two Resets.
//
// Model: models/sync/quota. Lecture: union-find islands (contacts that are found on the way).
#ifndef NOWAIT_SRC_SYNC_QUOTA_H_
#define NOWAIT_SRC_SYNC_QUOTA_H_

#include <atomic>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class Quota {
 public:
  explicit Quota(std::uint32_t limit) : limit_(limit) {}

  // Takes a unit. Returns whether one was left.
  bool Take() { return taken_.fetch_add(1, std::memory_order::relaxed) < limit_; }

  void Reset() { taken_.store(0, std::memory_order::relaxed); }

 private:
  const std::uint32_t limit_;
  typename Sync::template atomic<std::uint32_t> taken_{0};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_QUOTA_H_
