#include "models/kit/mutation/judge.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "models/kit/mutation/editing_machine.h"

namespace nowait::model {
namespace {

// The options of the scenario's own random search: those that it is worth drawing for.
Search RandomSearchOf(const ScenarioEntry& scenario) {
  const std::vector<Search>& searches = scenario.text.searches;
  const auto own = std::find_if(searches.begin(), searches.end(), [](const Search& search) {
    return search.kind == Search::Kind::kRandom;
  });
  if (own != searches.end()) return *own;
  return Random(1).DeferringStores().StaleExchanges().DeepHistory();
}

}  // namespace

Judge::Judge(const std::vector<ScenarioEntry>& scenarios, std::uint64_t executions,
             BackEnds back_ends)
    : scenarios_(scenarios), back_ends_(back_ends), visited_(scenarios.size()) {
  constexpr std::uint64_t kFirstRound = 64;
  constexpr std::uint64_t kGrowth = 8;
  for (const std::uint64_t graphs : {1'000, 20'000}) {
    rounds_.push_back({Search::Kind::kGraphs, 0, graphs});
  }
  for (std::uint64_t begin = 0, end = kFirstRound; begin < executions;) {
    end = std::min(end, executions);
    rounds_.push_back({Search::Kind::kRandom, begin, end - begin});
    begin = end;
    end *= kGrowth;
  }
  rounds_.push_back({Search::Kind::kContextBound, 0, executions});
  // A few seconds. Scenarios of the source with more than that are few, and proved by the model's test.
  rounds_.push_back({Search::Kind::kGraphs, 0, 200'000, Depth::kWhole});
}

std::optional<Search> Judge::SearchOf(const Round& round, const ScenarioEntry& scenario) const {
  Search search;
  if (round.kind == Search::Kind::kGraphs) {
    if (!Completes(back_ends_, scenario.text)) return std::nullopt;
    search = Graphs();
  } else if (round.kind == Search::Kind::kContextBound) {
    search = ContextBound(2).DeepHistory();
  } else {
    search = RandomSearchOf(scenario);
  }
  if (!Includes(back_ends_, search)) return std::nullopt;
  search.executions = round.executions;
  search.seconds = std::numeric_limits<double>::infinity();  // a verdict is not a matter of speed
  return search;
}

Verdict Judge::Visit(SiteTable& sites) {
  std::vector<Seen> seen(scenarios_.size());
  const Verdict verdict = SearchAll(Edits(), Depth::kQuick, seen);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    Visited visited{seen[i].sites.Sorted(), seen[i].stores_of_threads.Sorted()};
    for (const SiteRecord& record : visited.operations) sites.Add(record);
    if (seen[i].examined && !verdict.killed) visited_[i] = std::move(visited);
  }
  return verdict;
}

Verdict Judge::Try(const Edits& edits, Depth depth) const {
  std::vector<Seen> seen(scenarios_.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen[i].left_out = visited_[i] && IsUntouched(*visited_[i], edits);
  }
  return SearchAll(edits, depth, seen);
}

bool Judge::IsUntouched(const Visited& visited, const Edits& edits) {
  const auto edit_of = [&](const SiteRecord& record) {
    return edits.Find(record.site, record.kind, record.order);
  };
  return std::none_of(visited.operations.begin(), visited.operations.end(),
                      [&](const SiteRecord& record) {
                        const Edit* edit = edit_of(record);
                        return edit != nullptr && !edit->IsOfThreads();
                      }) &&
         std::none_of(visited.stores_of_threads.begin(), visited.stores_of_threads.end(),
                      [&](const SiteRecord& record) { return edit_of(record) != nullptr; });
}

Verdict Judge::SearchAll(const Edits& edits, Depth depth, std::vector<Seen>& seen) const {
  EditingMachine machine(edits);
  const Interposition interposition(machine);
  Verdict verdict;
  verdict.scenarios = scenarios_.size();
  verdict.examined = static_cast<std::size_t>(std::count_if(
      seen.begin(), seen.end(), [](const Seen& scenario) { return scenario.left_out; }));
  for (const Round& round : rounds_) {
    if (round.depth == Depth::kWhole && depth != Depth::kWhole) continue;
    for (std::size_t i = 0; i < scenarios_.size(); ++i) {
      if (seen[i].left_out) continue;
      const ScenarioEntry& scenario = scenarios_[i];
      const std::optional<Search> search = SearchOf(round, scenario);
      if (!search || (round.kind == Search::Kind::kGraphs && seen[i].examined)) continue;
      const Start start{.seed = round.begin + 1, .state = ""};
      machine.CountStoresIn(seen[i].stores_of_threads);
      const SearchResult result = RunSearch(scenario, *search, start, seen[i].sites);
      verdict.executions += result.executions;
      verdict.effects = machine.effects();
      if (result.failure && IsVerdict(result.failure->kind)) {
        verdict.killed = true;
        verdict.disagrees = seen[i].examined;
        verdict.scenario = scenario.text.name;
        verdict.search = *search;
        verdict.failure = *result.failure;
        verdict.replay = result.replay;
        return verdict;
      }
      if (round.kind == Search::Kind::kGraphs && result.exhausted) {
        seen[i].examined = true;
        ++verdict.examined;
      }
    }
  }
  return verdict;
}

}  // namespace nowait::model
