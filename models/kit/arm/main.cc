// The command behind `./nowait check --arm`.
//
//   arm --litmus FILE...   litmus tests with published verdicts, beside the verdicts here
//   arm --code FILE...     the scenarios of structures, in object code that objdump has printed
//   arm --cpp FILE --code FILE...   the same, beside what the C++ checker has found (its --json)
//
// Exit code: 0; 1 if a verdict differs or a promise is broken; 2 if a file or the command line is
// invalid.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/kit/arm/litmus.h"
#include "models/kit/arm/object_code.h"
#include "models/kit/arm/scenarios.h"
#include "models/kit/process/command_line.h"
#include "models/kit/process/printing.h"

namespace nowait::arm {
namespace {

constexpr int kDiffers = 1;
constexpr int kUsageError = 2;

std::optional<std::string> Text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

const char* Word(bool allowed) { return allowed ? "allowed" : "forbidden"; }

int Litmus(const std::vector<std::string>& paths) {
  std::size_t tests = 0;
  std::size_t differ = 0;
  fmt::print("{:<26} {:<10} {:<10} {:>10}\n", "AArch64 litmus test", "published", "here",
             "executions");
  for (const std::string& path : paths) {
    const auto text = Text(path);
    if (!text) {
      fmt::print(stderr, "{}: the file cannot be read\n", path);
      return kUsageError;
    }
    const auto parsed = ParseLitmus(*text);
    if (!parsed) {
      fmt::print(stderr, "{}: {}\n", path, parsed.error());
      return kUsageError;
    }
    for (const LitmusTest& test : *parsed) {
      const auto verdict = Judge(test);
      if (!verdict) {
        fmt::print(stderr, "{}: {}\n", path, verdict.error());
        return kUsageError;
      }
      ++tests;
      const bool same = verdict->allowed == test.allowed;
      if (!same) ++differ;
      fmt::print("{:<26} {:<10} {:<10} {:>10}{}\n", test.name, Word(test.allowed),
                 Word(verdict->allowed), verdict->executions,
                 same ? "" : "  differs from " + test.source);
    }
  }
  fmt::print("{} litmus tests, {} differ from what is published\n", tests, differ);
  return differ == 0 ? 0 : kDiffers;
}

// "all 6 executions", "broken": the verdict on one scenario in one file.
std::string Found(const ScenarioResult& result) {
  if (!result.kept) return "BROKEN";
  if (result.cut != 0) return fmt::format("kept, {} bounded", result.executions);
  return fmt::format("kept, all {}", result.executions);
}

// The verdicts of the C++ checker, by the scenario's name in its report.
std::optional<std::map<std::string, std::string>> CppVerdicts(const std::string& path) {
  const auto text = Text(path);
  if (!text) return {};
  const auto report = nlohmann::json::parse(*text, nullptr, false);
  if (report.is_discarded() || !report.contains("scenarios")) return {};
  std::map<std::string, std::string> verdicts;
  for (const auto& scenario : report["scenarios"]) {
    const auto& searches = scenario["searches"];
    if (searches.empty()) continue;
    verdicts[scenario.value("name", "")] =
        !scenario.value("passed", false) ? "BROKEN"
        : scenario.value("verdict", "") != "passed"
            ? "kept, bounded"
            : fmt::format("kept, all {}", searches[0].value("executions", std::uint64_t{0}));
  }
  return verdicts;
}

int Code(const std::vector<std::string>& paths, const std::string& cpp) {
  std::map<std::string, std::string> of_cpp;
  if (!cpp.empty()) {
    const auto verdicts = CppVerdicts(cpp);
    if (!verdicts) {
      fmt::print(stderr, "{}: no report of the C++ checker\n", cpp);
      return kUsageError;
    }
    of_cpp = *verdicts;
  }
  std::map<std::string, std::vector<std::string>> rows;  // by scenario: a column for each file
  std::string broken;
  std::set<std::string> names;  // of the broken ones
  for (const std::string& path : paths) {
    const auto text = Text(path);
    if (!text) {
      fmt::print(stderr, "{}: the file cannot be read\n", path);
      return kUsageError;
    }
    const auto program = ParseObjectCode(*text);
    if (!program) {
      fmt::print(stderr, "{}: {}\n", path, program.error());
      return kUsageError;
    }
    const auto scenarios = ScenariosOf(*program);
    if (!scenarios) {
      fmt::print(stderr, "{}: {}\n", path, scenarios.error());
      return kUsageError;
    }
    for (const Scenario& scenario : *scenarios) {
      const auto result = Examine(*program, scenario, Limits{});
      if (!result) {
        fmt::print(stderr, "{}: {}\n", path, result.error());
        return kUsageError;
      }
      auto& row = rows[scenario.name];
      if (row.empty() && !cpp.empty()) {
        const std::string& found = of_cpp[scenario.name];
        row.push_back(found.empty() ? "NOT EXAMINED" : found);
        if (found.empty() || found == "BROKEN") {
          names.insert(scenario.name);
          broken += fmt::format("{}, C++20: {}\n", scenario.name, row.back());
        }
      }
      row.push_back(Found(*result));
      if (!result->kept) {
        names.insert(scenario.name);
        broken += fmt::format("{}, {}: broken: {}\n{}", scenario.name, path, scenario.promise,
                              result->broken);
      }
    }
  }
  std::string head = fmt::format("{:<34}", "structure, scenario");
  if (!cpp.empty()) head += fmt::format(" {:<18}", "C++20");
  for (const std::string& path : paths) {
    head += fmt::format(" {:<18}", std::filesystem::path(path).stem().string());
  }
  fmt::print("{}\n", head);
  for (const auto& [name, row] : rows) {
    std::string line = fmt::format("{:<34}", name);
    for (const std::string& found : row) line += fmt::format(" {:<18}", found);
    fmt::print("{}\n", line);
  }
  fmt::print("{}", broken);
  fmt::print("{} scenarios, {} broken or not examined\n", rows.size(), names.size());
  return broken.empty() ? 0 : kDiffers;
}

int Run(int argc, char** argv) {
  std::vector<std::string> litmus;
  std::vector<std::string> code;
  std::string cpp;
  CLI::App app("Judges AArch64 code by the axiomatic model of ARMv8.");
  app.add_option("--litmus", litmus, "Files of litmus tests");
  app.add_option("--code", code, "Object code of scenarios, as objdump prints it");
  app.add_option("--cpp", cpp, "What the C++ checker found of the same scenarios");
  if (const auto status = model::ReadCommandLine(app, argc, argv)) return *status;
  if (litmus.empty() == code.empty()) {
    fmt::print(stderr, "either --litmus or --code, with its files\n");
    return kUsageError;
  }
  return litmus.empty() ? Code(code, cpp) : Litmus(litmus);
}

}  // namespace
}  // namespace nowait::arm

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::arm::Run(argc, argv); });
}
