// How many of 1,000 schedules of each strategy find the deadlock of the starter: the table of
// the lecture on checking the whole.
//
//   bazel run --config=opt :how_often      in this folder
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "lectures/checking-the-whole/exercises/a-deadlock-by-helping/move_all.h"
#include "lectures/checking-the-whole/exercises/a-deadlock-by-helping/program.h"
#include "tests/whole/scheduler/explore.h"

namespace nowait::small_engine {
namespace {

void ProgramOfMoveAll() {
  Program([](Pool& pool, Locks& locks, Bodies& bodies) { MoveAll(pool, locks, bodies); });
}

using whole::StrategyDef;
using whole::StrategyKind;

void Count(StrategyDef strategy, std::uint64_t first_seed) {
  const std::string name = whole::ToString(strategy);
  std::uint32_t failed = 0, first = 0;
  std::uint64_t longest = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    strategy.seed = first_seed + i;
    if (longest != 0) strategy.length = longest;
    const whole::Outcome outcome = whole::RunUnder(&ProgramOfMoveAll, strategy);
    longest = std::max(longest, outcome.steps);
    if (!outcome.failure) continue;
    if (failed++ == 0) first = i + 1;
  }
  fmt::print("{:<12} {:>3} of 1,000 fail, the first is {:>3}; the longest of {} steps\n",
             name.substr(0, name.find('-')), failed, first, longest);
}

}  // namespace
}  // namespace nowait::small_engine

int main() {
  using namespace nowait::small_engine;
  Count({.kind = StrategyKind::kRandomWalk}, 17);
  Count({.kind = StrategyKind::kStickyWalk}, 17);
  for (const std::uint32_t depth : {1u, 2u, 3u, 4u}) {
    Count({.kind = StrategyKind::kPct, .depth = depth}, 17);
  }
  Count({.kind = StrategyKind::kPos}, 17);
}
