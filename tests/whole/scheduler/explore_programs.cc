#include "tests/whole/scheduler/explore_programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "src/math/random.h"
#include "tests/whole/scheduler/fault_scope.h"

namespace nowait::whole {
namespace {

// Far enough apart that two programs have no schedule in common.
constexpr std::uint64_t kSeedsForEach = 1u << 16;
// One program in so many meets faults.
constexpr std::uint32_t kFaultyPrograms = 4;

}  // namespace

// At random, and not in turn: what a program is like may depend on its seed's remainders.
ExploreOptions OptionsFor(std::uint64_t seed, const ExploreOptions& options) {
  Random random(seed);
  ExploreOptions own = options;
  own.seed = seed * kSeedsForEach;
  own.first_turn = random.Next();
  own.with_faults = options.with_faults && random.Below(kFaultyPrograms) == 0;
  return own;
}

void ExploreOrExit(const std::function<void()>& program, std::uint64_t seed,
                   const ExploreOptions& options) {
  const auto run = [&program] {
    const FaultScope own(false);
    program();
  };
  const Exploration found = Explore(run, OptionsFor(seed, options));
  if (!found.failure) return;
  std::fputs(found.report.c_str(), stderr);
  std::fflush(stderr);
  _exit(1);
}

std::uint64_t SchedulesOfEach(std::uint64_t usual) {
  const char* const text = std::getenv("NOWAIT_FUZZ_SCHEDULES");
  if (text == nullptr) return usual;
  const std::string_view digits = text;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number == 0) {
    fmt::print(stderr, "NOWAIT_FUZZ_SCHEDULES is a number above zero, not \"{}\"\n", digits);
    std::exit(2);
  }
  return number;
}

void PrintFound(const std::string& report, std::uint64_t seed, std::uint64_t program,
                std::uint64_t schedules) {
  fmt::print(
      "{}seed {} breaks a promise: program {}, of {} schedules each; now it is made smaller\n",
      report, seed, program, schedules);
  std::fflush(stdout);
}

}  // namespace nowait::whole
