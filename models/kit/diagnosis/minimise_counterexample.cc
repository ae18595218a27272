#include "models/kit/diagnosis/minimise_counterexample.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {
namespace {

// The number of threads, then of events.
using Size = std::pair<int, int>;

Size SizeOf(const ScenarioEntry& scenario) {
  SiteTable unwanted;
  const auto exploration = std::make_unique<Exploration>(scenario, unwanted);
  exploration->Survey([](ExhaustiveMachine::Outcome) { return false; });
  return {scenario.threads, exploration->graph().size()};
}

// The scenarios smaller than this one, from the smallest up, followed by the scenario itself.
std::vector<const ScenarioEntry*> UpTo(const ScenarioEntry& last,
                                       const std::vector<ScenarioEntry>& scenarios) {
  std::multimap<Size, const ScenarioEntry*> smaller;  // in declaration order among equals
  const Size size = SizeOf(last);
  for (const ScenarioEntry& scenario : scenarios) {
    if (&scenario == &last || scenario.threads > last.threads) continue;
    const Size other = SizeOf(scenario);
    if (other < size) smaller.emplace(other, &scenario);
  }
  std::vector<const ScenarioEntry*> sorted;
  for (const auto& [_, scenario] : smaller) sorted.push_back(scenario);
  sorted.push_back(&last);
  return sorted;
}

struct Best {
  TreePath path;
  Cost cost;
  std::uint64_t failing = 0;
  bool whole = false;
};

std::optional<Best> FindBest(const ScenarioEntry& scenario, const std::string& label,
                             const MinimiseLimits& limits) {
  SiteTable unwanted;
  const auto exploration = std::make_unique<Exploration>(scenario, unwanted);
  std::optional<Best> best;
  std::uint64_t visits_left = limits.until_first;
  const bool whole = exploration->Survey([&](ExhaustiveMachine::Outcome) {
    const std::optional<Failure>& failure = exploration->machine().failure();
    --visits_left;
    if (!failure || failure->Label() != label) return visits_left > 0;
    const Clock part = exploration->machine().LeadsToFailure();
    if (!best) {
      visits_left = limits.after_first;
      best = Best{exploration->path(), CostOf(exploration->graph(), part)};
    } else if (CountOf(part) <= best->cost.events) {
      const Cost cost = CostOf(exploration->graph(), part);
      if (cost < best->cost) best = Best{exploration->path(), cost, best->failing};
    }
    ++best->failing;
    return visits_left > 0;
  });
  if (best) best->whole = whole;
  return best;
}

}  // namespace

std::string MinimalCounterexample::Words() const {
  if (failing == 1 && whole) {
    return fmt::format("the only failing execution of {}", scenario->text.name);
  }
  return fmt::format("the smallest of {} failing executions of {}{}", failing, scenario->text.name,
                     whole ? ", and there are no others" : "; not all were looked at");
}

std::optional<MinimalCounterexample> MinimiseCounterexample(
    const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& found_in,
    const std::string& label, const MinimiseLimits& limits) {
  std::optional<MinimalCounterexample> smallest;
  for (const ScenarioEntry* scenario : UpTo(found_in, scenarios)) {
    const std::optional<Best> best = FindBest(*scenario, label, limits);
    if (!best) continue;
    SiteTable unwanted;
    const auto again = std::make_unique<Exploration>(*scenario, unwanted);
    again->Replay(best->path);
    if (!again->failure() || again->failure()->Label() != label) continue;
    MinimalCounterexample& found = smallest.emplace();
    found.scenario = scenario;
    found.failure = *again->failure();
    found.replay.state = Format(best->path);
    found.trace = again->machine().trace();
    found.cost = best->cost;
    found.failing = best->failing;
    found.whole = best->whole;
    break;
  }
  SetCurrentMachine(nullptr);
  return smallest;
}

}  // namespace nowait::model
