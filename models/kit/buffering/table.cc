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

namespace {

// Exit statuses by their weight: the first one that applies to a scenario is the program's.
Status Worse(Status a, Status b) {
  for (const Status status : {Status::kFound, Status::kPossible, Status::kDoesNotFit}) {
    if (a == status || b == status) return status;
  }
  return Status::kKept;
}

Status StatusOf(const Explored& explored) {
  if (!explored.refused.empty()) return Status::kDoesNotFit;
  if (explored.found) return Status::kFound;
  return explored.doubtful ? Status::kPossible : Status::kKept;
}

bool FailsWith(const Explored& explored, const std::string& label) {
  return (explored.found && explored.found->label == label) ||
         (explored.doubtful && explored.doubtful->label == label);
}

}  // namespace

Status PrintScenarios(const std::vector<ScenarioEntry>& scenarios, const Printed& how) {
  fmt::print("{:<34} {:>10} {:>9} {:>8}  {}\n", "structure, scenario", "executions", "buffering",
             "possible", "promise");
  Status status = Status::kKept;
  int passed = 0;
  int failed = 0;
  bool is_killed = false;
  for (const ScenarioEntry& scenario : scenarios) {
    if (!how.only.empty() && how.only != scenario.text.name) continue;
    const Explored explored = ExploreBuffering(scenario, how.limits);
    fmt::print("{:<34} {:>10} {:>9} {:>8}  {}\n", scenario.text.name,
               FormatCount(explored.executions), FormatCount(explored.buffering),
               FormatCount(explored.possible), Verdict(explored));
    if (!how.only.empty()) fmt::print("{}", FailingExecution(explored));
    std::fflush(stdout);
    const Status own = StatusOf(explored);
    status = Worse(status, own);
    passed += own == Status::kKept ? 1 : 0;
    failed += own == Status::kFound || own == Status::kPossible ? 1 : 0;
    is_killed |= FailsWith(explored, how.expected_failure);
  }
  if (!how.expected_failure.empty()) {
    fmt::print("mutant {}: {}\n", is_killed ? "killed" : "NOT killed as declared",
               how.expected_failure);
    passed = is_killed ? 1 : 0;
    failed = 1 - passed;
    status = is_killed ? Status::kKept : Status::kFound;
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return status;
}

}  // namespace nowait::model::buffering
