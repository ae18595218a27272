// Worlds of extreme numbers under the scheduler: the programs and the judge of numbers_programs.cc.
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "tests/whole/fuzz_budget.h"
#include "tests/whole/numbers/run_program.h"
#include "tests/whole/numbers/shorten.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/explore_programs.h"

namespace nowait::number_programs {
namespace {

// One thread and three: what they come to is compared.
std::optional<std::string> CheckOnThree(const NumberProgram& program) {
  return Check(program, {3});
}

TEST_CASE(
    "worlds of extreme numbers stay numbers and are the same on any threads, under many "
    "schedules") {
  whole::FuzzBudget budget("numbers", {.programs = 2000, .seconds = 20});
  whole::ProgramExplorer<NumberProgram>(
      {.make = &MakeProgram,
       .run =
           [](const NumberProgram& program) {
             const auto broken = CheckOnThree(program);
             whole::Require(!broken, broken.value_or(""));
           },
       .shorten = [](const NumberProgram& program,
                     const auto& fails) { return Shorten(program, fails); },
       .text = [](const NumberProgram& program) { return Print(program); }},
      {.schedules = 2,
       .with_faults = true,
       .run = {.fair_after = 3'000'000, .most_steps = 30'000'000}})
      .Spend(budget);
}

}  // namespace
}  // namespace nowait::number_programs
