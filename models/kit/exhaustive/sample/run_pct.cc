#include "models/kit/exhaustive/sample/run_pct.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "models/kit/engine/meter.h"
#include "models/kit/exhaustive/graph/observation_hash.h"
#include "models/kit/exhaustive/run/estimate.h"
#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/exhaustive/sample/pct_policy.h"

namespace nowait::model {
namespace {

using Outcome = ExhaustiveMachine::Outcome;

constexpr unsigned kMeasuringWalks = 64;
constexpr unsigned kProbes = 1000;

// The same for the same graph, in whatever order its events were added: reads-from and modification
// order, thread by thread.
std::uint64_t HashOf(const Graph& graph, int threads) {
  ObservationHash hash;
  for (int t = 0; t < threads; ++t) {
    hash = hash.With(graph.Length(t));
    for (unsigned i = 0; i < graph.Length(t); ++i) {
      const GraphEvent& event = graph[graph.At(t, i)];
      const bool from_event = event.reads && event.source != kInitial;
      hash = hash.With(from_event ? graph[event.source].thread : kMaxThreads)
                 .With(from_event ? graph[event.source].index : 0)
                 .With(event.writes ? static_cast<std::uint64_t>(event.place) : ~std::uint64_t{0})
                 .With(event.variant);
    }
  }
  return hash.hash();
}

// The walks of one scenario.
class Walks {
 public:
  Walks(const ScenarioEntry& scenario, unsigned depth, SiteTable& sites)
      : threads_(scenario.threads),
        depth_(depth),
        sites_(sites),
        machine_(scenario, graph_, unused_, sites),
        policy_(graph_) {
    SiteTable uncounted;
    machine_.CountIn(uncounted);
    for (unsigned i = 0; i < kMeasuringWalks; ++i) {
      Walk(i);
      steps_ = std::max(steps_, policy_.steps());
    }
    machine_.CountIn(sites_);
  }

  Outcome Walk(std::uint64_t number, ExhaustiveMachine::Manner manner = {}) {
    graph_.Clear();
    policy_.Begin(number, threads_, depth_, steps_);
    const Outcome outcome = machine_.Replay(policy_, manner);
    if (outcome == Outcome::kCompleted) last_ = HashOf(graph_, threads_);
    return outcome;
  }

  // The complete graph of the last walk that completed one.
  std::uint64_t last() const { return last_; }
  unsigned steps() const { return steps_; }
  unsigned choices() const { return policy_.choices(); }
  ExhaustiveMachine& machine() { return machine_; }

 private:
  const int threads_;
  const unsigned depth_;
  SiteTable& sites_;
  WorkList none_;
  Extension unused_{none_};  // the policy has its own
  Graph graph_;
  ExhaustiveMachine machine_;
  PctPolicy policy_;
  unsigned steps_ = 1;
  std::uint64_t last_ = 0;
};

// The number of the first walk of this piece; nothing if the saved position cannot be read.
std::optional<std::uint64_t> FirstOf(const Start& start, const SearchControl& control) {
  std::uint64_t number = start.seed;
  if (control.from) {
    const std::string& state = control.from->state;
    const auto [end, error] = std::from_chars(state.data(), state.data() + state.size(), number);
    if (error != std::errc{} || end != state.data() + state.size()) return std::nullopt;
  }
  while (number % control.shard.count != control.shard.index) ++number;
  return number;
}

}  // namespace

SearchResult RunPct(const ScenarioEntry& scenario, const Search& search, const Start& start,
                    SiteTable& sites, const SearchControl& control) {
  SearchResult out;
  Meter meter(search, start.seed, control);
  std::optional<std::uint64_t> number = FirstOf(start, control);
  if (!number) {
    out.failure = Failure{FailureKind::kNondeterminism,
                          "not a state of this search: " + control.from->state, Site()};
    return out;
  }
  // On the heap: the machine is large, and fibers hold pointers into their execution.
  auto walks = std::make_unique<Walks>(scenario, search.depth, sites);
  Sampled sampled{.depth = search.depth, .threads = static_cast<unsigned>(scenario.threads)};
  std::unordered_set<std::uint64_t> different;
  const auto fraction = [&] {
    return static_cast<double>(meter.executions()) /
           static_cast<double>(ExecutionsOfShard(search, start.seed, control.shard));
  };
  bool fails = false;
  for (bool stops = meter.IsDone(); !stops; *number += control.shard.count) {
    const Outcome outcome = walks->Walk(*number);
    fails = outcome == Outcome::kFailed;
    if (fails) break;
    ++sampled.walks;
    if (outcome == Outcome::kCompleted) different.insert(walks->last());
    stops = meter.EndExecution(true, false, fraction);
  }
  out.executions = meter.executions();
  out.seconds = meter.Seconds();
  if (fails) {
    ++out.executions;
    out.failure = walks->machine().failure();
    out.replay.seed = *number;
    walks->Walk(*number, {.traces = true});
    out.trace = walks->machine().trace();
    SetCurrentMachine(nullptr);
    return out;
  }
  SetCurrentMachine(nullptr);
  out.fraction = meter.fraction();
  if (!meter.finished()) {
    out.stopped = {out.executions, out.seconds, std::to_string(*number), out.fraction};
    return out;
  }
  sampled.different = different.size();
  sampled.steps = walks->steps();
  sampled.choices = walks->choices();
  walks.reset();  // a program may have one machine at a time
  const Estimate estimate = EstimateExecutions(scenario, kProbes, 1);
  if (estimate.failure) {
    // A probe is an execution, too, and has met what no walk has met.
    SearchResult probe = RunExhaustive(scenario, Graphs(), {1, estimate.failed_at}, sites, {});
    out.failure = std::move(probe.failure);
    out.replay = std::move(probe.replay);
    out.trace = std::move(probe.trace);
    return out;
  }
  sampled.estimated = estimate.executions;
  sampled.lower = estimate.lower;
  sampled.upper = estimate.upper;
  out.sampled = sampled;
  return out;
}

}  // namespace nowait::model
