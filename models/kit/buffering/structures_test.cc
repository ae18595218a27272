// The structures' scenarios of models/arm keep their promises with load buffering, whatever their
// values depend on; some of their executions have it.
#include <catch2/catch.hpp>
#include <cstddef>
#include <set>
#include <string>

#include "models/kit/buffering/explore.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {
namespace {

TEST_CASE("every scenario keeps its promise") {
  std::set<std::string> with_load_buffering;
  CHECK(Scenarios().size() == 46);
  for (const ScenarioEntry& scenario : Scenarios()) {
    const Explored explored = ExploreBuffering(scenario);
    INFO(scenario.text.name);
    CHECK(explored.refused.empty());
    CHECK_FALSE(explored.found.has_value());
    CHECK_FALSE(explored.doubtful.has_value());
    CHECK(explored.cut == 0);
    CHECK(explored.stuck == 0);
    CHECK(explored.executions > 1);
    if (explored.buffering != 0) with_load_buffering.insert(scenario.text.name);
  }
  CHECK(with_load_buffering.contains("index_pool hands_over"));
  // The orders of these exclude it.
  CHECK_FALSE(with_load_buffering.contains("work_deque last_item"));
  CHECK_FALSE(with_load_buffering.contains("spsc_ring passes_notes"));
}

}  // namespace
}  // namespace nowait::model::buffering
