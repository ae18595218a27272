// Shared by the scenarios of the job list: the structure, whose operations are recorded and then
// checked, and its specification.
#ifndef NOWAIT_MODELS_JOBS_JOB_LIST_SCENARIO_H_
#define NOWAIT_MODELS_JOBS_JOB_LIST_SCENARIO_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "models/kit/scenario/per_thread.h"
#include "src/jobs/job_list.h"

namespace nowait {

inline constexpr const char* kRoom = "a list has room for the number of jobs that it was made for";

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
  // Context: of a history of these operations, or of others that know which of them take the lock.
  template <class Context>
  static bool Apply(State& state, const Op& op, const Context& context) {
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
        return context.Overlapped([](const auto& other) { return other.TakesLock(); });
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
      if (kSyncPoint != 0 && i == kSyncPoint) model::Check(list_.AddSyncPoint().has_value(), kRoom);
      model::Check(list_.Add({&Job::Run, &jobs_[i]}).has_value(), kRoom);
    }
    list_.Submit();
  }

  RunResult RunOne() {
    const model::Call call("RunOne");
    model::VectorClock& invoked = invoked_.Mine();
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
    const model::VectorClock invoked = history_.Invoke();
    JobList<ModelSync>::Batch batch;
    const RunResult result = list_.FetchBatch(most, 1, &batch);
    if (result != RunResult::kProgress) {
      history_.Add(invoked, {NothingRun(result)});
      return result;
    }
    model::Check(batch.count > 0 && batch.count <= most,
                 "a batch is not empty, and not larger than asked");
    const auto number = [&](std::uint32_t i) {
      return static_cast<Job*>(list_.At(batch.first + i).data)->number;
    };
    for (std::uint32_t i = 0; i < batch.count; ++i) {
      history_.Add(invoked, {ListOp::Kind::kFetch, number(i)});
    }
    for (std::uint32_t i = 0; i < batch.count; ++i) Touch(number(i));
    const model::VectorClock ran = history_.Invoke();
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
      model::Check(list_.Add({&Job::Run, &jobs_[0]}).has_value(), kRoom);
      list_.Submit();
      return ListOp{ListOp::Kind::kRefill, 0, 1};
    });
  }

  bool HasBegun() const { return begun_.load(std::memory_order::acquire); }

  void CheckHistory() const {
    model::CheckLinearizable<ListSpec<kSyncPoint>>(history_, "a job list is linearizable",
                                                   {kJobs, 0, 0});
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
  model::History<ListOp> history_;
  model::PerThread<model::VectorClock> invoked_;
  model::PerThread<std::uint8_t> running_;
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
    model::Check(list.Finished(),
                 "every section is begun by one of the workers that ended the earlier one");
    list.CheckHistory();
  }

  RecordedList<kJobs, false, kSyncPoint> list;
};

}  // namespace nowait

#endif  // NOWAIT_MODELS_JOBS_JOB_LIST_SCENARIO_H_
