// Scenarios of src/sync/phase_fair_lock.h.
#ifndef NOWAIT_MODELS_ARM_PHASE_FAIR_LOCK_H_
#define NOWAIT_MODELS_ARM_PHASE_FAIR_LOCK_H_

#include <cstdint>

#include "src/sync/phase_fair_lock.h"

namespace nowait::arm {

// Two writers. One that would have to wait goes away without its turn.
template <class Sync>
struct LockTwoWriters {
  static constexpr const char* kName = "phase_fair_lock two_writers";
  static constexpr const char* kPromise =
      "a writer that need not wait finds what the last one wrote";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (lock.ArriveWrite().MustWait()) return;
    count.set(count.get() + 1);
    lock.LeaveWrite();
    entered[t] = 1;
  }
  bool Holds() { return count.get() == entered[0] + entered[1]; }

  PhaseFairLock<Sync> lock;
  typename Sync::template plain<int> count{0};
  int entered[2] = {};
};

template <class Sync>
struct LockReaderAndWriter {
  static constexpr const char* kName = "phase_fair_lock reader_and_writer";
  static constexpr const char* kPromise =
      "a reader that need not wait finds the whole write, or nothing of it";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      if (lock.ArriveWrite().MustWait()) return;
      first.set(1);
      second.set(1);
      lock.LeaveWrite();
      return;
    }
    if (lock.ArriveRead().MustWait()) return;
    torn = first.get() != second.get();
    lock.LeaveRead();
  }
  bool Holds() { return !torn; }

  PhaseFairLock<Sync> lock;
  // A line for each: the compiler writes neighbours at once, and the model has no such accesses.
  alignas(64) typename Sync::template plain<int> first{0};
  alignas(64) typename Sync::template plain<int> second{0};
  bool torn = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_PHASE_FAIR_LOCK_H_
