// Random programs of worlds under the scheduler: the programs and the judge of
// world_programs_test.cc.
#include <catch2/catch.hpp>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore_programs.h"
#include "tests/whole/world/generate.h"
#include "tests/whole/world/judge.h"
#include "tests/whole/world/shrink.h"

namespace nowait::world_programs {
namespace {

TEST_CASE("Random programs of worlds keep the promises of the headers, under many schedules") {
  whole::FuzzBudget budget("world", {.programs = 4000, .seconds = 20});
  whole::ProgramExplorer<WorldProgram>(
      {.make = &Generate,
       .run =
           [](const WorldProgram& program) {
             const Failure failure = Judge(program);
             whole::Require(!failure, failure ? failure->promise : "");
           },
       .shorten =
           [](const WorldProgram& program, const auto& fails) {
             int asked = 0;
             return Shrink(program, fails, [&asked] { return ++asked > 300; });
           },
       .text = [](const WorldProgram& program) { return ToString(program); }},
      {.schedules = 2,
       .with_faults = true,
       .run = {.fair_after = 1'000'000, .most_steps = 10'000'000}})
      .Spend(budget);
}

}  // namespace
}  // namespace nowait::world_programs
