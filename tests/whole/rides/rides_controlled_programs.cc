// The assembled open world under the scheduler: random rides keep their promises, under many
// schedules.
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "tests/streaming/small_world.h"
#include "tests/whole/fuzz_budget.h"
#include "tests/whole/rides/ride_program.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore_programs.h"

namespace nowait::ride_programs {
namespace {

TEST_CASE("rides end, and replayed ones are the same on any threads, under many schedules") {
  const TemporaryFolder folder;
  const Worlds worlds(folder.path());
  whole::FuzzBudget budget("rides", {.programs = 50, .seconds = 15});
  whole::ProgramExplorer<RideProgram>(
      {.make = &MakeProgram,
       .run =
           [&worlds](const RideProgram& program) {
             Reached reached;
             const whole::ApiCall call("RunRide");
             const auto broken = Check(program, worlds, reached);
             whole::Require(!broken, broken.value_or(""));
           },
       .shorten = &Shorten,
       .text = &Print},
      {.schedules = 2, .run = {.fair_after = 3'000'000, .most_steps = 30'000'000}})
      .Spend(budget);
}

}  // namespace
}  // namespace nowait::ride_programs
