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

#include "models/arm/awake_set.h"
#include "models/arm/bounded_queue.h"
#include "models/arm/device_queue.h"
#include "models/arm/event_count.h"
#include "models/arm/index_pool.h"
#include "models/arm/job_list.h"
#include "models/arm/job_list_registry.h"
#include "models/arm/object_table.h"
#include "models/arm/phase_fair_lock.h"
#include "models/arm/phase_monitor.h"
#include "models/arm/quota.h"
#include "models/arm/reader_epochs.h"
#include "models/arm/spsc_ring.h"
#include "models/arm/stealable_ranges.h"
#include "models/arm/task_completion.h"
#include "models/arm/task_graph.h"
#include "models/arm/task_scheduler.h"
#include "models/arm/task_state.h"
#include "models/arm/transaction.h"
#include "models/arm/union_find.h"
#include "models/arm/work_deque.h"
#include "models/arm/work_events.h"

// Each calls `with` with a scenario's template, once.
#define NOWAIT_ARM_SYNC(with)                                                                     \
  with(EventWakesSleeper) with(LockReaderAndWriter) with(LockTwoWriters) with(MonitorSeesOverlap) \
      with(PoolHandsOver) with(QuotaTwoTakers) with(EpochsKeepWhatIsRead) with(RingPassesNotes)
#define NOWAIT_ARM_LISTS(with)                                                           \
  with(QueuePushAndPop) with(DequeLastButOne) with(DequeLastItem) with(DequePublishes)   \
      with(DequeTwoThieves) with(RangesTakenOnce) with(JobsFetchedOnce) with(JobsFinish) \
          with(JobsInSections) with(RegistryCloses) with(RegistryGivesBack)              \
              with(RegistryPublishes) with(DeviceTakes) with(WorkWakesIdle)
#define NOWAIT_ARM_TASKS(with)                                                                  \
  with(CompletionLastClose) with(CompletionRegisters) with(CompletionWakesSleeper)              \
      with(StateFreedOnce) with(StateLastLeaves) with(StateOneRunCounts) with(StateStartedOnce) \
          with(StateStartOrCancel) with(GraphCompletes) with(GraphReleases)                     \
              with(GraphRefusesCycle) with(SchedulerPasses)
#define NOWAIT_ARM_OBJECTS(with)                                                                   \
  with(TableCommitsOnce) with(TableFolds) with(TableReads) with(TableReuses) with(CommitIsOneStep) \
      with(CommitsExclude)
#define NOWAIT_ARM_BODIES(with) with(BodiesWakeOnce) with(UnionsMeet)
#define NOWAIT_ARM_SCENARIOS(with) \
  NOWAIT_ARM_SYNC(with)            \
  NOWAIT_ARM_LISTS(with) NOWAIT_ARM_TASKS(with) NOWAIT_ARM_OBJECTS(with) NOWAIT_ARM_BODIES(with)

#endif  // NOWAIT_MODELS_ARM_SCENARIO_H_
