// LastResort: the queue of the transactions that were restarted too often.
//
// One transaction at a time has its turn. Meanwhile no other transaction of the table begins
// another attempt, and a transaction that waits for an object gives back those that it owns. The
// transaction whose turn it is waits for each object that it asks for, and gets it.
//
// Thread safety: any thread. Blocking.
// Model: models/game/transaction.
#ifndef NOWAIT_SRC_GAME_LAST_RESORT_H_
#define NOWAIT_SRC_GAME_LAST_RESORT_H_

#include <atomic>

#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

template <class Sync = EngineSync>
class LastResort {
 public:
  // A turn; its destructor ends it.
  class [[nodiscard]] Turn {
   public:
    explicit Turn(LastResort& last_resort) : last_resort_(last_resort), lock_(last_resort.mutex_) {
      // relaxed, here and below: a hint that makes others wait. It publishes nothing.
      last_resort_.busy_.store(true, std::memory_order::relaxed);
    }
    ~Turn() { last_resort_.busy_.store(false, std::memory_order::relaxed); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    LastResort& last_resort_;
    ScopedLock<typename Sync::mutex> lock_;
  };

  // Whether a transaction has its turn, or had it a moment ago. A thread that asks in a loop learns
  // that a turn has begun.
  bool IsBusy() const { return busy_.load(std::memory_order::relaxed); }

  // Waits for a moment at which no transaction has its turn. The caller must own no object.
  void Await() { const ScopedLock<typename Sync::mutex> lock(mutex_); }

 private:
  typename Sync::mutex mutex_;
  typename Sync::template atomic<bool> busy_{false};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_LAST_RESORT_H_
