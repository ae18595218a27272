// Model of JobList::FetchMany, which the exercise asks for.
//
// Promise checked: the list is linearizable with it. A FetchMany that is given room for n jobs
// takes the next n at once, or as many as there are in front of the next sync point, and answers as
// Fetch where there is no job. And the work of the jobs in front of a sync point is visible to
// those behind it (they write plain data).
//
// Examined: every execution of two workers that take batches of two from three jobs, also with a
// sync point; of a worker with batches beside one without; and of three workers with one attempt
// each.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "models/jobs/job_list_scenario.h"
#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

// An operation of the list, or a fetch of several jobs.
struct BatchOp {
  ListOp op;               // kFetch: of the first one
  std::uint8_t count = 0;  // kFetch: how many it got
  std::uint8_t asked = 0;  // kFetch: for how many there was room
  bool TakesLock() const { return op.TakesLock(); }
  std::string Words() const {
    if (op.kind != ListOp::Kind::kFetch) return op.Words();
    return "fetches " + std::to_string(count) + " of at most " + std::to_string(asked) +
           ", from job " + std::to_string(op.job);
  }
};

// The list's specification, whose fetches take as many jobs as they can.
template <int kSyncPoint>
struct BatchSpec {
  using Op = BatchOp;
  using List = ListSpec<kSyncPoint>;
  using State = typename List::State;
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
    if (op.op.kind != ListOp::Kind::kFetch) return List::Apply(state, op.op, context);
    const int left = (state.fetched < kSyncPoint ? kSyncPoint : state.jobs) - state.fetched;
    bool fits = op.count > 0 && op.count == (op.asked < left ? op.asked : left);
    for (std::uint8_t i = 0; i < op.count; ++i) {
      const ListOp one{ListOp::Kind::kFetch, static_cast<std::uint8_t>(op.op.job + i)};
      fits = List::Apply(state, one, context) && fits;
    }
    return fits;
  }
};

// A list whose jobs write plain data, each its own, and read the data of those in front of the sync
// point.
template <int kJobs, int kSyncPoint = 0>
class BatchedList {
 public:
  BatchedList() {
    for (std::uint8_t i = 0; i < kJobs; ++i) {
      jobs_[i] = {this, i};
      if (kSyncPoint != 0 && i == kSyncPoint) {
        Check(list_.AddSyncPoint().has_value(), "there is room for it");
      }
      Check(list_.Add({&Numbered::Run, &jobs_[i]}).has_value(), "there is room for a job");
    }
    list_.Submit();
  }

  // Fetches at most so many and runs them; the answer is that of the fetch.
  template <std::size_t kAsked>
  RunResult RunBatch() {
    std::array<Job, kAsked> batch;
    std::uint32_t count = 0;
    RunResult result = RunResult::kStalled;
    history_.Record("FetchMany", [&] {
      result = list_.FetchMany(std::span<Job>(batch), &count);
      Check((result == RunResult::kProgress) == (count != 0) && count <= kAsked,
            "FetchMany counts what it gives, and gives something with kProgress only");
      return OpOf(result, batch[0], count, kAsked);
    });
    for (std::uint32_t i = 0; i < count; ++i) RunFetched(batch[i]);
    return result;
  }

  // The same without a batch: Fetch and FetchMany may be mixed.
  RunResult RunOne() {
    Job job;
    RunResult result = RunResult::kStalled;
    history_.Record("Fetch", [&] {
      result = list_.Fetch(&job);
      return OpOf(result, job, result == RunResult::kProgress ? 1 : 0, 1);
    });
    if (result == RunResult::kProgress) RunFetched(job);
    return result;
  }

  void CheckEnd() const {
    CheckLinearizable<BatchSpec<kSyncPoint>>(history_, "a job list with batches is linearizable",
                                             {kJobs, 0, 0});
    Check(list_.Finished(), "all jobs have returned");
  }

 private:
  struct Numbered {
    static void Run(void* self) {
      const Numbered& job = *static_cast<Numbered*>(self);
      for (std::uint8_t i = 0; kSyncPoint <= job.number && i < kSyncPoint; ++i) {
        job.list->written_[i].get();
      }
      job.list->written_[job.number].set(1);
    }
    BatchedList* list;
    std::uint8_t number;
  };

  static std::uint8_t NumberOf(const Job& job) { return static_cast<Numbered*>(job.data)->number; }

  static BatchOp OpOf(RunResult result, const Job& first, std::uint32_t count, std::size_t asked) {
    if (result != RunResult::kProgress) return {{NothingRun(result)}};
    return {{ListOp::Kind::kFetch, NumberOf(first)},
            static_cast<std::uint8_t>(count),
            static_cast<std::uint8_t>(asked)};
  }

  void RunFetched(const Job& job) {
    job.function(job.data);
    history_.Record("Returned", [&] {
      list_.CompleteJobs();
      return BatchOp{{ListOp::Kind::kReturn, NumberOf(job)}};
    });
  }

  Numbered jobs_[kJobs];
  JobList<ModelSync> list_{kJobs, kSyncPoint != 0 ? 1 : 0};
  ModelSync::plain<int> written_[kJobs];
  History<BatchOp> history_;
};

// Each worker takes batches of two until nothing is left; one that gets kWaiting goes home.
template <int kJobs, int kSyncPoint = 0>
struct Batches {
  static constexpr int kThreads = 2;

  void Thread() {
    for (;;) {
      const RunResult result = list.template RunBatch<2>();
      if (result == RunResult::kDone || result == RunResult::kWaiting) break;
      if (result == RunResult::kStalled) ModelSync::Yield();
    }
  }
  void After() { list.CheckEnd(); }

  BatchedList<kJobs, kSyncPoint> list;
};
const Scenario<Batches<3>> two_and_one({
    .name = "two_and_one",
    .promise = "of three jobs one worker gets two at once, and one of them the third",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Batches<3, 1>> one_then_two({
    .name = "sync_1_2",
    .promise = "a batch ends at a sync point, and the next one begins behind it",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 takes batches, thread 1 one job at a time.
struct Mixed {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    for (;;) {
      const RunResult result = t == 0 ? list.RunBatch<2>() : list.RunOne();
      if (result == RunResult::kDone) break;
      if (result == RunResult::kStalled) ModelSync::Yield();
    }
  }
  void After() { list.CheckEnd(); }

  BatchedList<3> list;
};
const Scenario<Mixed> mixed({
    .name = "mixed",
    .promise = "a batch is fetched at one moment: no other fetch comes in between",
    .searches = {ContextBound(4), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One attempt each; the rest is run afterwards.
struct OneAttempt {
  static constexpr int kThreads = 3;

  void Thread() { list.RunBatch<3>(); }
  void After() {
    list.RunBatch<3>();
    list.CheckEnd();
  }

  BatchedList<2> list;
};
const Scenario<OneAttempt> one_attempt({
    .name = "attempt_3",
    .promise = "with room for more than there is, one of three workers gets all",
    .searches = {ContextBound(3), Random(20'000).StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
