// Model of src/jobs/job_list.h.
//
// Promise checked: the list is linearizable (job_list_scenario.h): each job is fetched once
// and in order; kDone means that no job is left to fetch; kStalled means that another thread was
// fetching; Finished means that all jobs have returned. The jobs' writes are visible then (they
// write plain data).
//
// Examined: every execution of two workers with one and two jobs, of three with two and
// three, and of four with one; of two workers with two and three jobs and a sync point between
// them, and of three with one job on each side; of two workers that fetch two jobs at once, or one
// of them.
#include <atomic>

#include "models/jobs/job_list_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

const Scenario<RunUntilDone<2, 1>> two_by_one({
    .name = "2x1",
    .promise = "two workers run one job once and both see the end",
    .searches = {Full(), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunUntilDone<2, 2>> two_by_two({
    .name = "2x2",
    .promise = "two workers run two jobs once each",
    .searches = {ContextBound(6), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunUntilDone<3, 2>> three_by_two({
    .name = "3x2",
    .promise = "three workers run two jobs once each",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

const Scenario<RunUntilDone<3, 3>> three_by_three({
    .name = "3x3",
    .promise = "three workers run three jobs once each",
    .searches = {},  // a sample adds nothing to all executions
});
const Scenario<RunUntilDone<4, 1>> four_by_one({
    .name = "4x1",
    .promise = "four workers run one job once and all see the end",
    .searches = {},  // a sample adds nothing to all executions
});

const Scenario<RunUntilDone<2, 2, 1>> two_sections({
    .name = "sync_1_1",
    .promise = "the job behind a sync point begins when the one in front of it has returned",
    .searches = {ContextBound(6), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunUntilDone<2, 3, 2>> two_then_one({
    .name = "sync_2_1",
    .promise = "the job behind a sync point begins when both in front of it have returned",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunUntilDone<2, 3, 1>> one_then_two({
    .name = "sync_1_2",
    .promise = "a worker that begins a section lets others have the rest of it",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RunUntilDone<3, 2, 1>> three_workers_two_sections({
    .name = "sync_3x1_1",
    .promise = "a worker that came late sees the work in front of a sync point",
    .searches = {ContextBound(3), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same with batches of two; kMixed: thread 0 alone has them.
template <int kJobs, int kSyncPoint = 0, bool kMixed = false>
struct Batches {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (;;) {
      const RunResult result = kMixed && t == 1 ? list.RunOne() : list.RunBatch(2);
      if (result == RunResult::kDone || result == RunResult::kWaiting) break;
      if (result == RunResult::kStalled) ModelSync::Yield();
    }
    list.Finished();
  }
  void After() {
    Check(list.Finished(),
          "every section is begun by one of the workers that ended the earlier one");
    list.CheckHistory();
  }

  RecordedList<kJobs, false, kSyncPoint> list;
};
const Scenario<Batches<3>> batches({
    .name = "batches",
    .promise = "two workers run batches of two jobs and of one, each job once",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Batches<3, 2>> batch_then_one({
    .name = "batches_2_1",
    .promise =
        "the work of a batch in front of a sync point is seen behind it, and counts for its end",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Batches<3, 1>> one_then_batch({
    .name = "batches_1_2",
    .promise = "a batch ends at a sync point",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Batches<3, 0, true>> batches_mixed({
    .name = "batches_mixed",
    .promise = "a worker with batches and one without them run each job once",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One attempt each, without a second: both cannot be turned away, for one of them held the lock.
template <int kWorkers>
struct OneAttempt {
  static constexpr int kThreads = kWorkers;

  void Thread() { list.RunOne(); }
  void After() {
    list.RunOne();
    list.Finished();
    list.CheckHistory();
  }

  RecordedList<1> list;
};
const Scenario<OneAttempt<2>> one_attempt_two({
    .name = "attempt_2",
    .promise = "of two workers with one attempt each, one gets the job",
    .searches = {Full(), Random(20'000).StaleExchanges().DeepHistory()},
});
const Scenario<OneAttempt<3>> one_attempt_three({
    .name = "attempt_3",
    .promise = "of three workers with one attempt each, one gets the job",
    .searches = {ContextBound(3), Random(20'000).StaleExchanges().DeepHistory()},
});

// Thread 2 begins after thread 0 has returned. If it is turned away, thread 1 must have the lock,
// and then thread 1 is not turned away itself.
struct StallHasHolder {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2 && !returned.load(std::memory_order::acquire)) return;
    list.RunOne();
    if (t == 0) returned.store(true, std::memory_order::release);
  }
  void After() { list.CheckHistory(); }

  RecordedList<1> list;
  ModelSync::atomic<bool> returned{false};
};
const Scenario<StallHasHolder> stall_has_holder({
    .name = "stall_has_holder",
    .promise = "two workers are not turned away by each other",
    .searches = {ContextBound(3), Random(20'000).StaleExchanges().DeepHistory()},
});

// Thread 1 knows that thread 0 has begun its job, and so has fetched it.
struct RunsAlongside {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0 || list.HasBegun()) list.RunOne();
  }
  void After() { list.CheckHistory(); }

  RecordedList<2, true> list;
};
const Scenario<RunsAlongside> runs_alongside({
    .name = "alongside",
    .promise = "a worker that runs its job does not prevent others from fetching the next",
    .searches = {Full(), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The thread that waits for the list fills it again at once, as JobBatch does.
template <bool kBatches>
struct Again {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    while (RunSome() != RunResult::kDone) ModelSync::Yield();
    if (t == 1) {
      left.store(true, std::memory_order::release);
      return;
    }
    while (!list.Finished()) ModelSync::Yield();
    // The worker must have given the list back before it may be cleared;
    // src/jobs/job_list_registry.h.
    while (!left.load(std::memory_order::acquire)) ModelSync::Yield();
    list.RefillWithOne();
    RunSome();
    list.Finished();
  }
  void After() {
    RunSome();
    list.CheckHistory();
  }
  RunResult RunSome() { return kBatches ? list.RunBatch(2) : list.RunOne(); }

  RecordedList<2> list;
  ModelSync::atomic<bool> left{false};
};
const Scenario<Again<false>> again({
    .name = "again",
    .promise = "a finished list that its workers have left can be filled and run again",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

const Scenario<Again<true>> batches_again({
    .name = "batches_again",
    .promise = "the same with batches",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
