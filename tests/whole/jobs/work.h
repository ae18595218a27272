// The work of each kind of task, with its checks. ScriptRun plays a script.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_WORK_H_
#define NOWAIT_TESTS_WHOLE_JOBS_WORK_H_

#include <atomic>
#include <cstdint>

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/task_def.h"
#include "tests/whole/jobs/record.h"
#include "tests/whole/jobs/shared_state.h"
#include "tests/whole/jobs/threads.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::job_programs {

// Play(state, task): plays the body of a task.
template <class Pool, class Play>
struct WorkOf {
  using State = SharedState<Pool>;

  static State& In(const Record& record) { return *static_cast<State*>(record.run); }

  // Each kind begins with this. All its dependencies are complete.
  static void Begin(Record& record) {
    State& state = In(record);
    Expect(!state.closed.load(std::memory_order::relaxed), "nothing runs after the pool's end",
           record.number);
    if (record.dependency != kNoTask) state.CheckComplete(record.dependency);
  }

  static void RunBody(void* data) {
    const whole::FaultScope own(false);
    Record& record = *static_cast<Record*>(data);
    Begin(record);
    JudgeOrder(record);
    Expect(++record.runs == 1, "each task is run once", record.number);
    const std::uint8_t name = record.spec->name, worker = record.spec->worker;
    Expect(name == 0 || name == MainThread(), "a task with a name is its thread's", record.number);
    Expect(worker == 0 || worker == Worker(), "a task for a worker is its own", record.number);
    const auto current = In(record).pool->Current();
    Expect(current.has_value() && *current == record.Id(), "Current is the task", record.number);
    {
      const typename PriorityOrder<Pool>::Inside inside(In(record).order);
      Play()(In(record), record.number);
    }
    record.done = true;
    if (record.spec->throws) Throw(record.reports, record.number);
  }

  static void RunCell(void* data) {
    const whole::FaultScope own(false);
    auto& cell = *static_cast<Record::Cell*>(data);
    Record& record = *cell.of;
    Begin(record);
    if (cell.number == 0) JudgeOrder(record);
    Expect(++cell.runs == 1, "each job of a list is run once", record.number);
    const std::uint32_t every = record.spec->sync_every;
    const std::uint32_t before = every == 0 ? 0 : cell.number / every * every;
    for (std::uint32_t i = 0; i < before; ++i) {
      Expect(record.cells[i].runs == 1, "what stands before a sync point has returned",
             record.number);
    }
    if (cell.number == 1) {
      ExpectRefused(record, In(record).pool->AddEmpty(), "a job of a list makes no tasks");
      ExpectRefused(record, In(record).pool->Wait(record.Id()), "a job of a list does not wait");
    }
    if (record.spec->throws && cell.number + 1 == record.cells.size()) {
      Throw(record.reports, record.number);
    }
  }

  template <class T>
  static void ExpectRefused(const Record& record, const Result<T>& result, const char* promise) {
    Expect(!result && result.error().code == ErrorCode::kWrongPhase, promise, record.number,
           result ? "it may" : ToString(result.error()));
  }

  static Result<void> Serve(void* data) {
    const whole::FaultScope own(false);
    Record& record = *static_cast<Record*>(data);
    Begin(record);
    Expect(++record.runs == 1, "a request is served once", record.number);
    record.done = true;
    if (!record.spec->throws) return {};
    if (record.number % 2 == 0) Throw(record.reports, record.number);
    return nowait::Fail(ErrorCode::kIo, "disk");
  }

  static void Compute(void* data, int run) {
    const whole::FaultScope own(false);
    Record& record = *static_cast<Record*>(data);
    Begin(record);
    if (run == 0) JudgeOrder(record);
    ++record.computed[static_cast<std::size_t>(run)];
    if (record.spec->throws) Throw(record.reports, record.number);
  }
  static void Commit(void* data, int run) {
    Record& record = *static_cast<Record*>(data);
    Expect(record.computed[static_cast<std::size_t>(run)] == 1, "what is committed was computed",
           record.number);
    Expect(++record.commits == 1, "idempotent work is committed once", record.number);
  }
  static void Release(void* data) {
    // relaxed: counted, and read after the program.
    static_cast<Record*>(data)->releases.fetch_add(1, std::memory_order::relaxed);
  }

  static void HandOverExternal(void* data) {
    const whole::FaultScope own(false);
    Record& record = *static_cast<Record*>(data);
    Begin(record);
    Expect(record.handed_over.fetch_add(1, std::memory_order::relaxed) == 0,
           "an external task is handed over once", record.number);
    // Before or after it has reached its device.
    if (record.spec->throws && record.number % 2 == 0) Throw(record.reports, record.number);
    In(record).handed_over.Push(record);
    if (record.spec->throws) Throw(record.reports, record.number);
  }

  // Makes the task, held by the calling thread.
  static Result<TaskId> Add(Record& record, TaskDef def) {
    Pool& pool = *In(record).pool;
    def.priority = record.spec->priority;
    def.affinity = record.spec->name;
    if (const std::uint8_t worker = record.spec->worker; worker != 0) {
      def.affinity = pool.AffinityToWorker(worker - 1u).value();
    }
    switch (record.spec->work) {
      case Work::kEmpty:
        break;
      case Work::kBody:
        // As a job and as a callable.
        if (record.number % 2 == 0) {
          return pool.Add([&record] { RunBody(&record); }, def, {.name = "body"});
        }
        def.work = {&RunBody, &record};
        break;
      case Work::kExternal:
        def.work = {&HandOverExternal, &record};
        def.kind = TaskKind::kExternal;
        break;
      case Work::kList:
        if (record.list == nullptr) MakeList(record);
        return pool.AddList(*record.list, def);
      case Work::kIdempotent:
        record.idempotent = {&Compute, &Commit, &Release, &record};
        return pool.AddIdempotent(record.idempotent, def);
      case Work::kRequest:
        record.request.emplace("request", &Serve, &record);
        return pool.AddRequest(record.number % 2 == 0 ? "disk" : "net", *record.request, def.parent,
                               def.dependency);
    }
    return pool.Add(def);
  }

 private:
  static void JudgeOrder(const Record& record) {
    State& state = In(record);
    if (state.cancelling.load(std::memory_order::relaxed)) return;
    state.order.Begins(record, state.records, *state.pool);
  }

  static void MakeList(Record& record) {
    const std::uint32_t jobs = record.spec->jobs;
    const std::uint32_t every = record.spec->sync_every;
    record.list = std::make_unique<JobList<>>(jobs, every == 0 ? 0 : jobs);
    for (std::uint32_t i = 0; i < jobs; ++i) record.cells.push_back({&record, i});
    for (std::uint32_t i = 0; i < jobs; ++i) {
      if (every != 0 && i % every == 0) {
        Expect(record.list->AddSyncPoint().has_value(), "a list has room for its sync points",
               record.number);
      }
      Expect(record.list->Add({&RunCell, &record.cells[i]}).has_value(),
             "a list has room for its jobs", record.number);
    }
  }
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_WORK_H_
