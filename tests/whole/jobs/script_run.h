// ScriptRun: plays a script on a pool, and compares what each call returns with what its header says.
//
// What a call may return depends on what the script knows for certain:
//   mine     it has added the task; then nobody else changes it while it is held
//   held     mine, and neither submitted by a step nor by a wait
//   open     held, or the task that the script itself is the work of
// Of all others it knows what their creators have said (Record). Where that leaves several answers, each
// of them is accepted; what an accepted answer promises is checked in any case.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_SCRIPT_RUN_H_
#define NOWAIT_TESTS_WHOLE_JOBS_SCRIPT_RUN_H_

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/run_later.h"
#include "src/jobs/task_pool.h"
#include "tests/whole/jobs/loops.h"
#include "tests/whole/jobs/shared_state.h"
#include "tests/whole/jobs/work.h"
#include "tests/whole/scheduler/api_call.h"

namespace nowait::job_programs {

template <class Queues>
class ScriptRun {
  using Pool = BasicTaskPool<Queues>;
  using State = SharedState<Pool>;
  struct PlayBody {
    void operator()(State& state, int task) const {
      ScriptRun(state, task).Play(state.Of(task).spec->body);
    }
  };
  using Works = WorkOf<Pool, PlayBody>;
  // Answers of a call: a bit for each error code, and one for success.
  using Answers = std::uint32_t;
  static constexpr Answers kFine = 1u << 31;
  static constexpr Answers Code(ErrorCode code) { return 1u << static_cast<unsigned>(code); }
  static constexpr Answers kStale = Code(ErrorCode::kStaleId);
  static constexpr Answers kNotOwner = Code(ErrorCode::kNotOwner);
  static constexpr Answers kWrongPhase = Code(ErrorCode::kWrongPhase);
  static constexpr Answers kInvalid = Code(ErrorCode::kInvalidArgument);
  static constexpr Answers kCycle = Code(ErrorCode::kCycle);
  static constexpr Answers kFull = Code(ErrorCode::kCapacity);

 public:
  // task: whose work the script is; kNoTask outside all tasks.
  ScriptRun(State& state, int task) : state_(state), pool_(*state.pool), current_(task) {}

  void Play(const Script& script) {
    for (const Step& step : script) {
      if (shut_) return;
      PlayStep(step);
    }
  }

  // Submits what is held.
  void SubmitHeld() {
    while (!held_.empty() && !shut_) Submit(held_.front());
  }

 private:
  bool Outside() const { return current_ == kNoTask; }
  bool MayWait() const { return Outside() || state_.Of(current_).spec->name == 0; }
  bool IsMine(int task) const { return std::ranges::find(mine_, task) != mine_.end(); }
  bool IsHeld(int task) const { return std::ranges::find(held_, task) != held_.end(); }
  bool IsOpen(int task) const { return task == current_ || IsHeld(task); }
  TaskId IdOf(int task) const { return task == kNoTask ? TaskId() : state_.Of(task).Id(); }
  bool Exists(int task) const { return IdOf(task).IsTask(); }

  // CheckUsable of TaskGraph.
  Answers ToUse(int task) const {
    if (IsMine(task) || task == current_) return 0;
    return state_.Of(task).submitted.load(std::memory_order::relaxed) ? 0 : kNotOwner;
  }
  Answers AsParent(int task) const { return ToUse(task) | (IsOpen(task) ? 0 : kStale); }
  // CheckHeld of TaskGraph, of what is not held by this script.
  Answers NotHeld(int task) const { return kStale | kWrongPhase | (IsMine(task) ? 0 : kNotOwner); }
  Answers Cycle(int task, int other) const { return state_.needs.May(task, other) ? kCycle : 0; }
  Answers Full() const { return state_.program.capacity < kAmple ? kFull : 0; }

  // Compares; returns whether it was a success. A pool that is being shut down refuses what would begin.
  template <class T>
  bool Check(const char* call, int task, const Result<T>& result, Answers expected) {
    const bool closing = state_.cancelling.load(std::memory_order::relaxed);
    const Answers answer = result ? kFine : Code(result.error().code);
    if (closing && answer == kWrongPhase) {
      shut_ = true;
      return false;
    }
    Expect((answer & expected) != 0, call, task,
           result ? "returns success" : ToString(result.error()));
    return result.has_value();
  }

  void Submitted(int task) { state_.Of(task).submitted.store(true, std::memory_order::relaxed); }
  // A wait has submitted everything.
  void AllSubmitted() {
    for (const int task : held_) Submitted(task);
    held_.clear();
  }

  void PlayStep(const Step& step) {
    const whole::ApiCall call(NameOf(step.kind),
                              static_cast<std::uint64_t>(std::max(step.task, 0)));
    switch (step.kind) {
      case StepKind::kAdd:
      case StepKind::kRunLater:
        return Add(step);
      case StepKind::kAddChild:
        return AddChild(step.parent, step.task);
      case StepKind::kDependsOn:
        return DependsOn(step.task, step.dependency);
      case StepKind::kSubmit:
        return Submit(step.task);
      case StepKind::kWait:
        return Wait(step.task);
      case StepKind::kCancel:
        return Cancel(step.task);
      case StepKind::kComplete:
        return Complete(step.task);
      case StepKind::kLook:
        return Look(step.task);
      case StepKind::kPoll:
        return Poll(step.task);
      case StepKind::kLoop:
        return Loop(step.amount);
      case StepKind::kBatch:
        return Batch(step.amount);
      case StepKind::kFrames:
        return Frames(step.amount);
      case StepKind::kBesideFrames:
        return BesideFrames();
      case StepKind::kSignal:
        return Signal();
      case StepKind::kAwait:
        return Await(step.amount);
      case StepKind::kStopDevice:
        state_.device_stopped.store(true, std::memory_order::relaxed);
        Check("StopDevice", kNoTask, pool_.StopDevice("disk"), kFine);
        return;
    }
  }

  void Add(const Step& step) {
    Record& record = state_.Of(step.task);
    const bool later = step.kind == StepKind::kRunLater;
    const int parent = later ? current_ : Exists(step.parent) ? step.parent : kNoTask;
    const int dependency = Exists(step.dependency) ? step.dependency : kNoTask;
    Answers expected = kFine | Full();
    if (dependency != kNoTask) expected |= ToUse(dependency);
    if (parent != kNoTask) expected |= AsParent(parent);
    if (parent != kNoTask && dependency != kNoTask) expected |= Cycle(dependency, parent);
    record.dependency = dependency;
    const Result<TaskId> added =
        later ? RunLater(pool_, {&Works::RunBody, &record}, IdOf(dependency))
              : Works::Add(record, {.parent = IdOf(parent), .dependency = IdOf(dependency)});
    if (!Check("Add", step.task, added, expected)) {
      // What has been refused stays until its dependency is complete, as a submitted task that needs it.
      if (dependency != kNoTask) state_.refused.store(true, std::memory_order::relaxed);
      return;
    }
    record.parent.store(parent, std::memory_order::relaxed);
    record.id.store(added->bits(), std::memory_order::release);
    mine_.push_back(step.task);
    held_.push_back(step.task);
  }

  void AddChild(int parent, int child) {
    if (!Exists(parent) || !Exists(child)) return;
    Record& record = state_.Of(child);
    Answers expected = NotHeld(child);
    if (IsHeld(child)) {
      if (parent == child) {
        expected = kCycle;
      } else if (record.parent.load(std::memory_order::relaxed) != kNoTask) {
        expected = kInvalid;
      } else {
        expected = kFine | AsParent(parent) | Cycle(child, parent);
      }
    }
    if (!Check("AddChild", child, pool_.AddChild(IdOf(parent), IdOf(child)), expected)) return;
    record.parent.store(parent, std::memory_order::relaxed);
  }

  void DependsOn(int task, int dependency) {
    if (!Exists(task) || !Exists(dependency)) return;
    Record& record = state_.Of(task);
    Answers expected = NotHeld(task);
    if (IsHeld(task)) {
      if (record.dependency != kNoTask) {
        expected = ToUse(dependency) | kInvalid;
      } else if (task == dependency) {
        expected = kCycle;
      } else {
        expected = kFine | ToUse(dependency) | Cycle(dependency, task) | Late();
      }
    }
    if (!Check("DependsOn", task, pool_.DependsOn(IdOf(task), IdOf(dependency)), expected)) return;
    record.dependency = dependency;
  }
  // Whether a submitted task may need one that is held here.
  Answers Late() const {
    if (state_.refused.load(std::memory_order::relaxed)) return kWrongPhase;
    const bool late = std::ranges::any_of(mine_, [this](int task) {
      const Record& record = state_.Of(task);
      const int parent = record.parent.load(std::memory_order::relaxed);
      return IsHeld(task) ? parent != kNoTask && !IsHeld(parent)
                          : record.dependency != kNoTask && IsHeld(record.dependency);
    });
    return late ? kWrongPhase : 0;
  }

  void Submit(int task) {
    if (!Exists(task)) return;
    const bool held = IsHeld(task);
    if (held) std::erase(held_, task);
    if (Check("Submit", task, pool_.Submit(IdOf(task)), held ? kFine : NotHeld(task))) {
      Submitted(task);
    }
  }

  void Wait(int task) {
    if (!Exists(task)) return;
    Answers expected = kFine;
    if (!MayWait()) {
      expected = kWrongPhase;
    } else if (!Outside()) {
      if (!IsMine(task)) expected |= kNotOwner;
      expected |= Cycle(task, current_);
    }
    if (!Check("Wait", task, pool_.Wait(IdOf(task)), expected)) return;
    AllSubmitted();
    Expect(pool_.IsComplete(IdOf(task)), "a task that was waited for is complete", task);
    state_.CheckComplete(task);
  }

  void Cancel(int task) {
    if (!Exists(task)) return;
    Record& record = state_.Of(task);
    record.cancel_asked.store(true, std::memory_order::relaxed);
    // Before the call: its creator may submit it meanwhile.
    const Answers expected = kFine | ToUse(task);
    const auto cancelled = pool_.Cancel(IdOf(task));
    if (!Check("Cancel", task, cancelled, expected)) return;
    if (*cancelled) record.cancelled.fetch_add(1, std::memory_order::relaxed);
  }

  void Complete(int task) {
    if (!Exists(task)) return;
    Record& record = state_.Of(task);
    if (record.spec->work == Work::kRequest) return;  // the device's
    const Answers expected =
        ToUse(task) | kStale |
        (record.spec->work == Work::kExternal ? kFine | kWrongPhase : kInvalid);
    if (!Check("CompleteExternal", task, pool_.CompleteExternal(IdOf(task)), expected)) return;
    record.completed.fetch_add(1, std::memory_order::relaxed);
  }

  void Look(int task) {
    if (!Exists(task)) return;
    const bool complete = pool_.IsComplete(IdOf(task));
    Expect(!complete || !IsHeld(task), "a held task is not complete", task);
    if (complete) state_.CheckComplete(task);
  }

  void Poll(int task) {
    if (!Exists(task)) return;
    SubmitHeld();
    while (!pool_.IsComplete(IdOf(task))) EngineSync::Yield();
    state_.CheckComplete(task);
  }

  void Loop(std::uint32_t count) {
    const auto looped = RunLoop(pool_, count);
    const Answers expected = !MayWait() || count == kThrowingLoop ? kWrongPhase : kFine;
    const bool fine = Check("ParallelFor", current_, looped, expected);
    if (fine || (MayWait() && !shut_)) AllSubmitted();
  }

  void Batch(std::uint32_t count) {
    // Whether a batch submits what is held when the pool has no room for it is not said.
    SubmitHeld();
    if (shut_) return;
    Check("JobBatch::Run", current_, RunBatch(pool_, count), MayWait() ? kFine : kWrongPhase);
  }

  void Frames(std::uint32_t count) {
    if (Check("FrameLoop", kNoTask, RunFrames(pool_, count), kFine | Full())) AllSubmitted();
  }
  void BesideFrames() {
    SubmitHeld();
    Check("FrameLoop", kNoTask, RunBesideFrames(pool_, state_.program.workers), kFine | Full());
  }

  void Signal() {
    state_.signals[MainThread() - 1u].store(true, std::memory_order::release);
    pool_.Wake();
  }
  void Await(std::uint32_t main) {
    const auto& signal = state_.signals[main];
    const auto given = [&signal] { return signal.load(std::memory_order::acquire); };
    if (Check("DoWorkWhileWaitingFor", kNoTask, pool_.DoWorkWhileWaitingFor(given), kFine)) {
      AllSubmitted();
    }
  }

  State& state_;
  Pool& pool_;
  const int current_;
  bool shut_ = false;      // the pool has refused something
  std::vector<int> mine_;  // in the order of adding
  std::vector<int> held_;
};

}  // namespace nowait::job_programs

#endif  // NOWAIT_TESTS_WHOLE_JOBS_SCRIPT_RUN_H_
