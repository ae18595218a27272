// ScriptRun: plays a script on a pool, and compares each call's answer with its header.
//
// The answers that a call may give depend on what the script knows for certain:
//   mine     it has added the task; then nobody else changes it while it is held
//   held     mine, and neither submitted by a step nor by a wait
//   open     held, or the task that the script itself is the work of
// Of all others it knows what their creators have recorded (Record). Where that leaves several
// answers, each of them is accepted; the promise of an accepted answer is checked in any case.
#ifndef NOWAIT_TESTS_WHOLE_JOBS_SCRIPT_RUN_H_
#define NOWAIT_TESTS_WHOLE_JOBS_SCRIPT_RUN_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_later.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "tests/whole/jobs/loops.h"
#include "tests/whole/jobs/priority_order.h"
#include "tests/whole/jobs/shared_state.h"
#include "tests/whole/jobs/work.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/fault_scope.h"

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
  bool MayWait() const { return Outside() || !state_.Of(current_).spec->IsNamed(); }
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

  // Compares; returns whether it was a success. A pool that is being shut down refuses what would
  // begin.
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
    // Each helps once at most.
    state_.order.MayLook(RunsOthers(step.kind) ? TaskScheduler<>::kTurn : kLooksInVain);
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
      case StepKind::kWaitUntil:
        return WaitUntil(step.task, step.amount);
      case StepKind::kWaitFrom:
        return WaitFrom(step.task, step.amount);
      case StepKind::kCancel:
        return Cancel(step.task);
      case StepKind::kComplete:
        return Complete(step.task);
      case StepKind::kLook:
        return Look(step.task);
      case StepKind::kPoll:
        return Poll(step.task);
      case StepKind::kLoop:
        return Loop(step.amount, Throws(step));
      case StepKind::kBatch:
        return Batch(step.amount, Throws(step));
      case StepKind::kFrames:
        return RunFrames(step.amount, Throws(step));
      case StepKind::kBesideFrames:
        return BesideFrames();
      case StepKind::kSignal:
        return Signal();
      case StepKind::kAwait:
        return Await(step.amount, Throws(step));
      case StepKind::kStopDevice:
        state_.device_stopped.store(true, std::memory_order::relaxed);
        Check("StopDevice", kNoTask, pool_.StopDevice("disk"), kFine);
        return;
      case StepKind::kFill:
        return Fill();
      case StepKind::kStranger:
        return Stranger(step.task, step.amount);
      case StepKind::kSecond:
        return UseSecond(step.amount);
      case StepKind::kWaitForAll:
        return WaitForAll({step.task, step.parent, step.dependency});
    }
  }
  // Whether it runs what is no task of the program.
  static bool RunsOthers(StepKind kind) {
    return kind == StepKind::kLoop || kind == StepKind::kBatch || kind == StepKind::kFrames;
  }
  Reports* Throws(const Step& step) { return step.throws ? &state_.elsewhere : nullptr; }

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
      // A refused task stays until its dependency is complete, as a submitted task that
      // needs it.
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

  // The answers of a wait without limits.
  Answers ToWait(int task) const {
    if (!MayWait()) return kWrongPhase;
    if (Outside()) return kFine;
    return kFine | (IsMine(task) ? 0 : kNotOwner) | Cycle(task, current_);
  }
  void Wait(int task) {
    if (!Exists(task)) return;
    if (Outside()) state_.order.WaitsFor(task);
    const auto waited = pool_.Wait(IdOf(task));
    if (Outside()) state_.order.WaitsFor(kNoTask);
    if (Check("Wait", task, waited, ToWait(task))) HasWaited(task);
  }
  void WaitUntil(int task, std::uint32_t tens) {
    if (!Exists(task)) return;
    if (Outside()) state_.order.WaitsFor(task);
    // Also for the look after the time.
    state_.order.MayLook(kLooksInVain);
    const auto until = EngineSync::clock::now() + std::chrono::microseconds(10 * tens);
    const auto waited = WaitWithin(task, {.until = until});
    if (Outside()) state_.order.WaitsFor(kNoTask);
    if (!waited && waited.error().code == ErrorCode::kTimeout) {
      Expect(EngineSync::clock::now() >= until, "a wait does not give up before its time", task);
      // It has submitted everything, and nothing is lost.
      AllSubmitted();
      return Wait(task);
    }
    if (Check("Wait", task, waited, ToWait(task))) HasWaited(task);
  }
  void WaitFrom(int task, std::uint32_t priority) {
    if (!Exists(task)) return;
    // Needed tasks go before others that are more urgent.
    const typename PriorityOrder<Pool>::Inside unjudged(state_.order);
    const auto waited = WaitWithin(task, {.from = static_cast<Priority>(priority)});
    if (Check("Wait", task, waited, ToWait(task))) HasWaited(task);
  }
  Result<void> WaitWithin(int task, const WaitLimits& limits) {
    return whole::AskTwice(
        [&] { return whole::MeetingFaults([&] { return pool_.Wait(IdOf(task), limits); }); });
  }
  void HasWaited(int task) {
    AllSubmitted();
    Expect(pool_.IsComplete(IdOf(task)), "a task that was waited for is complete", task);
    state_.CheckComplete(task);
  }

  void WaitForAll(const std::array<int, 3>& named) {
    // Of the tasks that exist before the call: another script may add one meanwhile.
    std::vector<int> tasks;
    std::vector<TaskId> ids;
    Answers expected = kFine | Full();
    for (const int task : named) {
      if (!Exists(task)) continue;
      expected |= ToUse(task);
      tasks.push_back(task);
      ids.push_back(IdOf(task));
    }
    const auto all = pool_.WhenAll(ids);
    if (!Check("WhenAll", named[0], all, expected)) {
      // Submitted empty tasks may need what is held here.
      state_.refused.store(true, std::memory_order::relaxed);
      return;
    }
    if (!Check("Wait", named[0], pool_.Wait(*all), kFine)) return;
    AllSubmitted();
    for (const int task : tasks) {
      Expect(pool_.IsComplete(IdOf(task)), "each task of WhenAll is complete", task);
      state_.CheckComplete(task);
    }
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

  void Loop(std::uint32_t count, Reports* throws) {
    // A loop without a task does not wait, and submits nothing.
    if (Full() != 0) SubmitHeld();
    if (shut_) return;
    const auto looped = RunLoop(pool_, count, throws);
    const Answers expected = !MayWait() || throws != nullptr ? kWrongPhase : kFine;
    const bool fine = Check("ParallelFor", current_, looped, expected);
    if (fine || (MayWait() && !shut_)) AllSubmitted();
  }

  void Batch(std::uint32_t count, Reports* throws) {
    // Whether a batch submits what is held when the pool has no room for it is not said.
    SubmitHeld();
    if (shut_) return;
    Check("JobBatch::Run", current_, RunBatch(pool_, count, throws),
          MayWait() && throws == nullptr ? kFine : kWrongPhase);
  }

  void RunFrames(std::uint32_t count, Reports* throws) {
    // A loop that ends for want of room may have waited before, and has submitted what is held, or
    // not.
    if (Full() != 0) SubmitHeld();
    if (shut_) return;
    const auto ran = Frames<Queues>(pool_, throws).Run(count);
    if (Check("FrameLoop", kNoTask, ran, kFine | Full())) AllSubmitted();
  }
  void BesideFrames() {
    SubmitHeld();
    Check("FrameLoop", kNoTask, RunBesideFrames(pool_, state_.program.workers), kFine | Full());
  }

  void Signal() {
    state_.signals[MainThread() - 1u].store(true, std::memory_order::release);
    pool_.Wake();
  }
  void Await(std::uint32_t main, Reports* throws) {
    const auto& signal = state_.signals[main];
    const auto given = [&signal, throws] {
      if (throws != nullptr) Throw(*throws, kNoTask);
      return signal.load(std::memory_order::acquire);
    };
    Check("DoWorkWhileWaitingFor", kNoTask, pool_.DoWorkWhileWaitingFor(given),
          throws == nullptr ? kFine : kWrongPhase);
    AllSubmitted();
  }

  // The work that it makes is complete when this script's next wait, or its end, has submitted it.
  void Fill() {
    for (bool room = true; room;) {
      room = Check("AddEmpty", kNoTask, pool_.AddEmpty(), kFine | kFull);
    }
  }

  // A call with an id of the second pool.
  void Stranger(int task, std::uint32_t which) {
    // acquire: as Record::Id.
    const TaskId stranger = TaskId::FromBits(state_.stranger.load(std::memory_order::acquire));
    if (!stranger.IsTask()) return;
    const TaskId own = IdOf(task);
    const auto refuse = [&](const char* call, const auto& result, Answers expected) {
      Check(call, task, result, expected);
    };
    switch (which % kStrangerCalls) {
      case 0:
        return refuse("Submit", pool_.Submit(stranger), kInvalid);
      case 1:
        return refuse("Wait", pool_.Wait(stranger), MayWait() ? kInvalid : kWrongPhase);
      case 2:
        return refuse("Cancel", pool_.Cancel(stranger), kInvalid);
      case 3:
        return refuse("CompleteExternal", pool_.CompleteExternal(stranger), kInvalid);
      case 4:
        return refuse("Add", pool_.Add({.parent = stranger}), kInvalid | Full());
      case 5:
        return refuse("Add", pool_.Add({.dependency = stranger}), kInvalid);
      default:
        break;
    }
    if (!own.IsTask()) return;
    const Answers expected = IsHeld(task) ? kInvalid : NotHeld(task);
    switch (which % kStrangerCalls) {
      case 6:
        return refuse("AddChild", pool_.AddChild(stranger, own), expected);
      case 7:
        return refuse("DependsOn", pool_.DependsOn(own, stranger), expected);
      default:
        return refuse("AddChild", pool_.AddChild(own, stranger), kInvalid);
    }
  }

  void UseSecond(std::uint32_t count) {
    if (MainThread() != 1 || state_.second == nullptr) return;
    TaskId of_first;
    for (const Record& record : state_.records) {
      of_first = record.Id();
      if (of_first.IsTask()) break;
    }
    const TaskId made = state_.second->Use(count, of_first);
    // release: as Record::id.
    state_.stranger.store(made.bits(), std::memory_order::release);
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
