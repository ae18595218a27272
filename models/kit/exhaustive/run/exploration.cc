#include "models/kit/exhaustive/run/exploration.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace nowait::model {
namespace {

// Enough parts to even out their different sizes among the shards.
constexpr std::size_t kPartsOfShard = 64;

double SumOfShares(const std::vector<Exploration::Part>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const auto& part) { return sum + part.share; });
}

}  // namespace

ExhaustiveMachine::Outcome Exploration::Visit() {
  work_list_.Pop(graph_);
  begun_with_ = Omissions::LengthsOf(graph_);
  const ExhaustiveMachine::Outcome outcome = machine_.Execute();
  if (outcome == ExhaustiveMachine::Outcome::kFailed) Trace();
  return outcome;
}

// counts: whether this process counts the visit.
void Exploration::LookAtVisit(ExhaustiveMachine::Outcome outcome, bool counts) {
  omissions_.Look(graph_, begun_with_);
  if (counts && outcome == ExhaustiveMachine::Outcome::kBlocked) {
    omissions_.CountBlocked(graph_, machine_.execution());
  }
}

ExhaustiveMachine::Outcome Exploration::VisitPastFailures() {
  work_list_.Pop(graph_);
  return machine_.Execute({.past_failures = true});
}

// Repeats the failing execution to obtain its trace.
void Exploration::Trace() {
  const Failure found = *machine_.failure();
  machine_.CountIn(uncounted_);
  machine_.Execute({.traces = true});
  failure_ = machine_.failure();
  if (failure_ && failure_->kind == found.kind) return;
  failure_ = {FailureKind::kNondeterminism,
              std::string("run again, it does not fail as before: ") + found.Label(), found.site};
}

// Runs the threads of the first completed graph once more. A scenario that depends on an input
// outside the checker, such as the time, is noticed when a graph runs again. A search with few
// executions might otherwise run no graph a second time.
bool Exploration::IsFirstTheSame() {
  const std::size_t left = work_list_.size();
  graph_ = *std::exchange(first_, std::nullopt);
  const int events = graph_.size();
  machine_.CountIn(uncounted_);
  if (machine_.Execute({.threads_only = true}) == ExhaustiveMachine::Outcome::kFailed) {
    failure_ = machine_.failure();
  } else if (graph_.size() != events) {
    failure_ = {FailureKind::kNondeterminism, "a thread does more when it is run again",
                graph_[static_cast<Slot>(events)].site};
  }
  machine_.CountIn(*sites_);
  while (work_list_.size() > left) work_list_.Drop();
  return !failure_;
}

// The part that Pop would return.
Exploration::Part Exploration::TakeNext() {
  Part part{work_list_.next(), work_list_.NextPath(), work_list_.next_share()};
  work_list_.DropNext();
  return part;
}

// The children of a visit that was the only one of its part; the next one comes last.
std::vector<Exploration::Part> Exploration::TakeChildren() {
  std::vector<Part> children;
  while (!work_list_.empty()) children.push_back(TakeNext());
  std::ranges::reverse(children);
  return children;
}

// Visits graphs, the one with the largest share first, until there are enough parts for all shards.
// Every shard does so in the same way.
void Exploration::Divide(Meter& meter, Shard shard) {
  const bool counts = shard.index == 0;
  machine_.CountIn(counts ? *sites_ : uncounted_);
  std::vector<Part> parts;
  parts.push_back({root_, TreePath(), 1});
  while (!parts.empty() && parts.size() < kPartsOfShard * shard.count) {
    const auto largest = std::ranges::max_element(parts, {}, &Part::share);
    const Part part = std::move(*largest);
    parts.erase(largest);
    work_list_.Begin(part.graph, part.path, part.share);
    const ExhaustiveMachine::Outcome outcome = Visit();
    if (failure_) return;
    LookAtVisit(outcome, counts);
    const bool completed = outcome == ExhaustiveMachine::Outcome::kCompleted;
    const double share = work_list_.EndVisit();
    if (counts) done_ += share;
    if (completed && counts) meter.EndExecution(true, false, [] { return 0.0; });
    std::ranges::move(TakeChildren(), std::back_inserter(parts));
  }
  for (std::size_t i = parts.size(); i > 0; --i) {
    if ((i - 1) % shard.count == shard.index) parts_.push_back(std::move(parts[i - 1]));
  }
}

void Exploration::Begin(Meter& meter, Shard shard) {
  if (shard.count == 1) {
    parts_.push_back({root_, TreePath(), 1});
  } else {
    Divide(meter, shard);
    share_ = done_ + SumOfShares(parts_);
  }
}

void Exploration::Continue(std::vector<TreePath> left, double fraction) {
  Add(std::move(left));
  begun_at_ = fraction;
  share_ = SumOfShares(parts_);
  done_ = 0;
}

void Exploration::Add(std::vector<TreePath> paths) {
  if (paths.empty()) return;
  // The last graph is found first, and therefore stands below the others.
  std::ranges::sort(paths, [](const TreePath& a, const TreePath& b) { return ComesBefore(b, a); });
  machine_.CountIn(uncounted_);
  if (Find({root_, TreePath(), 1}, paths)) return;
  failure_ =
      Failure{FailureKind::kNondeterminism, "there is no such graph: " + Format(paths), Site()};
}

// Adds the parts at these paths, all of which lead through `part`. A part that is not worth a visit
// needs no more work. That may be known here although it was not known where the part was left
// (extension.h: vain tries).
bool Exploration::Find(const Part& part, std::span<const TreePath> paths) {
  const std::size_t depth = part.path.size();
  const auto drop_below = [&](std::uint32_t number) {
    while (!paths.empty() && paths.front().size() > depth && paths.front()[depth] < number) {
      paths = paths.subspan(1);
    }
  };
  if (paths.size() == 1 && paths.front().size() == depth) {
    parts_.push_back(part);
    return true;
  }
  work_list_.Begin(part.graph, part.path, part.share);
  VisitPastFailures();
  work_list_.EndVisit();
  const std::uint32_t numbers = work_list_.numbers();
  for (const Part& child : TakeChildren()) {
    drop_below(child.path.back());
    const auto leads = [&](const TreePath& path) {
      return path.size() > depth && path[depth] == child.path.back();
    };
    const auto count =
        static_cast<std::size_t>(std::ranges::find_if_not(paths, leads) - paths.begin());
    if (count > 0 && !Find(child, paths.first(count))) return false;
    paths = paths.subspan(count);
  }
  drop_below(numbers);
  return paths.empty();
}

bool Exploration::Run(Meter& meter, const std::function<bool()>& pauses) {
  if (failure_) return false;
  machine_.CountIn(*sites_);
  // A shard that received no part.
  if (IsDone()) meter.EndExecution(false, true, [] { return 1.0; });
  while (!IsDone()) {
    if (work_list_.empty()) {
      const Part& part = parts_.back();
      work_list_.Begin(part.graph, part.path, part.share);
      parts_.pop_back();
    }
    const ExhaustiveMachine::Outcome outcome = Visit();
    if (failure_) return false;
    LookAtVisit(outcome, true);
    const bool completed = outcome == ExhaustiveMachine::Outcome::kCompleted;
    done_ += work_list_.EndVisit();
    if (completed && !has_first_) {
      first_ = graph_;
      has_first_ = true;
    }
    if (first_ && IsDone() && !IsFirstTheSame()) return false;
    if (meter.EndExecution(completed, IsDone(), [this] { return Fraction(); })) return false;
    if (pauses()) return true;
  }
  return false;
}

bool Exploration::Survey(const Visited& visited) {
  machine_.CountIn(uncounted_);
  work_list_.Begin(root_, TreePath(), 1);
  while (!work_list_.empty()) {
    const ExhaustiveMachine::Outcome outcome = VisitPastFailures();
    done_ += work_list_.EndVisit();
    if (!visited(outcome)) break;
  }
  return work_list_.empty();
}

const std::optional<Failure>& Exploration::Retrace() {
  const std::size_t found = work_list_.size();
  machine_.Execute({.traces = true, .past_failures = true});
  // A thread that fails only after others have run may get further than before.
  while (work_list_.size() > found) work_list_.Drop();
  return machine_.failure();
}

double Exploration::Probe(const std::function<double()>& random) {
  double executions = 0;
  double weight = 1;
  work_list_.Begin(root_, TreePath(), 1);
  for (;;) {
    if (Visit() == ExhaustiveMachine::Outcome::kCompleted) executions += weight;
    if (failure_ || work_list_.children() == 0) return executions;
    work_list_.EndVisit();
    weight /= work_list_.Choose(random());
  }
}

void Exploration::Replay(const TreePath& path) {
  Add({path});
  if (failure_) return;
  if (parts_.empty()) {
    failure_ =
        Failure{FailureKind::kNondeterminism, "that is not visited: " + Format(path), Site()};
    return;
  }
  const Part part = std::move(parts_.back());
  parts_.pop_back();
  machine_.CountIn(*sites_);
  work_list_.Begin(part.graph, part.path, part.share);
  Visit();
}

std::vector<TreePath> Exploration::Left() const {
  std::vector<TreePath> left;
  for (std::size_t i = work_list_.size(); i > 0; --i) left.push_back(work_list_.PathOf(i - 1));
  for (std::size_t i = parts_.size(); i > 0; --i) left.push_back(parts_[i - 1].path);
  return left;
}

std::vector<Exploration::Part> Exploration::TakeLeft() {
  std::vector<Part> left;
  while (!work_list_.empty()) left.push_back(TakeNext());
  std::move(parts_.rbegin(), parts_.rend(), std::back_inserter(left));
  parts_.clear();
  return left;
}

TreePath Exploration::Give() {
  const TreePath path = work_list_.PathOf(0);
  work_list_.DropOldest();
  return path;
}

double Exploration::Fraction(double elsewhere) const {
  if (share_ == 0) return 1;
  return begun_at_ + (1 - begun_at_) * std::min(1.0, (done_ + elsewhere) / share_);
}

}  // namespace nowait::model
