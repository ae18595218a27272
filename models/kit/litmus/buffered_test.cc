// The litmus suite by the checker that has load buffering (models/kit/buffering), beside the
// exhaustive checker, which has not: they agree, but for the rows that need it.
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>

#include "models/kit/buffering/explore.h"
#include "models/kit/litmus/litmus.h"

namespace nowait::model {
namespace {

// The suite's values are plain: an outcome that needs load buffering is possible, and not found.
const std::set<std::string> kNeedLoadBuffering = {"LB+rlx", "2+2W+xchg"};

TEST_CASE("the rows have the verdicts of the exhaustive checker, but for load buffering") {
  std::size_t examined = 0;
  for (const LitmusTest& test : LitmusTests()) {
    const auto explored = buffering::ExploreBuffering(ScenarioOf(test));
    if (!explored.refused.empty()) continue;
    ++examined;
    INFO(test.name);
    CHECK(explored.found.has_value() == Measure(test, Graphs()).produced);
    CHECK(explored.doubtful.has_value() == kNeedLoadBuffering.contains(test.name));
  }
  CHECK(examined > 100);
}

}  // namespace
}  // namespace nowait::model
