#include "models/kit/exhaustive/run/execution.h"

#include <algorithm>
#include <cstdlib>

#include "models/kit/exhaustive/graph/evaluate.h"
#include "models/kit/exhaustive/run/crash_catcher.h"

namespace nowait::model {
namespace {

// Whether the event changes the value of its location. Freeing a block changes nothing for a
// waiting thread.
bool ChangesValue(const GraphEvent& event) {
  return event.writes && event.request.effect != Effect::kFree &&
         !(event.reads && event.read == event.written);
}

// Whether a waiting loop repeats itself in these two events. A block that it temporarily had does
// not matter; the use of a block's address shows in other events.
bool IsSameAgain(const GraphEvent& a, const GraphEvent& b) {
  if (a.location != b.location) return false;
  if (IsOfMemory(a.request.effect)) return a.request.effect == b.request.effect;
  return a.request == b.request && a.read == b.read && a.variant == b.variant;
}

// Whether the operation makes other threads wait, or waits for them.
bool IsOfWaiting(Effect effect) {
  return effect == Effect::kAcquireLock || effect == Effect::kTryLock || effect == Effect::kSleep ||
         effect == Effect::kWakeUp || effect == Effect::kReadUnlessEqual;
}

}  // namespace

void Execution::Main(void* self) {
  auto& execution = *static_cast<Execution*>(self);
  EnterRegion(&execution.arena_, execution.running_);
  execution.program_->RunThread(execution.running_);
  LeaveArena();
  if (execution.probing()) execution.LeaveLoop();
  execution.threads_[Index(execution.running_)].state = State::kEnded;
}

bool Execution::CanRun(const Thread& thread) const {
  return thread.state == State::kRunnable ||
         (thread.state == State::kWaitsForSource && IsDone(thread.awaited));
}

void Execution::Resume(int thread) {
  running_ = thread;
  threads_[Index(thread)].state = State::kRunnable;
  threads_[Index(thread)].fiber.Resume();
}

void Execution::Suspend(State state) {
  threads_[Index(running_)].state = state;
  Fiber::Suspend();
}

void Execution::Abandon() {
  abandoned_ = true;
  Fiber::Suspend();
  std::abort();  // never resumed
}

void Execution::Stop() {
  stopped_ = true;
  Suspend(State::kStopped);
  std::abort();  // never resumed
}

void Execution::Run(int threads, Threads& program, ReplayPolicy* policy) {
  count_ = threads;
  program_ = &program;
  policy_ = policy;
  probe_.Cancel();
  extends_ = false;
  stopped_ = false;
  abandoned_ = false;
  for (int t = 0; t < count_; ++t) {
    Thread& thread = threads_[Index(t)];
    thread.fiber.Start(Main, this, CrashCatcher::Fail);
    thread.state = State::kRunnable;
    thread.done = 0;
    observations_.Begin(t);
    thread.yielded_at = Site();
    thread.yielded_after = 0;
    thread.idle_yields = 0;
    thread.gives_way = false;
    thread.yields.clear();
  }
  if (policy_ != nullptr) {
    for (int t = policy_->Next(*this); t != kNobody && !abandoned_; t = policy_->Next(*this)) {
      Resume(t);
    }
    return;
  }
  FollowGraph();
  if (stopped_ && !HasFollowed()) return;
  extends_ = true;
  for (int t = Next(); t != kNobody && !abandoned_; t = Next()) Resume(t);
}

void Execution::FollowGraph() {
  for (bool moved = true; moved && !abandoned_;) {
    moved = false;
    for (int t = 0; t < count_ && !abandoned_; ++t) {
      if (!CanRun(threads_[Index(t)])) continue;
      Resume(t);
      moved = true;
    }
  }
}

bool Execution::MustWait(int thread) const {
  return model::MustWait(graph_, thread, RequestOf(thread), LocationOf(thread));
}

// Chooses the next thread at the end of the graph: a function of the graph alone, as the search
// needs.
int Execution::Next() const {
  int yields = kNobody;
  int waits = kNobody;
  for (int t = 0; t < count_; ++t) {
    const Thread& thread = threads_[Index(t)];
    if (thread.state != State::kAtFrontier) continue;
    if (model::MustWait(graph_, t, *thread.request, thread.location)) {
      if (waits == kNobody) waits = t;
    } else if (!thread.gives_way) {
      return t;
    } else if (yields == kNobody || LastOf(t) < LastOf(yields)) {
      yields = t;
    }
  }
  return yields != kNobody ? yields : waits;
}

// The slot of the thread's last event, plus one.
int Execution::LastOf(int thread) const {
  const unsigned events = graph_.Length(thread);
  return events == 0 ? 0 : graph_.At(thread, events - 1) + 1;
}

// Adds the event that the graph lacks, on the thread's turn.
void Execution::Extend(const Request& request, LocationIndex location, const Site& site) {
  Thread& self = threads_[Index(running_)];
  self.request = &request;
  self.location = location;
  self.state = State::kAtFrontier;
  if (!extends_ || Next() != running_) Suspend(State::kAtFrontier);
  self.state = State::kRunnable;
  if (self.done == kMaxEvents) program_->FailLength(site);
  if (extends_) {
    extension_.Add(graph_, running_, request, location, site, observations_);
  } else {
    policy_->Add(graph_, running_, request, location, site);
  }
}

Slot Execution::Step(const Request& request, LocationIndex location, const Site& site) {
  if (probing()) return StepAgain(request, location);
  Thread& self = threads_[Index(running_)];
  if (self.done == graph_.Length(running_)) Extend(request, location, site);
  const Slot slot = graph_.At(running_, self.done);
  const GraphEvent& event = graph_[slot];
  if (event.location != location || event.request != request) {
    program_->FailReplay("a thread does something else when it is run again", site);
  }
  if (event.source != kInitial && !IsDone(event.source)) {
    self.awaited = event.source;
    Suspend(State::kWaitsForSource);
  }
  if (graph_[slot].blocks) {
    if (BeginsTries(graph_[slot])) return slot;
    Suspend(State::kBlocked);
  }
  ++self.done;
  self.idle_yields = 0;
  self.gives_way = false;
  observations_.Perform(graph_[slot]);
  return slot;
}

void Execution::Yield(const Site& site) {
  if (probing()) return YieldAgain(site);
  Thread& self = threads_[Index(running_)];
  const bool again = IsSamePlace(self.yielded_at, site);
  if (self.done == self.yielded_after) {
    if (++self.idle_yields == kMaxEvents) program_->FailLength(site);
  } else if (again && RepeatsRound(running_)) {
    // The steps after the graph's events are not yet known here.
    if (self.done < graph_.Length(running_)) {
      program_->FailReplay("a thread continues where it was blocked before", site);
    }
    // The thread continues as a probe, and is blocked when the probe ends.
    if (BeginsProbe(LoopProbe::Of::kYields, site, self.yielded_after, self.done)) return;
    Spin();
  }
  self.gives_way = true;
  self.yields.push_back({self.done, site});
  self.yielded_at = site;
  self.yielded_after = self.done;
}

// Blocks the running thread, which has yielded after repeating its previous round.
void Execution::Spin() {
  const Thread& self = threads_[Index(running_)];
  if (policy_ == nullptr && extension_.leaves_out_vain_tries() &&
      IsHopeless(graph_.At(running_, self.done - 1))) {
    extension_.AddVainTry(observations_.Now(running_));
    abandoned_ = true;
  }
  Suspend(State::kSpinning);
}

// Whether the running thread, which is about to wait after its round of events from begin to end,
// continues as a probe.
bool Execution::BeginsProbe(LoopProbe::Of of, const Site& site, unsigned begin, unsigned end) {
  if ((policy_ != nullptr && !policy_->Probes()) ||
      !probe_.Begin(of, {site, running_, end}, {begin, end - begin}, observations_.Now(running_))) {
    return false;
  }
  before_probe_ = arena_.Copy();
  return true;
}

// The same at an event that blocks. A try that fails ends its round.
bool Execution::BeginsTries(const GraphEvent& blocked) {
  return blocked.request.effect == Effect::kExchangeAgain &&
         BeginsProbe(LoopProbe::Of::kTries, blocked.site, graph_.LookBefore(blocked),
                     blocked.index + 1u);
}

// Repeats the thread's round: each step gets the result that it had in the last round.
Slot Execution::StepAgain(const Request& request, LocationIndex location) {
  const bool tries = probe_.of() == LoopProbe::Of::kTries;
  if (tries && IsOfWaiting(request.effect)) EndProbe();
  if (probe_.steps() == probe_.round().length) LeaveLoop();
  const auto next = [&] { return graph_.At(running_, probe_.round().begin + probe_.steps()); };
  const auto repeats = [&] {
    GraphEvent again = graph_[next()];
    again.location = location;
    again.request = request;
    return IsSameAgain(again, graph_[next()]);
  };
  while (probe_.MayAlign() && probe_.round().length > 1 && !repeats()) probe_.Align();
  if (!repeats()) LeaveLoop();
  const Slot slot = next();
  probe_.Step();
  if (tries && probe_.steps() == probe_.round().length && probe_.EndRound()) EndProbe();
  return slot;
}

void Execution::YieldAgain(const Site& site) {
  if (probe_.of() == LoopProbe::Of::kTries) return CountProbed();
  if (probe_.steps() == 0) {
    if (probe_.EndIdleYield()) EndProbe();
    return;
  }
  if (probe_.steps() != probe_.round().length) LeaveLoop();
  if (!IsSamePlace(probe_.site(), site)) LeaveLoop();
  if (probe_.EndRound()) EndProbe();
}

void Execution::LeaveLoop() {
  probe_.Cancel();
  program_->FailBoundedLoop(probe_.of(), probe_.rounds(), probe_.site());
  std::abort();  // it does not return
}

void Execution::EndProbe() {
  probe_.End();
  arena_.Restore(before_probe_);
  if (probe_.of() == LoopProbe::Of::kTries) Suspend(State::kBlocked);
  Spin();
  std::abort();  // never resumed
}

// Whether the events since the last yield repeat those before it and change nothing.
bool Execution::RepeatsRound(int thread) const {
  const unsigned round = RoundOf(thread);
  const unsigned begin = threads_[Index(thread)].yielded_after;
  if (round > begin) return false;
  for (unsigned i = begin; i < begin + round; ++i) {
    const GraphEvent& now = graph_[graph_.At(thread, i)];
    const GraphEvent& before = graph_[graph_.At(thread, i - round)];
    if (!IsSameAgain(now, before) || ChangesValue(now)) return false;
  }
  return true;
}

// Whether the thread, blocked after this event, is blocked in every graph that follows from this
// one, and in each of them only because it does not look again. This holds after a read that was
// stale when it was added: the read is not maximal (revisit.h), so no revisit removes or changes
// it, and nothing follows from it.
bool Execution::IsHopeless(Slot slot) const {
  const GraphEvent& event = graph_[slot];
  if (!event.reads || event.writes || IsOfMemory(event.request.effect)) return false;
  for (Slot newer = graph_.location(event.location).newest;
       newer != kNoSlot && graph_[newer].place > graph_.PlaceOf(event);
       newer = graph_[newer].older) {
    if (newer < slot) return true;
  }
  return false;
}

bool Execution::AllEnded() const {
  return std::all_of(threads_.begin(), threads_.begin() + count_,
                     [](const Thread& thread) { return thread.state == State::kEnded; });
}

Slot Execution::Missing() const {
  Slot waits = kNoSlot;
  for (int t = 0; t < count_; ++t) {
    const Thread& thread = threads_[Index(t)];
    if (thread.state == State::kWaitsForSource) {
      waits = graph_.At(t, thread.done);
      continue;
    }
    // A thread blocked in an operation has an event that is not done.
    const unsigned begun = thread.done + (thread.state == State::kBlocked ? 1 : 0);
    if (begun != graph_.Length(t)) return graph_.At(t, begun);
  }
  return waits;
}

Slot Execution::BlockedAt(int thread) const {
  const Thread& blocked = threads_[Index(thread)];
  return graph_.At(thread, blocked.state == State::kSpinning ? blocked.done - 1 : blocked.done);
}

unsigned Execution::RoundOf(int thread) const {
  return threads_[Index(thread)].done - threads_[Index(thread)].yielded_after;
}

}  // namespace nowait::model
