#include "models/kit/exhaustive/machine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "models/kit/exhaustive/settle.h"

namespace nowait::model {

// --- the execution ---

ExhaustiveMachine::Outcome ExhaustiveMachine::Execute(bool traces) {
  traces_ = traces;
  BeginExecution();
  program_fiber_.Resume();  // up to the end of set-up
  if (failure_) return Outcome::kFailed;
  phase_ = Phase::kThreads;
  execution_.Run(scenario_.threads, *this);
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
  program_fiber_.Resume();
  return failure_ ? Outcome::kFailed : Outcome::kCompleted;
}

void ExhaustiveMachine::BeginExecution() {
  SetCurrentMachine(this);
  phase_ = Phase::kSetUp;
  names_ = {};
  atomics_.clear();
  plains_.clear();
  mutexes_.clear();
  conditions_.clear();
  notifications_.clear();
  recorded_.clear();
  live_objects_ = 0;
  steps_ = 0;
  moments_ = 0;
  memory_.Clear();
  trace_.Clear();
  arena_.Reset();
  failure_.reset();
  program_fiber_.Start(RunProgram, this);
}

void ExhaustiveMachine::RunProgram(void* self) {
  auto& machine = *static_cast<ExhaustiveMachine*>(self);
  EnterRegion(&machine.arena_, kProgramRegion);
  Program* program = machine.scenario_.create().release();
  LeaveArena();
  machine.program_ = program;
  Fiber::Suspend();
  EnterRegion(&machine.arena_, kProgramRegion);
  program->After();
  delete program;
  LeaveArena();
  if (machine.live_objects_ != 0 || machine.memory_.LiveBlocks() != 0) {
    machine.failure_ =
        Failure{FailureKind::kLeak, "the scenario left memory or objects behind", Site()};
  }
}

void ExhaustiveMachine::RunThread(int thread) { program_->Thread(thread); }

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
    if (event.location == kNoLocation) continue;
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

void ExhaustiveMachine::GiveUp(FailureKind kind, const std::string& words, const Site& site) {
  failure_ = Failure{kind, words, site};
  if (InThreads()) execution_.Abandon();
  Fiber::Suspend();
  std::abort();  // nobody resumes it
}

void ExhaustiveMachine::Fail(FailureKind kind, const std::string& words, const Site& site) {
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
  for (int t = 0; t < scenario_.threads; ++t) {
    const unsigned events = InThreads() ? execution_.known()[t] : graph_.Length(t) + 1;
    moment.clock[static_cast<std::size_t>(t)] = (events + 1) * kStep;
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

void ExhaustiveMachine::Yield(const Site& site) {
  if (!InThreads()) return;
  AddEvent(OperationKind::kYield, 0, ValueType::kOther, std::memory_order::relaxed, site);
  execution_.Yield(site);
}

Event& ExhaustiveMachine::AddEvent(OperationKind kind, ObjectId object, ValueType type,
                                   std::memory_order order, const Site& site) {
  // The threads' events are counted one by one, those before and after them are not.
  constexpr std::uint32_t kMaxSteps = 50'000;
  if (++steps_ == kMaxSteps) {
    GiveUp(FailureKind::kLivelock, "a loop without an end before or after the threads", site);
  }
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
  shared.name = static_cast<ObjectName>(maker) << 24 | count++;
  shared.value = value;
  shared.type = type;
  shared.made = Here();
  if (InThreads()) shared.life.Begin(shared.made);
  ++live_objects_;
  return static_cast<ObjectId>(objects.size());
}

void ExhaustiveMachine::End(Shared& shared, const char* words) {
  if (InThreads() && !shared.life.Write(Here(), execution_.known())) {
    GiveUp(FailureKind::kDataRace, words, Site());
  }
  shared.alive = false;
  --live_objects_;
}

ExhaustiveMachine::Shared& ExhaustiveMachine::Touch(Shared& shared, const Site& site) {
  if (!shared.alive) GiveUp(FailureKind::kUseAfterFree, "an atomic is used after its end", site);
  if (!InThreads()) return shared;
  if (!shared.made.IsBefore(execution_.running(), execution_.known())) {
    GiveUp(FailureKind::kUninitialized,
           "an atomic is used and nothing orders that after its construction", site);
  }
  if (!shared.life.Read(Here(), execution_.known())) {
    GiveUp(FailureKind::kDataRace, "an atomic is used and nothing orders that before its end",
           site);
  }
  if (shared.location == kNoLocation) shared.location = graph_.Locate(shared.name, shared.value);
  return shared;
}

const GraphEvent& ExhaustiveMachine::StepAlone(Shared& shared, const Request& request) {
  alone_.request = request;
  alone_.read = shared.value;
  Settle(alone_);
  if (alone_.writes) shared.value = alone_.written;
  return alone_;
}

const GraphEvent& ExhaustiveMachine::Step(Shared& shared, const Request& request,
                                          const Site& site) {
  Touch(shared, site);
  if (!InThreads()) return StepAlone(shared, request);
  const LocationIndex location = shared.location;
  return graph_[execution_.Step(request, location, site)];
}

// In the trace. Of an event of the threads also its number, for who reads from it.
void ExhaustiveMachine::Record(ObjectId object, Shared& shared, const GraphEvent& done,
                               const Site& site) {
  if (!traces_) return;
  Event& event = AddEvent(done.request.kind, object, shared.type, done.order, site);
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
  End(atomics_[object - 1], "an atomic ends and nothing orders that after its last use");
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

ObjectId ExhaustiveMachine::NewPlain(const Site&) {
  Accesses& accesses = plains_.emplace_back();
  if (InThreads()) accesses.Begin(Here());
  ++live_objects_;
  return static_cast<ObjectId>(plains_.size());
}

void ExhaustiveMachine::DeletePlain(ObjectId object) {
  if (InThreads() && !plains_[object - 1].Write(Here(), execution_.known())) {
    GiveUp(FailureKind::kDataRace, "a plain datum ends and nothing orders that after its last use",
           Site());
  }
  --live_objects_;
}

void ExhaustiveMachine::ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) {
  Event& event =
      AddEvent(OperationKind::kPlainRead, object, type, std::memory_order::relaxed, site);
  event.reads = true;
  event.read = value;
  if (InThreads() && !plains_[object - 1].Read(Here(), execution_.known())) {
    GiveUp(FailureKind::kDataRace, "a plain read and another thread's write are not ordered", site);
  }
}

void ExhaustiveMachine::WritePlain(ObjectId object, Word value, ValueType type, const Site& site) {
  Event& event =
      AddEvent(OperationKind::kPlainWrite, object, type, std::memory_order::relaxed, site);
  event.writes = true;
  event.written = value;
  if (InThreads() && !plains_[object - 1].Write(Here(), execution_.known())) {
    GiveUp(FailureKind::kDataRace, "a plain write and another thread's access are not ordered",
           site);
  }
}

}  // namespace nowait::model
