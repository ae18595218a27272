// Random rides on real threads.
#include <catch2/catch.hpp>

#include "tests/streaming/small_world.h"
#include "tests/whole/fuzz_budget.h"
#include "tests/whole/openworld/ride_program.h"

namespace nowait::ride_programs {
namespace {

TEST_CASE("rides end, and replayed ones are the same on any threads", "[fuzz]") {
  const TemporaryFolder folder;
  const Worlds worlds(folder.path());
  whole::FuzzBudget budget("rides", {.programs = 200, .seconds = 5});
  while (const auto seed = budget.Next()) {
    const RideProgram program = MakeProgram(*seed);
    auto broken = Check(program, worlds);
    if (!broken) continue;
    const RideProgram smallest = Shorten(program, [&](const RideProgram& candidate) {
      const auto again = Check(candidate, worlds);
      if (again) broken = again;
      return again.has_value();
    });
    FAIL(*broken << "\n" << Print(smallest) << budget.HowToReplay(*seed));
  }
}

}  // namespace
}  // namespace nowait::ride_programs
