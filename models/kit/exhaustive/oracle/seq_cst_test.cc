// The programs written for the rules of S: the search finds the number of executions that was
// counted, and the same executions as brute force.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "models/kit/exhaustive/oracle/brute_force.h"
#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/written.h"

namespace nowait::model::oracle {
namespace {

TEST_CASE("the written programs have the executions that were counted") {
  for (const Written& written : WrittenPrograms()) {
    INFO(written.says);
    Findings found = FindByGraphs(written.program);
    Findings expected = BruteForce(written.program);
    CHECK(found.complaint.empty());
    std::ranges::sort(found.executions);
    std::ranges::sort(expected.executions);
    CHECK(found.executions == expected.executions);
    CHECK(found.executions.size() == written.executions);
  }
}

}  // namespace
}  // namespace nowait::model::oracle
