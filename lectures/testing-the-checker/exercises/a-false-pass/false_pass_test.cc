// Judges TheScenario: the broken checker, which is linked here, has to pass it, and Relacy has to
// find an execution that breaks its promise.
#include <fmt/format.h>

#include "models/kit/engine/run_search.h"
#include "models/kit/scenario/model.h"

int main() {
  using namespace nowait::model;
  const ScenarioEntry entry =
      Scenario<TheScenario>::Entry({.name = "yours", .promise = "", .searches = {}});
  SiteTable sites;
  const SearchResult graphs = RunSearch(entry, Graphs(), {}, sites);
  const bool passed = graphs.exhausted && !graphs.failure && graphs.omitted.gaps.empty();
  fmt::print("the broken checker: {} executions, {}\n", graphs.executions,
             passed           ? "all examined"
             : graphs.failure ? graphs.failure->words
                              : "not all that C++20 allows");
  bool broken = false;
  for (const Search& search :
       {Full().AtMost(20'000), Random(20'000).StaleExchanges().DeepHistory()}) {
    const SearchResult found = RunSearch(entry, search, {}, sites);
    if (!found.failure) continue;
    fmt::print("Relacy: execution {} fails: {}\n", found.executions, found.failure->words);
    broken = found.failure->kind == FailureKind::kInvariant;
    break;
  }
  if (!broken) fmt::print("Relacy: no execution that breaks the promise was found\n");
  const bool is_false_pass = passed && broken;
  fmt::print("  {}  the broken checker passes, and the promise is broken\n",
             is_false_pass ? "yes" : "NO ");
  fmt::print("{}\n", is_false_pass ? "1 passed, 0 failed" : "0 passed, 1 failed");
  return is_false_pass ? 0 : 1;
}
