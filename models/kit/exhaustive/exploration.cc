#include "models/kit/exhaustive/exploration.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace nowait::model {
namespace {

// Enough parts that the uneven size of them evens out among the shards.
constexpr std::size_t kPartsOfShard = 64;

bool IsBelow(const TreePath& part, const TreePath& path) {
  return part.size() <= path.size() && std::equal(part.begin(), part.end(), path.begin());
}

}  // namespace

std::string Format(const TreePath& path) {
  std::string text = path.empty() ? "." : "";
  for (const std::uint32_t number : path) text.append(1, '.').append(std::to_string(number));
  return text;
}

std::optional<TreePath> ParseTreePath(std::string_view text) {
  TreePath path;
  if (text == ".") return path;
  while (!text.empty()) {
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    path.push_back(number);
  }
  if (path.empty()) return std::nullopt;
  return path;
}

ExhaustiveMachine::Outcome Exploration::Visit() {
  pending_.Pop(graph_);
  const ExhaustiveMachine::Outcome outcome = machine_.Execute();
  done_ += pending_.EndVisit();
  if (outcome == ExhaustiveMachine::Outcome::kFailed) Trace();
  return outcome;
}

// Runs the execution that failed once more, for its trace.
void Exploration::Trace() {
  const Failure found = *machine_.failure();
  machine_.CountIn(uncounted_);
  machine_.Execute(true);
  failure_ = machine_.failure();
  if (failure_ && failure_->kind == found.kind) return;
  failure_ = {FailureKind::kNondeterminism,
              std::string("run again, it does not fail as before: ") + found.Label(), found.site};
}

// Visits graphs, the one with the largest share first, until there are parts enough for all shards.
// Every shard does that in the same way; what is completed here is the first one's.
void Exploration::Divide(Meter& meter, Shard shard, bool counts) {
  counts = counts && shard.index == 0;
  machine_.CountIn(counts ? sites_ : uncounted_);
  std::vector<Part> parts;
  parts.push_back({root_, TreePath(), 1});
  while (shard.count > 1 && !parts.empty() && parts.size() < kPartsOfShard * shard.count) {
    const auto largest = std::ranges::max_element(parts, {}, &Part::share);
    const Part part = std::move(*largest);
    parts.erase(largest);
    pending_.Begin(part.graph, part.path, part.share);
    const bool completed = Visit() == ExhaustiveMachine::Outcome::kCompleted;
    if (failure_) return;
    if (completed && counts) {
      meter.EndExecution(true, false, [this] { return done_; });
    }
    while (!pending_.empty()) {
      parts.push_back({pending_.next(), pending_.NextPath(), pending_.next_share()});
      pending_.DropNext();
    }
  }
  machine_.CountIn(sites_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % shard.count == shard.index) {
      parts_.push_back(std::move(parts[i]));
    } else {
      done_ += parts[i].share;
    }
  }
}

// Goes down to `path` from the graph that is next, without counting; what lies before it is done.
bool Exploration::Descend(const TreePath& path) {
  bool exists = true;
  machine_.CountIn(uncounted_);
  while (exists && pending_.NextPath().size() < path.size()) {
    Visit();
    exists = false;
    if (failure_ && pending_.path() != path) break;
    done_ += pending_.DropAfter(path[pending_.path().size()], exists);
  }
  machine_.CountIn(sites_);
  return exists;
}

void Exploration::Run(Meter& meter, Shard shard, const std::optional<TreePath>& from) {
  Divide(meter, shard, !from);
  if (failure_) return;
  if (from) {
    const auto first =
        std::ranges::find_if(parts_, [&](const Part& part) { return IsBelow(part.path, *from); });
    if (first == parts_.end()) {
      failure_ =
          Failure{FailureKind::kNondeterminism, "there is no such graph: " + Format(*from), Site()};
      return;
    }
    part_ = static_cast<std::size_t>(first - parts_.begin());
    for (std::size_t i = 0; i < part_; ++i) done_ += parts_[i].share;
  }
  for (bool descends = from.has_value(); part_ < parts_.size(); ++part_, descends = false) {
    const Part& part = parts_[part_];
    pending_.Begin(part.graph, part.path, part.share);
    if (descends && !Descend(*from)) {
      failure_ =
          Failure{FailureKind::kNondeterminism, "there is no such graph: " + Format(*from), Site()};
      return;
    }
    while (!pending_.empty()) {
      const bool completed = Visit() == ExhaustiveMachine::Outcome::kCompleted;
      if (failure_) return;
      const bool none_left = pending_.empty() && part_ + 1 == parts_.size();
      if (meter.EndExecution(completed, none_left, [this] { return done_; })) return;
    }
  }
  // A shard to which no part fell.
  if (parts_.empty()) meter.EndExecution(false, true, [] { return 1.0; });
}

double Exploration::Probe(const std::function<std::uint32_t(std::uint32_t)>& choose) {
  double executions = 0;
  double weight = 1;
  pending_.Begin(root_, TreePath(), 1);
  for (;;) {
    if (Visit() == ExhaustiveMachine::Outcome::kCompleted) executions += weight;
    const std::uint32_t children = pending_.children();
    if (failure_ || children == 0) return executions;
    bool exists = false;
    pending_.DropAfter(choose(children), exists);
    if (!exists) return executions;
    weight *= children;
  }
}

void Exploration::Replay(const TreePath& path) {
  pending_.Begin(root_, TreePath(), 1);
  if (!Descend(path)) {
    failure_ =
        Failure{FailureKind::kNondeterminism, "there is no such graph: " + Format(path), Site()};
    return;
  }
  Visit();
}

TreePath Exploration::Next() const {
  return pending_.empty() ? parts_[part_ + 1].path : pending_.NextPath();
}

}  // namespace nowait::model
