#include "models/kit/mutation/judge.h"

#include <algorithm>
#include <limits>
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

Judge::Judge(const std::vector<ScenarioEntry>& scenarios, std::uint64_t executions)
    : scenarios_(scenarios) {
  constexpr std::uint64_t kFirstRound = 64;
  constexpr std::uint64_t kGrowth = 8;
  for (std::uint64_t begin = 0, end = kFirstRound; begin < executions;) {
    end = std::min(end, executions);
    rounds_.push_back({Search::Kind::kRandom, begin, end - begin});
    begin = end;
    end *= kGrowth;
  }
  rounds_.push_back({Search::Kind::kContextBound, 0, executions});
}

Verdict Judge::Try(const Edits& edits, SiteTable* sites) const {
  SiteTable unwanted;
  EditingMachine machine(edits);
  const Interposition interposition(machine);
  Verdict verdict;
  for (const Round& round : rounds_) {
    for (const ScenarioEntry& scenario : scenarios_) {
      Search search = RandomSearchOf(scenario);
      if (round.kind == Search::Kind::kContextBound) {
        search = ContextBound(2);
        search.deep_history = true;
      }
      search.executions = round.executions;
      search.seconds = std::numeric_limits<double>::infinity();  // a verdict is not a matter of speed
      const Start start{.seed = round.begin + 1, .state = ""};
      const SearchResult result = RunSearch(scenario, search, start,
                                            sites != nullptr ? *sites : unwanted);
      verdict.executions += result.executions;
      verdict.effects = machine.effects();
      if (result.failure) {
        verdict.killed = true;
        verdict.scenario = scenario.text.name;
        verdict.search = search;
        verdict.failure = *result.failure;
        verdict.replay = result.replay;
        return verdict;
      }
    }
  }
  return verdict;
}

}  // namespace nowait::model
