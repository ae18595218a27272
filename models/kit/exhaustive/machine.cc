#include "models/kit/exhaustive/machine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "models/kit/exhaustive/allocation.h"
#include "models/kit/exhaustive/settle.h"
#include "models/kit/word.h"

namespace nowait::model {

// --- the execution ---

ExhaustiveMachine::Outcome ExhaustiveMachine::Execute(Manner manner) {
  return Execute(manner, nullptr);
}

ExhaustiveMachine::Outcome ExhaustiveMachine::Execute(Manner manner, Conductor* conductor) {
  traces_ = manner.traces;
  past_failures_ = manner.past_failures;
  const Outcome outcome = Run(conductor);
  if (traces_) FinishTrace();
  return outcome;
}

ExhaustiveMachine::Outcome ExhaustiveMachine::Run(Conductor* conductor) {
  BeginExecution();
  if (failure_) return Outcome::kFailed;
  phase_ = Phase::kThreads;
  watcher = this;
  execution_.Run(scenario_.threads, *this, conductor);
  watcher = nullptr;
  if (failure_) return Outcome::kFailed;
  if (execution_.abandoned()) return Outcome::kBlocked;
  if (!execution_.HasFollowed()) {
    failure_ =
        Failure{FailureKind::kNondeterminism,
                "a thread does less when it is run again, or waits for one that does", Site()};
    return Outcome::kFailed;
  }
  if (!execution_.AllEnded()) return JudgeBlocked();
  BeginAfter();
  program_fiber_.Start(RunAfter, this);
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
  if (beginning_.known && !traces_) {
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
  program_fiber_.Start(RunSetUp, this);
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

// What the threads left is what After begins with.
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

// Whether whatever the thread waits for has not come, in this graph, for good. If there is a newer
// value that it has not seen, then another graph is the one in which it has.
bool ExhaustiveMachine::IsStuck(int thread) const {
  const auto is_newest = [&](const GraphEvent& event) {
    return graph_.PlaceOf(event) + 1 == graph_.location(event.location).writes;
  };
  const Slot slot = execution_.BlockedAt(thread);
  if (execution_.state(thread) != Execution::State::kSpinning) {
    const GraphEvent& event = graph_[slot];
    return event.request.effect == Effect::kReadUnlessEqual ? AreLost(graph_, notifications_)
                                                            : is_newest(event);
  }
  // It changes nothing itself, and reads the same again if the newest value is what it read: other
  // threads that spin may have written it anew.
  const unsigned last = graph_[slot].index;
  for (unsigned i = last + 1 - execution_.RoundOf(thread); i <= last; ++i) {
    const GraphEvent& event = graph_[graph_.At(thread, i)];
    if (event.location == kNoLocation || IsOfMemory(event.request.effect)) continue;
    const Slot newest = graph_.location(event.location).newest;
    if (graph_.ValueOf(event.location, newest) != event.read) return false;
  }
  return true;
}

ExhaustiveMachine::Outcome ExhaustiveMachine::JudgeBlocked() {
  std::string words;
  Site site;
  bool spins = false;
  for (int t = 0; t < scenario_.threads; ++t) {
    const Execution::State state = execution_.state(t);
    if (state == Execution::State::kEnded) continue;
    if (!IsStuck(t)) return Outcome::kBlocked;
    const bool in_yield = state == Execution::State::kSpinning;
    spins = spins || in_yield;
    site = in_yield ? execution_.PlaceOf(t) : graph_[execution_.BlockedAt(t)].site;
    words += fmt::format("\nthread {} {} at {}", t, in_yield ? "tries in vain" : "waits",
                         model::Format(site));
  }
  failure_ = Failure{spins ? FailureKind::kLivelock : FailureKind::kDeadlock,
                     (spins ? "no thread gets any further" : "every thread waits") + words, site};
  return Outcome::kFailed;
}

// Of several threads that fail, the first one's failure is the execution's. What can be said of
// executions ends with one that is no verdict.
void ExhaustiveMachine::GiveUp(FailureKind kind, const std::string& words, const Site& site) {
  if (!failure_) {
    failure_ = Failure{kind, words, site, Thread()};
    failed_at_ = Here();
  }
  if (InThreads() && past_failures_ && IsVerdict(kind)) execution_.Stop();
  if (InThreads()) execution_.Abandon();
  Fiber::Suspend();
  std::abort();  // nobody resumes it
}

void ExhaustiveMachine::Fail(FailureKind kind, const std::string& words, const Site& site) {
  if (kind == FailureKind::kUseAfterFree && !failure_ && InThreads() && !trace_.empty()) {
    const Event& use = trace_[trace_.last()];
    if (use.kind == OperationKind::kUse) raced_with_ = freed_at_[use.object];
  }
  GiveUp(kind, words, site);
}

void ExhaustiveMachine::FailReplay(const char* words, const Site& site) {
  GiveUp(FailureKind::kNondeterminism, words, site);
}

void ExhaustiveMachine::FailLength(const Site& site) {
  GiveUp(FailureKind::kNotFinished,
         fmt::format("a thread of more than {} steps: a loop that waits and does not yield?",
                     Execution::kMaxEvents),
         site);
}

Clock ExhaustiveMachine::LeadsToFailure() const {
  Clock past;
  const auto include = [&](const Epoch& step) {
    if (step.done > 0) past.Join(graph_[graph_.At(step.thread, step.done - 1)].porf);
  };
  if (failed_at_.thread >= 0) {
    include(failed_at_);
    include(raced_with_);
    return past;
  }
  for (int t = 0; t < scenario_.threads; ++t) {
    if (graph_.Length(t) > 0) past.Include(t, graph_.Length(t) - 1);
  }
  return past;
}

void ExhaustiveMachine::NoteRace(const Accesses& accesses) {
  if (!failure_ && InThreads()) {
    raced_with_ = accesses.RacedWith(execution_.running(), execution_.known());
  }
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

// A thread's events count in large steps, and between two of them the moments that were asked for:
// before all of them lies set-up, after all of them After, both in thread 0's count.
Moment ExhaustiveMachine::Now() {
  constexpr std::uint32_t kStep = 1u << 20;
  constexpr std::uint32_t kMoments = kStep - 1;
  moments_ = (moments_ + 1) & kMoments;
  Moment moment;
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
  // Others ran meanwhile.
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
  if (!traces_) return untraced_;
  Event& event = trace_.Add(Thread(), kind, site);
  event.object = object;
  event.type = type;
  event.order = order;
  return event;
}

// --- objects ---

ObjectId ExhaustiveMachine::NewShared(std::vector<Shared>& objects, Word value, ValueType type) {
  Shared& shared = objects.emplace_back();
  const int maker = InThreads() ? execution_.running() : kMaxThreads;
  ObjectName& count = names_[static_cast<std::size_t>(maker)];
  shared.name = NameOf(maker, count++);
  shared.value = value;
  shared.type = type;
  shared.made = Here();
  if (InThreads()) shared.life.Begin(shared.made);
  ++live_objects_;
  return static_cast<ObjectId>(objects.size());
}

void ExhaustiveMachine::End(Shared& shared, OperationKind kind, ObjectId object,
                            const char* words) {
  if (InThreads() && !shared.life.Write(Here(), execution_.known())) {
    AddEvent(kind, object, shared.type, std::memory_order::relaxed, Site());
    NoteRace(shared.life);
    GiveUp(FailureKind::kDataRace, words, Site());
  }
  shared.alive = false;
  --live_objects_;
}

ExhaustiveMachine::Shared& ExhaustiveMachine::Touch(Shared& shared, const Site& site) {
  if (!shared.alive) {
    NoteRace(shared.life);
    GiveUp(FailureKind::kUseAfterFree, "an atomic is used after its end", site);
  }
  if (!InThreads()) return shared;
  if (!shared.made.IsBefore(execution_.running(), execution_.known())) {
    GiveUp(FailureKind::kUninitialized,
           "an atomic is used and nothing orders that after its construction", site);
  }
  if (!shared.life.Read(Here(), execution_.known())) {
    NoteRace(shared.life);
    GiveUp(FailureKind::kDataRace, "an atomic is used and nothing orders that before its end",
           site);
  }
  if (shared.location == kNoLocation) shared.location = graph_.Locate(shared.name, shared.value);
  return shared;
}

void ExhaustiveMachine::FailSteps(const Site& site) {
  GiveUp(FailureKind::kLivelock,
         InThreads() ? "a loop without an end over plain data"
                     : "a loop without an end before or after the threads",
         site);
}

const GraphEvent& ExhaustiveMachine::StepAlone(Shared& shared, const Request& request,
                                               const Site& site) {
  CountStep(site);
  alone_.request = request;
  alone_.read = shared.value;
  Settle(alone_);
  if (alone_.writes) shared.value = alone_.written;
  return alone_;
}

const GraphEvent& ExhaustiveMachine::Step(Shared& shared, const Request& request,
                                          const Site& site) {
  Touch(shared, site);
  if (!InThreads()) return StepAlone(shared, request, site);
  const LocationIndex location = shared.location;
  return graph_[execution_.Step(request, location, site)];
}

// In the trace. Of an event of the threads also its number, for who reads from it.
void ExhaustiveMachine::Record(ObjectId object, Shared& shared, const GraphEvent& done,
                               const Site& site) {
  if (!traces_) return;
  Event& event = AddEvent(done.request.kind, object, shared.type, done.order, site);
  event.success = done.request.order;
  event.failure = done.request.failure;
  event.reads = done.reads;
  event.writes = done.writes;
  event.read = done.read;
  event.written = done.written;
  event.failed = done.request.effect == Effect::kExchangeIfEqual && !done.writes;
  event.spurious = done.variant != 0;
  if (!InThreads()) {
    if (done.reads) event.from = shared.written_by;
    if (done.writes) shared.written_by = trace_.last();
    return;
  }
  const Slot slot = graph_.At(done.thread, done.index);
  if (recorded_.size() <= slot) recorded_.resize(slot + 1u);
  recorded_[slot] = trace_.last();
  if (!done.reads) return;
  event.from = done.source == kInitial ? shared.written_by : recorded_[done.source];
  event.stale = graph_.PlaceOf(done) + 1 != graph_.location(done.location).writes && !done.writes;
}

// --- atomics ---

ObjectId ExhaustiveMachine::NewAtomic(Word value, ValueType type, const Site& site) {
  const ObjectId object = NewShared(atomics_, value, type);
  Event& event = AddEvent(OperationKind::kStore, object, type, std::memory_order::relaxed, site);
  event.writes = true;
  event.written = value;
  atomics_.back().written_by = trace_.last();
  return object;
}

void ExhaustiveMachine::DeleteAtomic(ObjectId object) {
  End(atomics_[object - 1], OperationKind::kEndAtomic, object,
      "an atomic ends and nothing orders that after its last use");
}

Word ExhaustiveMachine::Load(ObjectId object, std::memory_order order, const Site& site) {
  sites_->Hit(site, OperationKind::kLoad, order, order);
  const GraphEvent& event =
      Step(atomics_[object - 1],
           {.effect = Effect::kRead, .kind = OperationKind::kLoad, .order = order}, site);
  Record(object, atomics_[object - 1], event, site);
  return event.read;
}

void ExhaustiveMachine::Store(ObjectId object, Word value, std::memory_order order,
                              const Site& site) {
  sites_->Hit(site, OperationKind::kStore, order, order);
  const GraphEvent& event = Step(
      atomics_[object - 1],
      {.effect = Effect::kWrite, .kind = OperationKind::kStore, .order = order, .operand = value},
      site);
  Record(object, atomics_[object - 1], event, site);
}

bool ExhaustiveMachine::CompareExchange(ObjectId object, Word& expected, Word desired, bool weak,
                                        std::memory_order success, std::memory_order failure,
                                        const Site& site) {
  sites_->Hit(site, OperationKind::kCompareExchange, success, failure);
  const GraphEvent& event = Step(atomics_[object - 1],
                                 {.effect = Effect::kExchangeIfEqual,
                                  .kind = OperationKind::kCompareExchange,
                                  .weak = weak,
                                  .order = success,
                                  .failure = failure,
                                  .expected = expected,
                                  .operand = desired},
                                 site);
  Record(object, atomics_[object - 1], event, site);
  if (!event.writes) expected = event.read;
  return event.writes;
}

Word ExhaustiveMachine::ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine,
                                        Word operand, std::memory_order order, const Site& site) {
  sites_->Hit(site, kind, order, order);
  const GraphEvent& event = Step(atomics_[object - 1],
                                 {.effect = Effect::kUpdate,
                                  .kind = kind,
                                  .order = order,
                                  .operand = operand,
                                  .combine = combine},
                                 site);
  Record(object, atomics_[object - 1], event, site);
  return event.read;
}

void ExhaustiveMachine::Fence(std::memory_order order, const Site& site) {
  sites_->Hit(site, OperationKind::kFence, order, order);
  if (InThreads() && order != std::memory_order::relaxed) {
    execution_.Step({.effect = Effect::kFence, .kind = OperationKind::kFence, .order = order},
                    kNoLocation, site);
  }
  AddEvent(OperationKind::kFence, 0, ValueType::kOther, order, site);
}

// --- plain data ---

// What the running thread leaves in a datum follows from its past. So that the next one that it
// leaves is another, leaving it becomes part of that.
void ExhaustiveMachine::Leave(Accesses& accesses) {
  execution_.Observe(1);
  accesses.SetContent(execution_.past().hash());
}

ObjectId ExhaustiveMachine::NewPlain(const Site&) {
  Accesses& accesses = plains_.emplace_back();
  if (InThreads()) {
    accesses.Begin(Here());
    Leave(accesses);
  }
  ++live_objects_;
  return static_cast<ObjectId>(plains_.size());
}

void ExhaustiveMachine::DeletePlain(ObjectId object) {
  if (InThreads() && !plains_[object - 1].Write(Here(), execution_.known())) {
    AddEvent(OperationKind::kEndPlain, object, ValueType::kOther, std::memory_order::relaxed,
             Site());
    NoteRace(plains_[object - 1]);
    GiveUp(FailureKind::kDataRace, "a plain datum ends and nothing orders that after its last use",
           Site());
  }
  --live_objects_;
}

void ExhaustiveMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  CountStep(site);
  if (traces_) {
    Event& event =
        AddEvent(OperationKind::kPlainRead, object, type, std::memory_order::relaxed, site);
    event.reads = true;
    event.read = value;
  }
  if (!InThreads()) return;
  Accesses& accesses = plains_[object - 1];
  if (!accesses.Read(Here(), execution_.known())) {
    NoteRace(accesses);
    GiveUp(FailureKind::kDataRace, "a plain read and another thread's write are not ordered", site);
  }
  execution_.Observe(accesses.content());
}

void ExhaustiveMachine::WritePlain(ObjectId object, Word value, ValueType type, const Site& site) {
  CountStep(site);
  if (traces_) {
    Event& event =
        AddEvent(OperationKind::kPlainWrite, object, type, std::memory_order::relaxed, site);
    event.writes = true;
    event.written = value;
  }
  if (!InThreads()) return;
  Accesses& accesses = plains_[object - 1];
  if (!accesses.Write(Here(), execution_.known())) {
    NoteRace(accesses);
    GiveUp(FailureKind::kDataRace, "a plain write and another thread's access are not ordered",
           site);
  }
  Leave(accesses);
}

}  // namespace nowait::model
