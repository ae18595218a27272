// Model of src/jobs/job_list.h.
//
// Promise checked: the list is linearizable (the specification is below): each job is fetched once
// and in order; kDone means that no job is left to fetch; kStalled means that another thread was
// fetching; Finished means that all jobs have returned. The jobs' writes are visible then (they
// write plain data).
//
// Examined: every execution of two workers with one and two jobs, of three with two and
// three, and of four with one; of two workers with two and three jobs and a sync point between
// them, and of three with one job on each side; of two workers that fetch two jobs at once, or one
// of them.
#include "src/jobs/job_list.h"

#include <atomic>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "models/kit/scenario/per_thread.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::Full;
using model::History;
using model::PerThread;
using model::Random;
using model::Scenario;
using model::VectorClock;

constexpr const char* kRoom = "a list has room for the number of jobs that it was made for";

// A RunOne that runs a job is two operations: it fetches the job, which has happened when the job
// begins, and it returns from the job. In between any thread may use the list.
struct ListOp {
  enum class Kind : std::uint8_t { kFetch, kReturn, kDone, kStalled, kWaiting, kFinished, kRefill };
  Kind kind;
  std::uint8_t job = 0;     // kFetch, kReturn
  std::uint8_t answer = 0;  // kFinished: the answer; kRefill: the number of jobs
  bool TakesLock() const {
    return kind == Kind::kFetch || kind == Kind::kDone || kind == Kind::kWaiting;
  }
  std::string Words() const {
    switch (kind) {
      case Kind::kFetch:
        return "RunOne fetches job " + std::to_string(job);
      case Kind::kReturn:
        return "RunOne returns from job " + std::to_string(job);
      case Kind::kDone:
        return "RunOne() = kDone";
      case Kind::kStalled:
        return "RunOne() = kStalled";
      case Kind::kWaiting:
        return "RunOne() = kWaiting";
      case Kind::kFinished:
        return answer != 0 ? "Finished() = true" : "Finished() = false";
      case Kind::kRefill:
        return "Clear, Add, Submit";
    }
    return "";
  }
};

// kSyncPoint: the number of jobs in front of the sync point; 0: there is no sync point.
template <int kSyncPoint>
struct ListSpec {
  using Op = ListOp;
  struct State {
    std::uint8_t jobs = 0;
    std::uint8_t fetched = 0;
    std::uint8_t returned = 0;
    bool MustWait() const { return fetched == kSyncPoint && returned < fetched; }
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    switch (op.kind) {
      case Op::Kind::kFetch:
        return !state.MustWait() && op.job == state.fetched++ && op.job < state.jobs;
      case Op::Kind::kReturn:
        ++state.returned;
        return op.job < state.fetched;
      case Op::Kind::kDone:
        return state.fetched == state.jobs;
      case Op::Kind::kStalled:
        // A thread that runs its job does not count as an excuse, nor does one that was turned away
        // itself.
        return context.Overlapped([](const Op& other) { return other.TakesLock(); });
      case Op::Kind::kWaiting:
        return state.MustWait() && state.fetched < state.jobs;
      case Op::Kind::kFinished:
        return (op.answer != 0) == (state.returned == state.jobs);
      case Op::Kind::kRefill: {
        const bool was_finished = state.returned == state.jobs;
        state = {op.answer, 0, 0};
        return was_finished;
      }
    }
    return false;
  }
};

constexpr ListOp::Kind NothingRun(RunResult result) {
  return result == RunResult::kDone      ? ListOp::Kind::kDone
         : result == RunResult::kStalled ? ListOp::Kind::kStalled
                                         : ListOp::Kind::kWaiting;
}

// A list whose jobs write plain data, each its own, and read the data of the earlier sections; and
// the history of its operations.
// kSignals: a job announces, with release, that it has begun.
template <int kJobs, bool kSignals = false, int kSyncPoint = 0>
class RecordedList {
 public:
  RecordedList() {
    for (std::uint8_t i = 0; i < kJobs; ++i) {
      jobs_[i] = {this, i};
      if (kSyncPoint != 0 && i == kSyncPoint) Check(list_.AddSyncPoint().has_value(), kRoom);
      Check(list_.Add({&Job::Run, &jobs_[i]}).has_value(), kRoom);
    }
    list_.Submit();
  }

  RunResult RunOne() {
    const model::Call call("RunOne");
    VectorClock& invoked = invoked_.Mine();
    invoked = history_.Invoke();
    const RunResult result = list_.RunOne();
    if (result == RunResult::kProgress) {
      history_.Add(invoked, {ListOp::Kind::kReturn, running_.Mine()});
    } else {
      history_.Add(invoked, {NothingRun(result)});
    }
    return result;
  }

  // Fetches at most so many at once, and runs and returns them.
  RunResult RunBatch(std::uint32_t most) {
    const model::Call call("RunBatch");
    const VectorClock invoked = history_.Invoke();
    JobList<ModelSync>::Batch batch;
    const RunResult result = list_.FetchBatch(most, 1, &batch);
    if (result != RunResult::kProgress) {
      history_.Add(invoked, {NothingRun(result)});
      return result;
    }
    Check(batch.count > 0 && batch.count <= most,
          "a batch is not empty, and not larger than asked");
    const auto number = [&](std::uint32_t i) {
      return static_cast<Job*>(list_.At(batch.first + i).data)->number;
    };
    for (std::uint32_t i = 0; i < batch.count; ++i) {
      history_.Add(invoked, {ListOp::Kind::kFetch, number(i)});
    }
    for (std::uint32_t i = 0; i < batch.count; ++i) Touch(number(i));
    const VectorClock ran = history_.Invoke();
    list_.CompleteJobs(batch.count);
    for (std::uint32_t i = 0; i < batch.count; ++i) {
      history_.Add(ran, {ListOp::Kind::kReturn, number(i)});
    }
    return result;
  }

  // A thread that sees the list finished may read the data of all jobs.
  bool Finished() {
    const ListOp op = history_.Record("Finished", [this] {
      return ListOp{ListOp::Kind::kFinished, 0, static_cast<std::uint8_t>(list_.Finished())};
    });
    if (op.answer != 0) {
      for (const auto& written : written_) written.get();
    }
    return op.answer != 0;
  }

  // By a thread that has the list for itself.
  void RefillWithOne() {
    history_.Record("Clear, Add, Submit", [this] {
      list_.Clear();
      Check(list_.Add({&Job::Run, &jobs_[0]}).has_value(), kRoom);
      list_.Submit();
      return ListOp{ListOp::Kind::kRefill, 0, 1};
    });
  }

  bool HasBegun() const { return begun_.load(std::memory_order::acquire); }

  void CheckHistory() const {
    CheckLinearizable<ListSpec<kSyncPoint>>(history_, "a job list is linearizable", {kJobs, 0, 0});
  }

 private:
  struct Job {
    static void Run(void* job) {
      static_cast<Job*>(job)->list->Run(static_cast<Job*>(job)->number);
    }
    RecordedList* list;
    std::uint8_t number;
  };

  void Run(std::uint8_t job) {
    history_.Add(invoked_.Mine(), {ListOp::Kind::kFetch, job});
    if constexpr (kSignals) begun_.store(true, std::memory_order::release);
    running_.Mine() = job;
    Touch(job);
    invoked_.Mine() = history_.Invoke();
  }
  void Touch(std::uint8_t job) {
    for (std::uint8_t i = 0; kSyncPoint <= job && i < kSyncPoint; ++i) written_[i].get();
    written_[job].set(1);
  }

  Job jobs_[kJobs];
  JobList<ModelSync> list_{kJobs, kSyncPoint != 0 ? 1 : 0};
  ModelSync::plain<int> written_[kJobs];
  ModelSync::atomic<bool> begun_{false};
  History<ListOp> history_;
  PerThread<VectorClock> invoked_;
  PerThread<std::uint8_t> running_;
};

// Every worker runs its fetched jobs until nothing is left. A worker that has to wait leaves: the
// worker whose job is waited for comes back and finds the section open.
template <int kWorkers, int kJobs, int kSyncPoint = 0>
struct RunUntilDone {
  static constexpr int kThreads = kWorkers;

  void Thread() {
    for (;;) {
      const RunResult result = list.RunOne();
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
