// Random programs of jobs under the scheduler: the programs and the judge of jobs_programs.cc.
#include <catch2/catch.hpp>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/jobs/make_program.h"
#include "tests/whole/jobs/run_program.h"
#include "tests/whole/jobs/shorten.h"
#include "tests/whole/scheduler/explore_programs.h"

namespace nowait::job_programs {
namespace {

TEST_CASE("Programs of jobs made at random keep what the headers promise, under many schedules") {
  whole::FuzzBudget budget("jobs", {.programs = 8000, .seconds = 20});
  whole::ProgramExplorer<Program>(
      {.make = &MakeProgram,
       .run = &RunProgram,
       .shorten = [](const Program& program,
                     const auto& fails) { return Shorten(program, fails, 300); },
       .text = [](const Program& program) { return ToText(program); }},
      {.schedules = 3,
       .with_faults = true,
       .run = {.fair_after = 300'000, .most_steps = 3'000'000}})
      .Spend(budget);
}

}  // namespace
}  // namespace nowait::job_programs
