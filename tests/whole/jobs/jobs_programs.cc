// Random programs of jobs, on real threads: each promise of the headers of src/jobs is kept, and
// nothing hangs. make_program.h says what the programs do, script_run.h what is checked.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/jobs/make_program.h"
#include "tests/whole/jobs/program.h"
#include "tests/whole/jobs/run_program.h"
#include "tests/whole/jobs/shorten.h"
#include "tests/whole/separate_process.h"

namespace nowait::job_programs {
namespace {

using whole::FuzzBudget;
using whole::ProcessOutcome;
using whole::Progress;
using whole::RunApart;

// A program takes some milliseconds; with a sanitizer on a busy machine, a hundred times as long.
constexpr std::chrono::seconds kPatience(60);
// Once a program is known to hang.
constexpr std::chrono::seconds kShortPatience(3);
constexpr std::uint64_t kBatch = 200;
// How often a program is run before it counts as one that does not fail.
constexpr int kTries = 300;

ProcessOutcome RunOften(const Program& program, int tries, std::chrono::seconds patience) {
  return RunApart(
      [&](Progress& progress) {
        for (int i = 0; i < tries; ++i) {
          RunProgram(program);
          progress.fetch_add(1);
        }
      },
      patience);
}

void Report(const FuzzBudget& budget, std::uint64_t seed, const ProcessOutcome& outcome) {
  const Program program = MakeProgram(seed);
  const bool again = !RunOften(program, kTries, kShortPatience).fine();
  UNSCOPED_INFO(outcome.text << budget.HowToReplay(seed));
  if (again) {
    const Program shortest = Shorten(
        program,
        [](const Program& candidate) {
          return !RunOften(candidate, kTries, kShortPatience).fine();
        },
        300);
    UNSCOPED_INFO("the shortest that fails:\n" << ToText(shortest));
  } else {
    UNSCOPED_INFO("in " << kTries << " more runs it did not fail again; it is:\n"
                        << ToText(program));
  }
  FAIL("seed " << seed << " breaks a promise");
}

TEST_CASE("Programs of jobs made at random keep what the headers promise") {
  FuzzBudget budget("jobs", {.programs = 4000});
  std::vector<std::uint64_t> seeds;
  do {
    seeds.clear();
    while (seeds.size() < kBatch) {
      const auto seed = budget.Next();
      if (!seed) break;
      seeds.push_back(*seed);
    }
    const int tries = budget.replays() ? kTries : 1;
    const ProcessOutcome outcome = RunApart(
        [&](Progress& progress) {
          for (const std::uint64_t seed : seeds) {
            const Program program = MakeProgram(seed);
            for (int i = 0; i < tries; ++i) RunProgram(program);
            progress.fetch_add(1);
          }
        },
        kPatience);
    if (!outcome.fine())
      Report(budget, seeds[std::min(outcome.progress, seeds.size() - 1)], outcome);
  } while (seeds.size() == kBatch);
}

}  // namespace
}  // namespace nowait::job_programs
