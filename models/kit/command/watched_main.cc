// The main function of <model>_watched (models/model.bzl): a model's scenarios, with every plain
// access of their threads watched (watch.h).
//
// A watched execution takes several times as long, so each search here ends after its first
// executions. A race in one execution is usually a race in most: it takes two unordered accesses
// and no particular values. Another program runs the scenario's own searches over all executions.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/process/printing.h"
#include "models/kit/program/failure.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {
namespace {

constexpr std::uint64_t kExecutions = 50'000;

// Returns whether nothing failed.
bool Run(const ScenarioEntry& scenario) {
  SiteTable sites;
  const SearchResult result =
      RunExhaustive(scenario, Graphs().AtMost(kExecutions), {}, sites, SearchControl{});
  fmt::print("{}: plain memory watched in {}{} executions\n", scenario.text.name,
             result.exhausted ? "all " : "the first ", result.executions);
  if (!result.failure) return result.exhausted || result.executions == kExecutions;
  fmt::print("  {}: {} at {}\n{}{}\n", Name(result.failure->kind), result.failure->words,
             Format(result.failure->site), result.trace.Format(), Advice(result.failure->kind));
  return false;
}

int RunAll() {
  int passed = 0;
  int failed = 0;
  for (const ScenarioEntry& scenario : Scenarios()) ++(Run(scenario) ? passed : failed);
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nowait::model

int main() { return nowait::model::Printing(nowait::model::RunAll); }
