// A model's scenarios with every plain access of their threads watched (watch.h): the main function
// of <model>_watched (models/model.bzl).
//
// A watched execution takes several times as long, so a scenario's search ends after the first ones
// here. A race in one execution is a race in most: it takes two accesses that nothing orders, and
// no certain values. The scenario's own searches, all executions, are another program's.
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

// Whether nothing failed.
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
