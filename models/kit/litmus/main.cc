// The command behind `./nowait check --litmus`.
//
//   litmus               the table, and the gaps in words
//   litmus --row SB+rlx  one row explained, with an execution that produces it
//   litmus --table       the table alone: what models/kit/litmus/table.txt holds
//   litmus --list        what the rows are about
//   litmus --json FILE   for programs; the schema is in table.h
//
// Exit code: 0; 1 if a forbidden outcome was produced; 2 if the command line is invalid.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/table.h"
#include "models/kit/process/command_line.h"
#include "models/kit/process/files.h"
#include "models/kit/process/printing.h"

namespace nowait::model {
namespace {

constexpr int kUsageError = 2;

int ExplainRow(const std::string& name) {
  for (const LitmusTest& test : LitmusTests()) {
    if (name != test.name) continue;
    MeasuredRow row{&test, {}};
    for (const Search& search : LitmusSearches()) row.by_search.push_back(Measure(test, search));
    fmt::print("{}", Explain(row));
    return row.Wrong() ? 1 : 0;
  }
  fmt::print(stderr, "there is no litmus test '{}'; see --list\n", name);
  return kUsageError;
}

void List() {
  for (const LitmusTest& test : LitmusTests()) {
    fmt::print("{:<19} {}: {}\n", test.name, test.says, test.asked);
  }
}

int RunAll(bool table_only, const std::string& json) {
  const std::vector<MeasuredRow> rows = MeasureAll();
  fmt::print("{}", FormatTable(rows));
  if (!table_only) fmt::print("\n{}", FormatSummary(rows));
  if (!json.empty()) {
    if (!WriteWhole(json, ToJson(rows))) {
      fmt::print(stderr, "{} cannot be written: {}\n", json, std::strerror(errno));
      return kUsageError;
    }
  }
  return std::any_of(rows.begin(), rows.end(), [](const MeasuredRow& row) { return row.Wrong(); })
             ? 1
             : 0;
}

int Run(int argc, char** argv) {
  bool list = false;
  bool table_only = false;
  std::string row;
  std::string json;
  CLI::App app(
      "Runs the litmus suite: outcomes that C++20 allows, and those that the searches produce.");
  app.add_flag("--list", list, "Print the subjects of the rows");
  app.add_flag("--table", table_only, "Print the table alone");
  app.add_option("--row", row, "Only this row, explained, with an execution that produces it");
  app.add_option("--json", json, "Write the results to this file");
  if (const auto status = ReadCommandLine(app, argc, argv)) return *status;
  // Bazel's folder for a test's outputs, from which ./nowait check reads them.
  if (const char* outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR"); outputs && json.empty()) {
    json = fmt::format("{}/result.json", outputs);
  }
  if (list) {
    List();
    return 0;
  }
  return row.empty() ? RunAll(table_only, json) : ExplainRow(row);
}

}  // namespace
}  // namespace nowait::model

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::model::Run(argc, argv); });
}
