#include "tests/whole/fuzz_budget.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

namespace nowait::whole {
namespace {

// The environment's two variables, as they were, when a test has ended.
class Environment {
 public:
  Environment() { Clear(); }
  ~Environment() { Clear(); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  void Seconds(const char* value) { setenv("NOWAIT_FUZZ_SECONDS", value, 1); }
  void Seed(const char* value) { setenv("NOWAIT_FUZZ_SEED", value, 1); }

 private:
  static void Clear() {
    unsetenv("NOWAIT_FUZZ_SECONDS");
    unsetenv("NOWAIT_FUZZ_SEED");
  }
};

std::vector<std::uint64_t> SeedsOf(FuzzBudget& budget, std::size_t at_most = 100) {
  std::vector<std::uint64_t> seeds;
  while (seeds.size() < at_most) {
    const auto seed = budget.Next();
    if (!seed) break;
    seeds.push_back(*seed);
  }
  return seeds;
}

TEST_CASE("Without an environment the number of programs is the test's own") {
  Environment environment;
  FuzzBudget budget("name", {.programs = 3, .seconds = 600});
  CHECK(SeedsOf(budget) == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(budget.programs() == 3);
  CHECK_FALSE(budget.replays());
}

TEST_CASE("One program is run even if there is no time at all") {
  Environment environment;
  FuzzBudget budget("name", {.programs = 3, .seconds = 0});
  CHECK(SeedsOf(budget) == std::vector<std::uint64_t>{1});
}

TEST_CASE("A seed alone is one program's, run again") {
  Environment environment;
  environment.Seed("18446744073709551615");
  FuzzBudget budget("name", {.programs = 3, .seconds = 600});
  CHECK(SeedsOf(budget) == std::vector<std::uint64_t>{18446744073709551615u});
  CHECK(budget.replays());
}

TEST_CASE("Seconds take the place of the number, and a seed beside them is the first") {
  Environment environment;
  environment.Seconds("600");
  environment.Seed("7");
  FuzzBudget budget("name", {.programs = 3, .seconds = 0});
  CHECK(SeedsOf(budget, 5) == std::vector<std::uint64_t>{7, 8, 9, 10, 11});
  CHECK_FALSE(budget.replays());
}

TEST_CASE("The replay names the seed, the test and the configuration") {
  Environment environment;
  const FuzzBudget budget("name", {.programs = 1});
  const std::string command = budget.HowToReplay(12);
  CHECK(command.find("./nowait test --fuzz-seed 12 --only name --config ") != std::string::npos);
}

}  // namespace
}  // namespace nowait::whole
