// Failures of an execution in ExhaustiveMachine: in an operation, or because no thread can
// continue.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "models/kit/exhaustive/run/exhaustive_machine.h"

namespace nowait::model {

// If several threads fail, the first one's failure is the execution's. After a failure that is not
// a verdict, nothing can be said about further executions.
void ExhaustiveMachine::GiveUp(FailureKind kind, const std::string& words, const Site& site) {
  if (InThreads() && execution_.probing()) {
    // A limit that endless loops reach, such as the number of calls that a history has room for.
    if (kind == FailureKind::kLivelock || !IsVerdict(kind)) execution_.EndProbe();
    execution_.LeaveLoop();
  }
  if (!failure_) {
    failure_ = Failure{kind, words, site, Thread()};
    failed_at_ = Here();
  }
  if (InThreads() && past_failures_ && IsVerdict(kind)) execution_.Stop();
  if (InThreads()) execution_.Abandon();
  Fiber::Suspend();
  std::abort();  // never resumed
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

void ExhaustiveMachine::FailBoundedLoop(LoopProbe::Of of, unsigned rounds, const Site& site) {
  GiveUp(FailureKind::kNotFinished,
         of == LoopProbe::Of::kTries
             ? fmt::format("a failed try is not repeated, after {} more, and what its thread does "
                           "then is not examined: use compare_exchange_weak",
                           rounds)
             : fmt::format("a loop gives up waiting after {} more rounds, and what it does then is "
                           "not examined: let Choose(2) decide whether it gives up",
                           rounds),
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

void ExhaustiveMachine::FailSteps(const Site& site) {
  GiveUp(FailureKind::kLivelock,
         InThreads() ? "a loop without an end over plain data"
                     : "a loop without an end before or after the threads",
         site);
}

// --- threads that wait for ever ---

// Whether the value that the thread waits for never arrives in this graph. If there is a newer
// value that it has not seen, then in another graph it has seen that value.
bool ExhaustiveMachine::IsStuck(int thread) const {
  const auto is_newest = [&](const GraphEvent& event) {
    return graph_.PlaceOf(event) + 1 == graph_.location(event.location).writes;
  };
  const Slot slot = execution_.BlockedAt(thread);
  if (execution_.state(thread) != Execution::State::kSpinning) {
    const GraphEvent& event = graph_[slot];
    // Not for ever: its next try belongs to the graph where its look finds what this one found.
    if (event.request.effect == Effect::kExchangeAgain) return false;
    return event.request.effect == Effect::kReadUnlessEqual ? AreLost(graph_, notifications_)
                                                            : is_newest(event);
  }
  // The thread changes nothing itself, and reads the same again if the newest value equals the one
  // that it read: other spinning threads may have written it anew.
  const unsigned last = graph_[slot].index;
  for (unsigned i = last + 1 - execution_.RoundOf(thread); i <= last; ++i) {
    const GraphEvent& event = graph_[graph_.At(thread, i)];
    if (event.location == kNoLocation || IsOfMemory(event.request.effect)) continue;
    const Slot newest = graph_.location(event.location).newest;
    if (graph_.ValueOf(event.location, newest) != event.read) return false;
  }
  return true;
}

// An event that reads what a loop's body has written before a try that failed; kNoSlot if no event
// does. The search examines the execution without that try, in which there is nothing to read.
Slot ExhaustiveMachine::ReaderOfFailedTry() const {
  for (int t = 0; t < scenario_.threads; ++t) {
    if (execution_.state(t) != Execution::State::kBlocked) continue;
    const GraphEvent& tried = graph_[execution_.BlockedAt(t)];
    if (tried.request.effect != Effect::kExchangeAgain) continue;
    for (unsigned i = graph_.LookBefore(tried) + 1; i < tried.index; ++i) {
      const Slot written = graph_.At(t, i);
      if (!graph_[written].writes) continue;
      for (int slot = 0; slot < graph_.size(); ++slot) {
        const GraphEvent& event = graph_[static_cast<Slot>(slot)];
        if (event.reads && event.source == written && event.thread != t) {
          return static_cast<Slot>(slot);
        }
      }
    }
  }
  return kNoSlot;
}

ExhaustiveMachine::Outcome ExhaustiveMachine::JudgeBlocked() {
  if (const Slot reader = ReaderOfFailedTry(); reader != kNoSlot) {
    failure_ = Failure{FailureKind::kNotFinished,
                       "a thread reads what another one has written before a try that fails, and "
                       "such tries are not examined: use compare_exchange_weak",
                       graph_[reader].site};
    return Outcome::kFailed;
  }
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
                     (spins ? "no thread can continue" : "every thread waits") + words, site};
  return Outcome::kFailed;
}

}  // namespace nowait::model
