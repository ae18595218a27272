#include "models/kit/buffering/table.h"

#include <fmt/format.h>

#include <cstdio>

#include "models/kit/process/count.h"

namespace nowait::model::buffering {

std::string Verdict(const Explored& explored) {
  if (!explored.refused.empty()) return "does not fit: " + explored.refused;
  if (explored.found) return "BROKEN: " + explored.found->label;
  if (explored.doubtful) return "POSSIBLE: " + explored.doubtful->label;
  std::string kept = explored.cut != 0 ? "kept, bounded" : "kept";
  if (explored.failing != 0) kept += ", up to a Check within a thread";
  return explored.stuck != 0 ? kept + ", but threads may spin for ever" : kept;
}

std::string FailingExecution(const Explored& explored) {
  if (explored.found) return explored.found->threads;
  return explored.doubtful ? explored.doubtful->threads : "";
}

int PrintScenarios(const std::vector<ScenarioEntry>& scenarios, const std::string& only) {
  fmt::print("{:<34} {:>10} {:>9} {:>8}  {}\n", "structure, scenario", "executions", "buffering",
             "possible", "promise");
  bool fails = false;
  for (const ScenarioEntry& scenario : scenarios) {
    if (!only.empty() && only != scenario.text.name) continue;
    const Explored explored = ExploreBuffering(scenario);
    fmt::print("{:<34} {:>10} {:>9} {:>8}  {}\n", scenario.text.name,
               FormatCount(explored.executions), FormatCount(explored.buffering),
               FormatCount(explored.possible), Verdict(explored));
    if (!only.empty()) fmt::print("{}", FailingExecution(explored));
    std::fflush(stdout);
    fails |= explored.found.has_value();
  }
  return fails ? 1 : 0;
}

}  // namespace nowait::model::buffering
