// A program that examines its scenarios with load buffering: `./nowait check --buffering`.
//
//   buffering                  the litmus tests about dependencies, then the scenarios
//   buffering --row LB+datas   one litmus test, with an execution that shows its outcome
//   buffering --scenario NAME  one scenario, with an execution that fails
//   buffering --list           what there is
//
// Exit code: 0 if every promise is kept, also where a scenario is bounded; 1 if a verdict of a
// litmus test differs, or a scenario fails for certain; 3 if one fails possibly; 4 if one does not
// fit; 2 if the command line is invalid.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

#include "models/kit/buffering/rows.h"
#include "models/kit/buffering/table.h"
#include "models/kit/process/command_line.h"
#include "models/kit/process/printing.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {
namespace {

constexpr int kFails = 1;
constexpr int kUsageError = 2;

void PrintRowHead() {
  fmt::print("{:<20} {:<9} {:>10} {:>9}  {}\n", "litmus test", "outcome", "executions", "buffering",
             "source");
}

// Returns whether the verdict is the expected one.
bool PrintRow(const Row& row, const SeenRow& seen) {
  const bool same = seen.seen == row.expected;
  fmt::print("{:<20} {:<9} {:>10} {:>9}  {}{}\n", row.name, Name(seen.seen),
             seen.explored.executions, seen.explored.buffering, row.source,
             same ? "" : fmt::format("  DIFFERS: {}", Name(row.expected)));
  return same;
}

int OneRow(const std::string& name) {
  const auto row = std::ranges::find(Rows(), name, &Row::name);
  if (row == Rows().end()) {
    fmt::print(stderr, "there is no litmus test '{}'; see --list\n", name);
    return kUsageError;
  }
  const SeenRow seen = Examine(*row);
  fmt::print("{}: {}\n", row->name, row->says);
  PrintRowHead();
  const bool same = PrintRow(*row, seen);
  fmt::print("{}", FailingExecution(seen.explored));
  return same ? 0 : kFails;
}

int Everything() {
  PrintRowHead();
  std::size_t differ = 0;
  for (const Row& row : Rows()) differ += PrintRow(row, Examine(row)) ? 0 : 1;
  fmt::print("{} litmus tests, {} differ\n\n", Rows().size(), differ);
  const int of_scenarios = static_cast<int>(PrintScenarios(Scenarios()));
  return differ == 0 ? of_scenarios : kFails;
}

void List() {
  for (const Row& row : Rows()) fmt::print("{:<20} {}\n", row.name, row.says);
  for (const ScenarioEntry& scenario : Scenarios()) {
    fmt::print("{}: {}\n", scenario.text.name, scenario.text.promise);
  }
}

int Run(int argc, char** argv) {
  bool list = false;
  std::string row;
  std::string scenario;
  CLI::App app("Examines scenarios with load buffering, by a model like IMM.");
  app.add_flag("--list", list, "Print the subjects of the litmus tests and the scenarios");
  app.add_option("--row", row, "Only this litmus test, with an execution that shows its outcome");
  app.add_option("--scenario", scenario, "Only this scenario, with an execution that fails");
  if (const auto status = ReadCommandLine(app, argc, argv)) return *status;
  if (list) {
    List();
    return 0;
  }
  if (!row.empty()) return OneRow(row);
  if (scenario.empty()) return Everything();
  if (std::ranges::none_of(Scenarios(), [&](const auto& s) { return s.text.name == scenario; })) {
    fmt::print(stderr, "there is no scenario '{}'; see --list\n", scenario);
    return kUsageError;
  }
  return static_cast<int>(PrintScenarios(Scenarios(), {.only = scenario}));
}

}  // namespace
}  // namespace nowait::model::buffering

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::model::buffering::Run(argc, argv); });
}
