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

// The options of the scenario's own random search, which are the ones worth their cost.
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
    : scenarios_(scenarios), back_ends_(back_ends) {
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
  // A few seconds. The few scenarios with more executions than that in the source are proved by the
  // model's test.
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
  // A search of graphs ends with its piece (PieceOf), so that the next round can continue there.
  if (round.kind != Search::Kind::kGraphs) search.executions = round.executions;
  search.seconds = std::numeric_limits<double>::infinity();  // a verdict must not depend on speed
  return search;
}

SearchControl Judge::PieceOf(const Round& round, const Seen& seen) {
  SearchControl control;
  if (round.kind != Search::Kind::kGraphs) return control;
  control.from = seen.left;
  control.executions = round.executions - (seen.left ? seen.left->executions : 0);
  return control;
}

Verdict Judge::Visit(SiteTable& sites, Depth depth) {
  source_ = std::vector<Seen>(scenarios_.size());
  Verdict verdict;
  SearchRounds(Edits(), Depth::kQuick, source_, verdict);
  for (const Seen& seen : source_) {
    for (const SiteRecord& record : seen.operations.Sorted()) sites.Add(record);
  }
  if (depth == Depth::kWhole && !verdict.killed) {
    SearchRounds(Edits(), Depth::kWhole, source_, verdict);
  }
  visited_ = depth;
  return verdict;
}

Verdict Judge::Try(const Edits& edits, Depth depth) const {
  Verdict verdict;
  std::vector<Seen> seen(scenarios_.size());
  for (std::size_t i = 0; i < source_.size(); ++i) {
    seen[i].untouched = IsUntouched(source_[i], edits);
    seen[i].examined = seen[i].untouched && source_[i].examined;
    if (seen[i].examined) ++verdict.examined;
  }
  SearchRounds(edits, Depth::kQuick, seen, verdict);
  if (depth == Depth::kWhole && !verdict.killed) {
    SearchRounds(edits, Depth::kWhole, seen, verdict);
  }
  return verdict;
}

bool Judge::IsUntouched(const Seen& source, const Edits& edits) {
  const auto edit_of = [&](const SiteRecord& record) {
    return edits.Find(record.site, record.kind, record.order);
  };
  const std::vector<SiteRecord> operations = source.operations.Sorted();
  const std::vector<SiteRecord> stores = source.stores_of_threads.Sorted();
  return std::none_of(operations.begin(), operations.end(),
                      [&](const SiteRecord& record) {
                        const Edit* edit = edit_of(record);
                        return edit != nullptr && !edit->IsOfThreads() &&
                               !edit->Keeps(record.order, record.failure);
                      }) &&
         std::none_of(stores.begin(), stores.end(), [&](const SiteRecord& record) {
           const Edit* edit = edit_of(record);
           return edit != nullptr && edit->IsOfThreads();
         });
}

bool Judge::IsKnown(const Round& round, const Seen& seen) const {
  return seen.untouched && (seen.examined || round.depth <= visited_);
}

void Judge::SearchRounds(const Edits& edits, Depth depth, std::vector<Seen>& seen,
                         Verdict& verdict) const {
  EditingMachine machine(edits);
  const Interposition interposition(machine);
  const std::uint64_t effects_before = verdict.effects;
  verdict.scenarios = scenarios_.size();
  for (const Round& round : rounds_) {
    if (round.depth != depth) continue;
    for (std::size_t i = 0; i < scenarios_.size(); ++i) {
      if (IsKnown(round, seen[i])) continue;
      const ScenarioEntry& scenario = scenarios_[i];
      const std::optional<Search> search = SearchOf(round, scenario);
      if (!search || (round.kind == Search::Kind::kGraphs && seen[i].examined)) continue;
      const Start start{.seed = round.begin + 1, .state = ""};
      machine.CountStoresIn(seen[i].stores_of_threads);
      const SearchControl piece = PieceOf(round, seen[i]);
      const SearchResult result = RunSearch(scenario, *search, start, seen[i].operations, piece);
      verdict.executions += result.executions - (piece.from ? piece.from->executions : 0);
      verdict.effects = effects_before + machine.effects();
      if (result.failure && IsVerdict(result.failure->kind)) {
        verdict.killed = true;
        verdict.disagrees = seen[i].examined;
        verdict.scenario = scenario.text.name;
        verdict.search = *search;
        verdict.failure = *result.failure;
        verdict.replay = result.replay;
        return;
      }
      if (round.kind != Search::Kind::kGraphs) continue;
      seen[i].left = result.stopped;
      if (result.exhausted) {
        seen[i].examined = true;
        ++verdict.examined;
      }
    }
  }
}

}  // namespace nowait::model
