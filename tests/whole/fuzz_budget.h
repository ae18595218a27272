// FuzzBudget: how many random programs a test runs, and from which seeds.
//
//   TEST_CASE("Random programs of jobs keep the promises of the headers", "[fuzz]") {
//     FuzzBudget budget("jobs", {.programs = 2000});
//     while (const auto seed = budget.Next()) {
//       if (auto failure = Run(MakeProgram(*seed))) {
//         FAIL(Shorten(...) << "\n" << budget.HowToReplay(*seed));
//       }
//     }
//   }
//
// A program is made from its seed alone, so the seed is all that a replay needs. The seeds are
// consecutive numbers. Three variables of the environment say which:
//
//   NOWAIT_FUZZ_SECONDS   S programs are begun for so long, whatever their number
//   NOWAIT_FUZZ_SEED      N with seconds, the first seed; without, the one seed that is run
//   (neither)             seeds 1 .. FuzzLimits::programs, but none is begun after
//                         FuzzLimits::seconds: a sanitizer runs fewer programs in CI, not longer
//
// `./nowait test --fuzz-minutes M [--only NAME]` and `--fuzz-seed N --only NAME` set them. A test
// that takes part has a target called NAME_programs with the tag "random_programs"
// (tools/rules/tests.bzl, random_programs_test). `name` is that NAME. The clock decides only when
// to stop, never what a program does.
//
// Thread safety: one thread's.
#ifndef NOWAIT_TESTS_WHOLE_FUZZ_BUDGET_H_
#define NOWAIT_TESTS_WHOLE_FUZZ_BUDGET_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace nowait::whole {

// For a run without the environment, as in CI.
struct FuzzLimits {
  std::uint64_t programs = 1000;
  std::uint32_t seconds = 15;
};

class FuzzBudget {
 public:
  // Reads the environment. A value that is no number ends the process with a message: it is the
  // command's mistake, and to run something else instead would look like success.
  FuzzBudget(std::string name, const FuzzLimits& limits);
  // Prints how many programs were run, their seeds and the time.
  ~FuzzBudget();
  FuzzBudget(const FuzzBudget&) = delete;
  FuzzBudget& operator=(const FuzzBudget&) = delete;

  // The next program's seed; none when the budget is used up. The first call always has one.
  std::optional<std::uint64_t> Next();

  // Whether one program is run alone, so that it may print all that it does.
  bool replays() const { return replays_; }
  std::uint64_t programs() const { return programs_; }

  // One line: the command that runs the program of this seed again, in this configuration.
  std::string HowToReplay(std::uint64_t seed) const;

 private:
  const std::string name_;
  FuzzLimits limits_;
  bool replays_ = false;
  std::uint64_t first_ = 1;
  std::uint64_t programs_ = 0;
  const std::chrono::steady_clock::time_point begin_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FUZZ_BUDGET_H_
