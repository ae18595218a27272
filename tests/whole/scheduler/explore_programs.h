// ProgramExplorer: random programs under the scheduler: each of them under some schedules.
//
//   TEST_CASE("random programs keep what the headers promise under every schedule that is tried") {
//     ProgramExplorer<Program>(
//         {.make = &MakeProgram, .run = &RunProgram, .shorten = ..., .text = &ToText},
//         {.schedules = 3}).Spend(budget);
//   }
//
// A program, its schedules and its faults depend on the program's seed alone, so the seed replays
// the failure. A program that fails is made smaller: a smaller one counts as failing if one of
// kSchedulesToShorten schedules fails. Then the schedule of the smallest is shortened, and both are
// printed.
//
// The failure is printed when it is found, with the number of programs and of schedules until then;
// the smaller program comes after it.
//
// With options.with_faults, an allocation fails, a thread is refused or the time jumps in some
// runs. That hits the calls of a program in MeetingFaults (fault_scope.h), and no other part of it.
//
// All programs run in processes of their own: the remains of a failing run (Machine) end with them.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_EXPLORE_PROGRAMS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_EXPLORE_PROGRAMS_H_

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/separate_process.h"

namespace nowait::whole {

template <class Program>
struct ProgramKind {
  std::function<Program(std::uint64_t seed)> make;
  // Ends the run when a promise is broken (Require).
  std::function<void(const Program&)> run;
  // The smallest program for which `fails` is still true.
  std::function<Program(const Program&, const std::function<bool(const Program&)>& fails)> shorten;
  std::function<std::string(const Program&)> text;
};

// The options for the program of this seed: its schedules are its own, a strategy of its own comes
// first, so that few schedules of each of many programs use all strategies equally, and if
// options.with_faults says that programs may meet faults, one in four does.
ExploreOptions OptionsFor(std::uint64_t seed, const ExploreOptions& options);

// Explores one program: the process that calls this ends with status 1 and the report on stderr if
// a schedule fails. seed: the program's.
void ExploreOrExit(const std::function<void()>& program, std::uint64_t seed,
                   const ExploreOptions& options);

// How many schedules each program runs under: NOWAIT_FUZZ_SCHEDULES of the environment, or `usual`.
std::uint64_t SchedulesOfEach(std::uint64_t usual);

// Prints the report of a failure. program: its number among those that were run, from 1. schedules:
// of each.
void PrintFound(const std::string& report, std::uint64_t seed, std::uint64_t program,
                std::uint64_t schedules);

template <class Program>
class ProgramExplorer {
 public:
  // options: as of OptionsFor.
  ProgramExplorer(ProgramKind<Program> kind, const ExploreOptions& options)
      : kind_(std::move(kind)), options_(options) {
    options_.schedules = SchedulesOfEach(options.schedules);
  }

  // Explores the budget's programs. Fails the test at the first that breaks a promise.
  void Spend(FuzzBudget& budget) {
    for (std::vector<std::uint64_t> seeds = Take(budget); !seeds.empty(); seeds = Take(budget)) {
      const ProcessOutcome outcome = RunApart(
          [&](Progress& progress) {
            for (const std::uint64_t seed : seeds) {
              const Program program = kind_.make(seed);
              ExploreOrExit([&] { kind_.run(program); }, seed, options_);
              progress.fetch_add(1, std::memory_order::relaxed);
            }
          },
          kPatience);
      const std::size_t fine = std::min<std::size_t>(outcome.progress, seeds.size() - 1);
      if (!outcome.fine()) Report(budget, seeds[fine], programs_ + fine + 1, outcome);
      programs_ += seeds.size();
    }
  }

 private:
  // A run has a limit of steps. So only work between two steps can last longer than this.
  static constexpr std::chrono::seconds kPatience{60};
  static constexpr std::size_t kBatch = 50;
  static constexpr std::uint64_t kSchedulesToShorten = 60;

  static std::vector<std::uint64_t> Take(FuzzBudget& budget) {
    std::vector<std::uint64_t> seeds;
    while (seeds.size() < kBatch) {
      const auto seed = budget.Next();
      if (!seed) break;
      seeds.push_back(*seed);
    }
    return seeds;
  }

  ProcessOutcome ExploreApart(const Program& program, std::uint64_t seed,
                              const ExploreOptions& options) {
    return RunApart([&](Progress&) { ExploreOrExit([&] { kind_.run(program); }, seed, options); },
                    kPatience);
  }

  void Report(const FuzzBudget& budget, std::uint64_t seed, std::uint64_t program,
              const ProcessOutcome& outcome) {
    PrintFound(outcome.text, seed, program, options_.schedules);
    ExploreOptions more = options_;
    more.schedules = kSchedulesToShorten;
    ExploreOptions quick = more;
    quick.most_runs_to_shorten = 0;
    const Program smallest = kind_.shorten(kind_.make(seed), [&](const Program& candidate) {
      return !ExploreApart(candidate, seed, quick).fine();
    });
    const ProcessOutcome last = ExploreApart(smallest, seed, more);
    UNSCOPED_INFO((last.fine() ? outcome.text : last.text)
                  << "of the smallest program that fails:\n"
                  << kind_.text(smallest) << budget.HowToReplay(seed));
    FAIL("seed " << seed << " breaks a promise");
  }

  const ProgramKind<Program> kind_;
  ExploreOptions options_;
  std::uint64_t programs_ = 0;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_EXPLORE_PROGRAMS_H_
