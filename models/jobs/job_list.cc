// Model of src/jobs/job_list.h.
//
// Promise checked: each job runs exactly once; kDone means that no job is left to fetch; kStalled
// means that another thread held the fetch lock; Finished means that all jobs have returned and what
// they wrote is visible (they write plain data).
//
// What the searches cover: two workers with one job in full; two workers with two jobs and three with
// one and two up to a number of switches; all at random with late stores and stale exchanges.
#include "src/jobs/job_list.h"

#include <atomic>
#include <memory>

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

constexpr const char* kExactlyOnce = "each job runs exactly once";

// A list with jobs that count their runs in plain data, each in its own.
template <int kJobs>
class CountedJobs {
 public:
  CountedJobs() {
    for (auto& count : runs_) list.Add({&Count, &count});
    list.Submit();
  }

  void CheckAllRan() const {
    for (const auto& count : runs_) Check(count.get() == 1, kExactlyOnce);
  }

  JobList<ModelSync> list{kJobs};

 private:
  static void Count(void* data) {
    auto& count = *static_cast<ModelSync::plain<int>*>(data);
    count.set(count.get() + 1);
  }

  ModelSync::plain<int> runs_[kJobs];
};

// Every worker runs what it gets until nothing is left; whoever sees the list finished looks at all
// that the jobs wrote.
template <int kWorkers, int kJobs>
struct RunUntilDone {
  static constexpr int kThreads = kWorkers;

  void Thread(int) {
    for (;;) {
      const RunResult result = jobs.list.RunOne();
      if (result == RunResult::kDone) break;
      if (result == RunResult::kStalled) ModelSync::Yield();
    }
    if (jobs.list.Finished()) jobs.CheckAllRan();
  }
  void After() {
    Check(jobs.list.Finished(), "a list whose workers saw kDone is finished when they are");
    jobs.CheckAllRan();
  }

  CountedJobs<kJobs> jobs;
};
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

// One attempt each and no second: both cannot be turned away, for one of them held the lock.
template <int kWorkers>
struct OneAttempt {
  static constexpr int kThreads = kWorkers;

  void Thread(int t) { result[t] = jobs.list.RunOne(); }
  void After() {
    int ran = 0;
    int stalled = 0;
    for (const RunResult r : result) {
      if (r == RunResult::kProgress) ++ran;
      if (r == RunResult::kStalled) ++stalled;
    }
    Check(ran == 1, "somebody gets the only job");
    Check(stalled < kWorkers, "kStalled means that another thread held the fetch lock");
    Check(jobs.list.RunOne() == RunResult::kDone, "a list that nobody holds is not stalled");
    Check(jobs.list.Finished(), "a list whose jobs have returned is finished");
    jobs.CheckAllRan();
  }

  CountedJobs<1> jobs;
  RunResult result[kWorkers];
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

// Thread 2 begins after thread 0 has returned. If it is turned away, thread 1 must have the lock, and
// then thread 1 is not turned away itself.
struct StallHasHolder {
  static constexpr int kThreads = 3;

  void Thread(int t) {
    if (t == 2 && !returned.load(std::memory_order::acquire)) return;
    result[t] = jobs.list.RunOne();
    if (t == 0) returned.store(true, std::memory_order::release);
  }
  void After() {
    Check(result[1] != RunResult::kStalled || result[2] != RunResult::kStalled,
          "kStalled means that another thread held the fetch lock");
  }

  CountedJobs<1> jobs;
  ModelSync::atomic<bool> returned{false};
  RunResult result[kThreads] = {};
};
const Scenario<StallHasHolder> stall_has_holder({
    .name = "stall_has_holder",
    .promise = "two workers are not turned away by each other",
    .searches = {ContextBound(3), Random(20'000).StaleExchanges().DeepHistory()},
});

// The thread that waits for the list fills it again at once, as JobBatch does.
struct Again {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 1) {
      while (jobs.list.RunOne() != RunResult::kDone) ModelSync::Yield();
      left.store(true, std::memory_order::release);
      return;
    }
    while (jobs.list.RunOne() != RunResult::kDone) ModelSync::Yield();
    while (!jobs.list.Finished()) ModelSync::Yield();
    jobs.CheckAllRan();
    // The worker must have given the list back before it may be cleared; src/jobs/list_board.h.
    while (!left.load(std::memory_order::acquire)) ModelSync::Yield();
    jobs.list.Clear();
    jobs.list.Add({&Mark, &marked});
    jobs.list.Submit();
    Check(jobs.list.RunOne() == RunResult::kProgress, "a list that was filled again runs again");
    Check(jobs.list.Finished() && marked.get() == 1, "a list that was filled again runs again");
  }

  static void Mark(void* data) { static_cast<ModelSync::plain<int>*>(data)->set(1); }

  CountedJobs<2> jobs;
  ModelSync::atomic<bool> left{false};
  ModelSync::plain<int> marked{0};
};
const Scenario<Again> again({
    .name = "again",
    .promise = "a finished list that its workers have left can be filled and run again",
    .searches = {ContextBound(4), Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
