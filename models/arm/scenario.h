// A scenario for two checkers: one source, compiled with the policy of the models for the C++
// checker, and with the engine's policy for AArch64.
//
//   template <class Sync>
//   struct TwoTakers {
//     static constexpr const char* kName = "quota two_takers";
//     static constexpr const char* kPromise = "one of two threads gets the only one";
//     static constexpr int kThreads = 2;
//     void Thread(int t);      the code of thread t; what it found goes into members of its own
//     bool Holds();            afterwards, on one thread: whether the promise was kept
//   };
//
// A thread ends in a bounded number of steps whatever it reads: where the structure would wait, the
// scenario gives up, and Holds() allows for it. Shared data that is no atomic is Sync::plain.
#ifndef NOWAIT_MODELS_ARM_SCENARIO_H_
#define NOWAIT_MODELS_ARM_SCENARIO_H_

#include "models/arm/bounded_queue.h"
#include "models/arm/event_count.h"
#include "models/arm/index_pool.h"
#include "models/arm/phase_fair_lock.h"
#include "models/arm/phase_monitor.h"
#include "models/arm/quota.h"
#include "models/arm/reader_epochs.h"
#include "models/arm/spsc_ring.h"
#include "models/arm/stealable_ranges.h"
#include "models/arm/union_find.h"
#include "models/arm/work_deque.h"

// Calls `with` with each scenario's template, once.
#define NOWAIT_ARM_SCENARIOS(with)                                                                \
  with(QueuePushAndPop) with(EventWakesSleeper) with(PoolHandsOver) with(LockTwoWriters)          \
      with(LockReaderAndWriter) with(MonitorSeesOverlap) with(QuotaTwoTakers)                     \
          with(EpochsKeepWhatIsRead) with(RingPassesNotes) with(RangesTakenOnce) with(UnionsMeet) \
              with(DequeLastItem) with(DequeLastButOne) with(DequeTwoThieves) with(DequePublishes)

#endif  // NOWAIT_MODELS_ARM_SCENARIO_H_
