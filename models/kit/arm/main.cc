// The command behind `./nowait check --arm`.
//
//   arm --litmus FILE...   litmus tests with published verdicts, beside the verdicts here
//
// Exit code: 0; 1 if a verdict differs; 2 if a file or the command line is invalid.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/arm/litmus.h"
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

int Run(int argc, char** argv) {
  std::vector<std::string> litmus;
  CLI::App app("Judges AArch64 code by the axiomatic model of ARMv8.");
  app.add_option("--litmus", litmus, "Files of litmus tests")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kUsageError;
  }
  return Litmus(litmus);
}

}  // namespace
}  // namespace nowait::arm

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::arm::Run(argc, argv); });
}
