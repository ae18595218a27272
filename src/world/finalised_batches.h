// FinalisedBatches: the batches whose bodies no scan has seen yet.
//
// FinaliseBatch must not do anything for each of its bodies: it runs on a game thread. It hands
// over a list of their ids; the next thread that scans all bodies settles them first.
//
// Thread safety: any thread. Blocking: a mutex; Add holds it for a few instructions.
#ifndef NOWAIT_SRC_WORLD_FINALISED_BATCHES_H_
#define NOWAIT_SRC_WORLD_FINALISED_BATCHES_H_

#include <memory>
#include <utility>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/bodies/body_locks.h"
#include "src/bodies/body_storage.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

class FinalisedBatches {
 public:
  // Made when the batch is prepared, so that Add allocates nothing.
  struct Node {
    std::vector<BodyId> ids;
    std::unique_ptr<Node> next;
  };

  FinalisedBatches() = default;
  ~FinalisedBatches() { Drop(std::move(first_)); }
  FinalisedBatches(const FinalisedBatches&) = delete;
  FinalisedBatches& operator=(const FinalisedBatches&) = delete;

  // O(1).
  void Add(std::unique_ptr<Node> batch) {
    const ScopedLock lock(mutex_);
    batch->next = std::move(first_);
    first_ = std::move(batch);
  }

  // Settles the bodies of all batches, each under its lock, and calls settled(slot) for each under
  // that lock. A second caller returns when the first one has settled them. The calling thread must
  // hold no body lock.
  template <class Settled>
  void SettleAll(BodyStorage& bodies, BodyLocks& locks, WaitTime& wait, const Settled& settled) {
    const ScopedLock settling(settling_);
    std::unique_ptr<Node> batches;
    {
      const ScopedLock lock(mutex_);
      batches = std::move(first_);
    }
    for (const Node* batch = batches.get(); batch != nullptr; batch = batch->next.get()) {
      for (const BodyId id : batch->ids) {
        const BodyWriteScope lock(locks, id, wait);
        if (bodies.Settle(id)) settled(id.slot());
      }
    }
    Drop(std::move(batches));
  }

 private:
  // One after the other: destructors of a long list would nest.
  static void Drop(std::unique_ptr<Node> batches) {
    while (batches) batches = std::move(batches->next);
  }

  EngineSync::mutex settling_;
  EngineSync::mutex mutex_;  // of first_
  std::unique_ptr<Node> first_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_FINALISED_BATCHES_H_
