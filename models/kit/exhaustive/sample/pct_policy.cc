#include "models/kit/exhaustive/sample/pct_policy.h"

#include <algorithm>
#include <numeric>

namespace nowait::model {

void PctPolicy::Begin(std::uint64_t number, int threads, unsigned depth, unsigned steps) {
  random_.seed(number);
  step_ = 0;
  points_.clear();
  // A thread that is demoted at point i gets priority i, which is below all of these.
  const auto end = priorities_.begin() + threads;
  std::iota(priorities_.begin(), end, static_cast<int>(depth));
  for (auto left = end - priorities_.begin(); left > 1; --left) {
    std::swap(priorities_[Below(static_cast<unsigned>(left))], priorities_[Index(left - 1)]);
  }
  for (unsigned i = 1; i < depth; ++i) {
    const unsigned step = 1 + Below(steps);
    points_.push_back({step, Below(2) == 0, false});
  }
}

// At a step with points that demote, the thread that would make it falls, and another one may be
// the highest then.
int PctPolicy::Next(const Execution& execution) {
  using MayGo = bool (PctPolicy::*)(const Execution&, int) const;
  for (const MayGo may_go : {&PctPolicy::MayBegin, &PctPolicy::MayGoOn, &PctPolicy::MayLookAgain,
                             &PctPolicy::MaySpin, &PctPolicy::MayWait}) {
    int next = Highest(execution, may_go);
    if (next == kNobody) continue;
    while (may_go != &PctPolicy::MayBegin && Demote(next)) next = Highest(execution, may_go);
    return next;
  }
  return kNobody;
}

int PctPolicy::Highest(const Execution& execution,
                       bool (PctPolicy::*may_go)(const Execution&, int) const) const {
  int highest = kNobody;
  for (int t = 0; t < execution.threads(); ++t) {
    if (!(this->*may_go)(execution, t)) continue;
    if (highest == kNobody || priorities_[Index(t)] > priorities_[Index(highest)]) highest = t;
  }
  return highest;
}

// To its first step, which it does not make yet.
bool PctPolicy::MayBegin(const Execution& execution, int thread) const {
  return execution.state(thread) == Execution::State::kRunnable;
}

bool PctPolicy::MayGoOn(const Execution& execution, int thread) const {
  return execution.state(thread) == Execution::State::kAtFrontier && !execution.GivesWay(thread) &&
         !execution.MustWait(thread);
}

bool PctPolicy::MayLookAgain(const Execution& execution, int thread) const {
  return MaySpin(execution, thread) && SeesChange(execution, thread);
}

bool PctPolicy::MaySpin(const Execution& execution, int thread) const {
  return execution.state(thread) == Execution::State::kAtFrontier && !execution.MustWait(thread);
}

bool PctPolicy::MayWait(const Execution& execution, int thread) const {
  return execution.state(thread) == Execution::State::kAtFrontier;
}

// Whether an atomic that the thread has looked at before its last yield, and since the yield before
// that, has another value now than at the thread's last event there.
bool PctPolicy::SeesChange(const Execution& execution, int thread) const {
  const std::vector<Execution::Yielded>& yields = execution.YieldsOf(thread);
  const unsigned begin = yields.size() > 1 ? yields[yields.size() - 2].after : 0;
  const unsigned end = graph_.Length(thread);
  const auto at = [&](unsigned i) -> const GraphEvent& { return graph_[graph_.At(thread, i)]; };
  for (unsigned i = begin; i < end; ++i) {
    const GraphEvent& event = at(i);
    if (event.location == kNoLocation || IsOfMemory(event.request.effect)) continue;
    bool is_last = true;
    for (unsigned j = i + 1; j < end; ++j) is_last &= at(j).location != event.location;
    const Word value = graph_.ValueOf(event.location, graph_.location(event.location).newest);
    if (is_last && value != (event.writes ? event.written : event.read)) return true;
  }
  return false;
}

// If a point of the next step demotes, and has not done so yet: the thread falls to its priority.
bool PctPolicy::Demote(int thread) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].step != step_ + 1 || !points_[i].demotes || points_[i].done) continue;
    points_[i].done = true;
    priorities_[Index(thread)] = static_cast<int>(i);
    return true;
  }
  return false;
}

void PctPolicy::Add(Graph& graph, int thread, const Request& request, LocationIndex location,
                    const Site& site) {
  ++step_;
  others_.Begin(empty_, TreePath(), 1);
  others_.DropNext();
  extension_.Add(graph, thread, request, location, site, unused_);
  const auto others = static_cast<unsigned>(others_.size());
  choices_ = std::max(choices_, others);
  const bool deviates = std::ranges::any_of(
      points_, [&](const Point& point) { return point.step == step_ && !point.demotes; });
  if (!deviates || others == 0) return;
  for (unsigned left = Below(others); left > 0; --left) others_.DropNext();
  others_.Pop(graph);
}

}  // namespace nowait::model
