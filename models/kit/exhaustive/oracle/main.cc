// Compares the exhaustive checker with brute force and with interleavings, on random programs.
//
//   oracle                          a thousand programs of each style
//   oracle --programs 38000         a million in all
//   oracle --style spins --programs 1000000    a million of one style
//   oracle --style fences --seed 7  other programs, of one style
//   oracle --list                   the styles
//
// Exit code: 0; 1 if something differed; 2 if the command line is invalid. With --expect-difference
// it is 0 if something differed, and the search ends at the first difference.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/generator.h"
#include "models/kit/exhaustive/oracle/trial.h"
#include "models/kit/process/interrupt.h"

namespace nowait::model::oracle {
namespace {

constexpr int kUsageError = 2;

struct Options {
  std::uint64_t programs = 1'000;  // per style
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
  std::string style;
  bool expects_difference = false;
};

// A line every ten seconds: people who wait for an hour want to know the progress.
class ProgressLines {
 public:
  void Show(std::uint64_t done, std::uint64_t all) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    if (elapsed.count() < next_) return;
    next_ = elapsed.count() + kSeconds;
    const double left =
        elapsed.count() * static_cast<double>(all - done) / static_cast<double>(done);
    fmt::print("{} of {} programs of each style, {:.0f} s, about {:.0f} s left\n", done, all,
               elapsed.count(), left);
    std::fflush(stdout);
  }

 private:
  static constexpr double kSeconds = 10;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double next_ = kSeconds;
};

using Trials = std::vector<std::unique_ptr<Trial>>;

Trials TrialsOf(const Options& options) {
  Trials trials;
  for (const Style& style : Styles()) {
    std::vector<Checker> checkers = {FindByMachine};
    if (!HasData(style)) checkers.push_back(FindByGraphs);
    trials.push_back(std::make_unique<StraightLineTrial>(style, options.seed, std::move(checkers)));
  }
  trials.push_back(std::make_unique<SymmetricTrial>(options.seed, FindRepresentatives));
  for (const WaitingStyle& style : WaitingStyles()) {
    trials.push_back(std::make_unique<WaitingTrial>(style, options.seed, WaitByMachine));
  }
  trials.push_back(std::make_unique<RetryTrial>(options.seed, RetryByMachine));
  std::erase_if(trials, [&](const std::unique_ptr<Trial>& trial) {
    return !options.style.empty() && trial->name() != options.style;
  });
  return trials;
}

void Print(const Trial& trial) {
  const Tally& tally = trial.tally();
  fmt::print(
      "{:<13} {} programs, {} executions, {} of the largest, {} with a race, {} that may end "
      "in a wait: {}\n",
      trial.name(), tally.programs, tally.executions, tally.largest, tally.races, tally.ends,
      tally.differing == 0 ? "no difference" : fmt::format("{} differ", tally.differing));
}

int Compare(const Options& options, const Trials& trials) {
  const std::atomic<int>& interrupted = CatchInterrupts();
  ProgressLines progress;
  std::uint64_t number = options.first;
  const std::uint64_t end = options.first + options.programs;
  // relaxed: only the number is needed.
  for (; number < end && interrupted.load(std::memory_order::relaxed) == 0; ++number) {
    for (const auto& trial : trials) {
      const std::string differs = trial->Run(number);
      if (differs.empty()) continue;
      fmt::print("{}", differs);
      if (options.expects_difference) {
        fmt::print("found by program {} of each style\n1 passed, 0 failed\n",
                   number - options.first + 1);
        return 0;
      }
    }
    progress.Show(number - options.first + 1, options.programs);
  }
  std::uint64_t failed = 0;
  for (const auto& trial : trials) {
    Print(*trial);
    if (trial->tally().differing != 0) ++failed;
  }
  if (number < end) {
    fmt::print("interrupted; go on with --seed {} --first {} --programs {}{}\n", options.seed,
               number, end - number, options.style.empty() ? "" : " --style " + options.style);
    return 1;
  }
  if (options.expects_difference) failed = trials.size();
  fmt::print("{} passed, {} failed\n", trials.size() - failed, failed);
  return failed == 0 ? 0 : 1;
}

int Main(int argc, char** argv) {
  Options options;
  bool list = false;
  CLI::App app("Compares the exhaustive checker with brute force on random programs.");
  app.add_flag("--list", list, "Print the names of the styles");
  app.add_option("--programs", options.programs, "How many of each style")
      ->check(CLI::PositiveNumber);
  app.add_option("--first", options.first, "The number of the first program");
  app.add_option("--seed", options.seed, "Other programs");
  app.add_option("--style", options.style, "Only programs of this style; see --list");
  app.add_flag("--expect-difference", options.expects_difference,
               "For a checker that is known to be wrong");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kUsageError;
  }
  if (list) {
    for (const auto& trial : TrialsOf({})) fmt::print("{}\n", trial->name());
    return 0;
  }
  const Trials trials = TrialsOf(options);
  if (trials.empty()) {
    fmt::print(stderr, "there is no style '{}'; see --list\n", options.style);
    return kUsageError;
  }
  return Compare(options, trials);
}

}  // namespace
}  // namespace nowait::model::oracle

int main(int argc, char** argv) { return nowait::model::oracle::Main(argc, argv); }
