// Chooses the next thread.
#include <fmt/format.h>

#include <utility>

#include "models/kit/exhaustive/replay/guided_replay_policy.h"

namespace nowait::model {

int GuidedReplayPolicy::Next(const Execution& execution) {
  if (last_ != kNobody) changes_seen_[Index(last_)] = changes_;
  last_ = Choose(execution);
  return last_;
}

int GuidedReplayPolicy::Choose(const Execution& execution) {
  step_ = kNoEvent;
  if (!diverges_ && at_ < steps_.size()) {
    const int next = NextRecorded(execution);
    if (next != kNobody) return next;
  }
  if (diverges_ && at_ < steps_.size()) {
    const int next = NextAfterDivergence(execution);
    if (next != kNobody) return next;
  }
  if (!closing_) ++changes_;  // a thread that spins after a stale read may look again
  closing_ = true;
  return LowestThatCanGo(execution);
}

// The thread that the record names next, if it takes that step; otherwise the executions diverge.
int GuidedReplayPolicy::NextRecorded(const Execution& execution) {
  for (; at_ < steps_.size(); ++at_) {
    const EventNumber step = steps_[at_];
    const Event& event = recorded_[step];
    const int thread = event.thread;
    if (thread >= execution.threads()) {
      Diverge(step, "there is no such thread here");
      return kNobody;
    }
    switch (execution.state(thread)) {
      case Execution::State::kRunnable:  // has not begun
      case Execution::State::kSpinning:
        return thread;
      case Execution::State::kAtFrontier:
        break;
      default:
        Diverge(step, execution.state(thread) == Execution::State::kEnded
                          ? "the thread has done all that it does here"
                          : "the thread waits here and does not go on");
        return kNobody;
    }
    const Request& request = execution.RequestOf(thread);
    if (request.effect == Effect::kChoose) return thread;
    if (request.kind != event.kind) {
      if (IsOfBlocks(event.kind)) continue;  // a block too large to be reused
      Diverge(step, fmt::format("here the thread does something else next: {} instead of {}",
                                Name(request.kind), Name(event.kind)));
      return kNobody;
    }
    if (!IsSameObject(step, execution.LocationOf(thread))) {
      Diverge(step, fmt::format("here the thread does {} on another object", Name(event.kind)));
      return kNobody;
    }
    if (execution.MustWait(thread) && !event.blocks) {
      Diverge(step, "here the thread has to wait");
      return kNobody;
    }
    ++at_;
    step_ = step;
    return thread;
  }
  return kNobody;
}

int GuidedReplayPolicy::NextAfterDivergence(const Execution& execution) {
  for (; at_ < steps_.size(); ++at_) {
    const int thread = recorded_[steps_[at_]].thread;
    if (thread >= execution.threads() || !CanGo(execution, thread)) continue;
    if (execution.state(thread) == Execution::State::kAtFrontier) ++at_;
    return thread;
  }
  return kNobody;
}

bool GuidedReplayPolicy::CanGo(const Execution& execution, int thread) const {
  switch (execution.state(thread)) {
    case Execution::State::kRunnable:
      return true;
    case Execution::State::kAtFrontier:
      return !execution.MustWait(thread);
    case Execution::State::kSpinning:
      return IsWorthALook(thread);
    default:
      return false;
  }
}

// As in a search (execution.h): a thread that has yielded gives way, and one that must wait goes
// last.
int GuidedReplayPolicy::LowestThatCanGo(const Execution& execution) {
  int gives_way = kNobody;
  int waits = kNobody;
  for (int t = 0; t < execution.threads(); ++t) {
    if (CanGo(execution, t)) {
      const bool at_frontier = execution.state(t) == Execution::State::kAtFrontier;
      if (!at_frontier || !execution.GivesWay(t)) return t;
      if (gives_way == kNobody || (gives_way == last_ && t != last_)) gives_way = t;
    } else if (execution.state(t) == Execution::State::kAtFrontier && waits == kNobody) {
      waits = t;
    }
  }
  return gives_way != kNobody ? gives_way : waits;
}

void GuidedReplayPolicy::Diverge(EventNumber recorded, std::string words, EventNumber store) {
  diverges_ = Divergence{recorded, kNoEvent, store, std::move(words)};
  ++changes_;
}

}  // namespace nowait::model
