#include "tests/whole/scheduler/explore_programs.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "tests/whole/scheduler/api_call.h"

namespace nowait::whole {
namespace {

// The kind and, of PCT, the depth of the strategy under which the program of this seed has its n-th
// schedule: the program fails then, and not before.
std::string StrategyOf(std::uint64_t seed, std::uint64_t n, const ExploreOptions& options) {
  std::uint64_t runs = 0;
  const auto program = [&] { Require(++runs < n, "the program fails in its n-th run"); };
  ExploreOptions own = OptionsFor(seed, options);
  own.most_runs_to_shorten = 0;
  const Exploration found = Explore(program, own);
  REQUIRE(found.failure);
  REQUIRE(found.schedules == n);
  const std::string name = ToString(found.strategy);
  return name.substr(0, name.find('-'));
}

TEST_CASE("random programs of a few schedules each run under all strategies equally often") {
  constexpr std::uint64_t kPrograms = 3000;
  for (const std::uint64_t schedules : {2u, 3u}) {
    std::map<std::string, std::uint64_t> uses;
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
      for (std::uint64_t n = 1; n <= schedules; ++n) {
        ++uses[StrategyOf(seed, n, {.schedules = schedules})];
      }
    }
    REQUIRE(uses.size() == 6);
    for (const auto& [name, times] : uses) {
      INFO(name << ": " << times << " of " << kPrograms * schedules);
      CHECK(times > kPrograms * schedules / 7);
      CHECK(times < kPrograms * schedules / 5);
    }
  }
}

TEST_CASE("one in four of the programs that may meet faults does, and no other one") {
  constexpr std::uint64_t kPrograms = 4000;
  std::uint64_t faulty = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    CHECK_FALSE(OptionsFor(seed, {}).with_faults);
    faulty += OptionsFor(seed, {.with_faults = true}).with_faults ? 1 : 0;
  }
  CHECK(faulty > kPrograms / 5);
  CHECK(faulty < kPrograms / 3);
}

TEST_CASE("the same seed gives the same options, and another one other schedules") {
  const ExploreOptions one = OptionsFor(7, {.with_faults = true});
  const ExploreOptions again = OptionsFor(7, {.with_faults = true});
  CHECK(one.seed == again.seed);
  CHECK(one.first_turn == again.first_turn);
  CHECK(one.with_faults == again.with_faults);
  CHECK(one.seed != OptionsFor(8, {}).seed);
}

}  // namespace
}  // namespace nowait::whole
