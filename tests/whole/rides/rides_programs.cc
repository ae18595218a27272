// Random rides on real threads.
#include <catch2/catch.hpp>

#include "tests/streaming/small_world.h"
#include "tests/whole/fuzz_budget.h"
#include "tests/whole/rides/ride_program.h"

namespace nowait::ride_programs {
namespace {

TEST_CASE("rides end, and replayed ones are the same on any threads", "[fuzz]") {
  const TemporaryFolder folder;
  const Worlds worlds(folder.path());
  whole::FuzzBudget budget("rides", {.programs = 200, .seconds = 5});
  Reached reached;
  while (const auto seed = budget.Next()) {
    const RideProgram program = MakeProgram(*seed);
    auto broken = Check(program, worlds, reached);
    if (!broken) continue;
    const RideProgram smallest = Shorten(program, [&](const RideProgram& candidate) {
      const auto again = Check(candidate, worlds, reached);
      if (again) broken = again;
      return again.has_value();
    });
    FAIL(*broken << "\n" << Print(smallest) << budget.HowToReplay(*seed));
  }
}

TEST_CASE("the programs reach each part of the open world") {
  const TemporaryFolder folder;
  const Worlds worlds(folder.path());
  Reached reached;
  // Long enough for a gate, whatever the seeds are like.
  CHECK_FALSE(Check({.frames = 42, .replay = 1}, worlds, reached));
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CHECK_FALSE(Check(MakeProgram(seed), worlds, reached));
  }
  CHECK(reached.tiles > 0);
  CHECK(reached.scripts > 0);
  CHECK(reached.failed > 0);
  CHECK(reached.stopped > 0);
  CHECK(reached.machines > 0);
  CHECK(reached.moves > 0);
  CHECK(reached.gates > 0);
  CHECK(reached.arrows > 0);
  CHECK(reached.cells > 0);
  CHECK(reached.places > 0);
  CHECK(reached.missing > 0);
  CHECK(reached.interrupted > 0);
}

}  // namespace
}  // namespace nowait::ride_programs
