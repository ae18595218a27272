#include "models/kit/exhaustive/run/exhaustive_machine.h"

#include <fmt/format.h>

#include <limits>

#include "models/kit/exhaustive/graph/allocation.h"
#include "models/kit/program/word.h"

namespace nowait::model {

// --- the execution ---

ExhaustiveMachine::Outcome ExhaustiveMachine::Execute(Manner manner) {
  return Execute(manner, nullptr);
}

ExhaustiveMachine::Outcome ExhaustiveMachine::Execute(Manner manner, ReplayPolicy* policy) {
  traces_ = manner.traces;
  past_failures_ = manner.past_failures;
  threads_only_ = manner.threads_only;
  const Outcome outcome = Run(policy);
  if (traces_) FinishTrace();
  return outcome;
}

ExhaustiveMachine::Outcome ExhaustiveMachine::Run(ReplayPolicy* policy) {
  BeginExecution();
  if (failure_) return Outcome::kFailed;
  phase_ = Phase::kThreads;
  watcher = this;
  thread_locals_.Save();
  execution_.Run(scenario_.threads, *this, policy);
  const bool shares = thread_locals_.RestoreIfChanged();
  watcher = nullptr;
  if (!failure_ && shares) {
    failure_ = Failure{FailureKind::kNondeterminism,
                       "a thread_local object has changed, which all threads share here: use "
                       "PerThread (models/kit/scenario/per_thread.h)",
                       Site()};
  }
  if (failure_) return Outcome::kFailed;
  if (execution_.abandoned()) return Outcome::kBlocked;
  if (!execution_.HasFollowed()) {
    failure_ = Failure{FailureKind::kNondeterminism,
                       "a thread does less when it is run again, or waits for one that does",
                       graph_[execution_.Missing()].site};
    return Outcome::kFailed;
  }
  if (!execution_.AllEnded()) return JudgeBlocked();
  if (threads_only_) return Outcome::kCompleted;
  BeginAfter();
  program_fiber_.Start(RunAfter, this, CrashCatcher::Fail);
  program_fiber_.Resume();
  return failure_ ? Outcome::kFailed : Outcome::kCompleted;
}

void ExhaustiveMachine::BeginExecution() {
  SetCurrentMachine(this, traces_ ? Calls::kKept : Calls::kForgotten);
  phase_ = Phase::kSetUp;
  notifications_.clear();
  recorded_.clear();
  steps_ = 0;
  trace_.Clear();
  failure_.reset();
  failed_at_ = {};
  raced_with_ = {};
  freed_at_.clear();
  shadow_.Clear();
  names_ = {};
  // Not for a body of the library (arena.h), whose set-up may write variables outside of the body.
  if (beginning_.known && !traces_ && watched_allocations == nullptr) {
    RestoreBeginning();
    return;
  }
  arena_.Reset();
  atomics_.clear();
  plains_.clear();
  mutexes_.clear();
  conditions_.clear();
  live_objects_ = 0;
  moments_ = 0;
  memory_.Clear();
  program_fiber_.Start(RunSetUp, this, CrashCatcher::Fail);
  program_fiber_.Resume();
  if (!failure_) SaveBeginning();
}

void ExhaustiveMachine::RunSetUp(void* self) {
  auto& machine = *static_cast<ExhaustiveMachine*>(self);
  EnterRegion(&machine.arena_, kProgramRegion);
  Program* program = machine.scenario_.create().release();
  LeaveArena();
  machine.program_ = program;
}

void ExhaustiveMachine::SaveBeginning() {
  beginning_.known = true;
  beginning_.region = arena_.region(kProgramRegion).Copy();
  beginning_.objects = names_[kMaxThreads];
  beginning_.atomics = atomics_;
  beginning_.plains = plains_;
  beginning_.mutexes = mutexes_;
  beginning_.conditions = conditions_;
  beginning_.live_objects = live_objects_;
  beginning_.moments = moments_;
  beginning_.memory.Become(memory_);
}

void ExhaustiveMachine::RestoreBeginning() {
  for (int t = 0; t < kMaxThreads; ++t) arena_.region(t).Reset();
  arena_.region(kProgramRegion).Restore(beginning_.region);
  names_[kMaxThreads] = beginning_.objects;
  atomics_ = beginning_.atomics;
  plains_ = beginning_.plains;
  mutexes_ = beginning_.mutexes;
  conditions_ = beginning_.conditions;
  live_objects_ = beginning_.live_objects;
  moments_ = beginning_.moments;
  memory_.Become(beginning_.memory);
}

void ExhaustiveMachine::RunAfter(void* self) {
  auto& machine = *static_cast<ExhaustiveMachine*>(self);
  EnterRegion(&machine.arena_, kProgramRegion);
  machine.program_->After();
  delete machine.program_;
  LeaveArena();
  if (machine.live_objects_ != 0 || machine.memory_.LiveBlocks() != 0) {
    machine.failure_ =
        Failure{FailureKind::kLeak, "the scenario left memory or objects behind", Site()};
  }
}

void ExhaustiveMachine::RunThread(int thread) {
  program_->Thread(thread);
  CurrentMachine()->EndThread();
}

// After begins with the state that the threads left.
void ExhaustiveMachine::BeginAfter() {
  for (auto* objects : {&atomics_, &mutexes_, &conditions_}) {
    for (Shared& shared : *objects) {
      if (shared.location == kNoLocation) continue;
      const Slot newest = graph_.location(shared.location).newest;
      shared.value = graph_.ValueOf(shared.location, newest);
      if (newest < recorded_.size()) shared.written_by = recorded_[newest];
      if (objects == &mutexes_ && shared.value == 0) shared.owner = kNobody;
    }
  }
  known_after_ = Clock();
  for (int t = 0; t < scenario_.threads; ++t) known_after_.Include(t, graph_.Length(t));
  phase_ = Phase::kAfter;
}

int ExhaustiveMachine::Thread() const {
  switch (phase_) {
    case Phase::kSetUp:
      return kSetUp;
    case Phase::kThreads:
      return execution_.running();
    case Phase::kAfter:
      return kAfter;
  }
  return kSetUp;
}

// A thread's events advance its count in large steps, and the moments asked for lie between two of
// them. Set-up lies before all of them and After behind all of them, both in thread 0's count.
VectorClock ExhaustiveMachine::Now() {
  constexpr std::uint32_t kStep = 1u << 20;
  constexpr std::uint32_t kMoments = kStep - 1;
  static_assert((Execution::kMaxEvents + 1) * std::uint64_t{kStep} + kMoments <=
                    std::numeric_limits<std::uint32_t>::max(),
                "a moment is a number of 32 bits");
  moments_ = (moments_ + 1) & kMoments;
  VectorClock moment;
  if (phase_ == Phase::kSetUp) {
    moment.clock[0] = moments_;
    return moment;
  }
  const Clock& known = InThreads() ? execution_.known() : known_after_;
  for (int t = 0; t < kMaxThreads; ++t) {
    moment.clock[static_cast<std::size_t>(t)] = (known[t] + 1u) * kStep;
  }
  moment.thread = InThreads() ? execution_.running() : 0;
  moment.clock[static_cast<std::size_t>(moment.thread)] += moments_;
  return moment;
}

unsigned ExhaustiveMachine::Choose(unsigned n) {
  if (!InThreads() || n < 2) return 0;
  constexpr unsigned kMost = std::numeric_limits<decltype(GraphEvent::variant)>::max() + 1u;
  if (n > kMost) {
    GiveUp(FailureKind::kNotFinished,
           fmt::format("a choice among {}, of which {} can be distinguished", n, kMost), Site());
  }
  return graph_[execution_.Step({.effect = Effect::kChoose, .operand = n}, kNoLocation, Site())]
      .variant;
}

void* ExhaustiveMachine::TakeFreedBlock(std::size_t size, std::size_t alignment, const Site& site) {
  const std::optional<ObjectName> blocks = NameOfBlocks(size, alignment);
  if (!InThreads() || !blocks) return nullptr;
  const Slot slot = execution_.Step({.effect = Effect::kAllocate,
                                     .kind = OperationKind::kNew,
                                     .order = std::memory_order::acquire},
                                    graph_.Locate(*blocks, 0), site);
  if (graph_[slot].source == kInitial) return nullptr;
  void* const freed = FromWord<void*>(graph_[slot].read);
  memory_.AllocateAgain(freed);
  return freed;
}

void ExhaustiveMachine::FreeBlock(void* block, const Site& site) {
  const auto [size, alignment] = memory_.ShapeOf(block);
  const std::optional<ObjectName> blocks = NameOfBlocks(size, alignment);
  if (InThreads() && blocks) {
    execution_.Step({.effect = Effect::kFree,
                     .kind = OperationKind::kDelete,
                     .order = std::memory_order::release,
                     .operand = ToWord(block)},
                    graph_.Locate(*blocks, 0), site);
  }
  // Other threads ran meanwhile.
  if (!memory_.IsAllocated(block)) {
    GiveUp(FailureKind::kDoubleFree, "two threads Delete one block", site);
  }
  if (InThreads() && blocks) EndPlainMemory({block, size, true, nullptr});
  if (InThreads()) freed_at_[memory_.NumberOf(block)] = Here();
  memory_.Free(block, Now());
}

void ExhaustiveMachine::Yield(const Site& site) {
  if (!InThreads()) return;
  AddEvent(OperationKind::kYield, 0, ValueType::kOther, std::memory_order::relaxed, site);
  execution_.Yield(site);
}

Event& ExhaustiveMachine::AddEvent(OperationKind kind, ObjectId object, ValueType type,
                                   std::memory_order order, const Site& site) {
  if (!traces_ || execution_.probing()) return untraced_;
  Event& event = trace_.Add(Thread(), kind, site);
  event.object = object;
  event.type = type;
  event.order = order;
  return event;
}

}  // namespace nowait::model
