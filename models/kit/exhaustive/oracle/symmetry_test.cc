// Programs with interchangeable threads: executions form classes whose members turn into each other
// when threads swap names. The search finds one execution of each class.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/classes.h"
#include "models/kit/exhaustive/oracle/generator.h"
#include "models/kit/exhaustive/oracle/trial.h"

namespace nowait::model::oracle {
namespace {

TEST_CASE("threads that change names make another execution of the same class") {
  CHECK(Renamed("init! | 0.0 1.1 | x: 0.0 1.1 ", {1, 0}) == "1.0 0.1 | init! | x: 1.0 0.1 ");
  CHECK(ClassOf("init! | 0.0 1.1 | x: 0.0 1.1 ", 2) == ClassOf("1.0 0.1 | init! | x: 1.0 0.1 ", 2));
}

TEST_CASE("of each class of executions of threads that are alike, the search finds one") {
  SymmetricTrial trial(3, FindRepresentatives);
  for (std::uint64_t number = 0; number < 3'000; ++number) {
    INFO(number);
    REQUIRE(trial.Run(number) == "");
  }
}

TEST_CASE("a search that visits all executions of threads that are alike visits classes again") {
  SymmetricTrial trial(3, FindByGraphs);
  std::uint64_t number = 0;
  std::string report;
  while (report.empty() && number < 100) report = trial.Run(number++);
  CHECK_THAT(report, Catch::Contains("more than once"));
}

TEST_CASE("few executions are visited of threads that are alike") {
  std::size_t executions = 0;
  std::size_t classes = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const StraightLine program = MadeSymmetric(Generate(Styles().front(), 3, number), 3);
    executions += BruteForce(program).executions.size();
    classes += FindRepresentatives(program).executions.size();
  }
  INFO(executions << " executions, " << classes << " visited");
  CHECK(classes * 4 < executions);
}

}  // namespace
}  // namespace nowait::model::oracle
