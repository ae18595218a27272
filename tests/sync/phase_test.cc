#include "src/sync/phase.h"

#include <catch2/catch.hpp>

#include "src/sync/phase_monitor.h"

namespace nowait {
namespace {

constexpr Op kOps[] = {Op::kQuery,   Op::kInsert,  Op::kModify, Op::kPrepare,
                       Op::kCollide, Op::kRebuild, Op::kSwap,   Op::kSolve};

// The rules that the structures' promises lean on, spelled out once more and on their own.
static_assert(MayOverlap(Op::kInsert, Op::kModify) && MayOverlap(Op::kInsert, Op::kInsert));
static_assert(MayOverlap(Op::kCollide, Op::kRebuild));
static_assert(!MayOverlap(Op::kRebuild, Op::kModify) && !MayOverlap(Op::kRebuild, Op::kInsert));
static_assert(!MayOverlap(Op::kRebuild, Op::kSwap) && !MayOverlap(Op::kCollide, Op::kSwap));
static_assert(!MayOverlap(Op::kCollide, Op::kSolve) && !MayOverlap(Op::kSwap, Op::kSolve));
static_assert(!MayOverlap(Op::kModify, Op::kSolve) && !MayOverlap(Op::kInsert, Op::kSolve));

TEST_CASE("queries and preparations overlap with everything") {
  for (const Op op : kOps) {
    REQUIRE(MayOverlap(Op::kQuery, op));
    REQUIRE(MayOverlap(Op::kPrepare, op));
  }
}

TEST_CASE("overlapping is symmetric, and every operation has a phase") {
  for (const Op a : kOps) {
    REQUIRE(MayOverlap(a, a));
    for (const Op b : kOps) REQUIRE(MayOverlap(a, b) == MayOverlap(b, a));
  }
}

TEST_CASE("a monitor refuses exactly what the table refuses") {
  for (const Op first : kOps) {
    for (const Op second : kOps) {
      PhaseMonitor<> monitor;
      REQUIRE(monitor.Enter(first));
      REQUIRE(monitor.Enter(second) == MayOverlap(first, second));
      monitor.Leave(second);
      monitor.Leave(first);
      // Nothing is left behind: what the first forbade is allowed now.
      REQUIRE(monitor.Enter(second));
    }
  }
}

TEST_CASE("an operation is under way until its last leave") {
  PhaseMonitor<> monitor;
  REQUIRE(monitor.Enter(Op::kModify));
  REQUIRE(monitor.Enter(Op::kModify));
  monitor.Leave(Op::kModify);
  REQUIRE_FALSE(monitor.Enter(Op::kSolve));
  monitor.Leave(Op::kSolve);
  monitor.Leave(Op::kModify);
  REQUIRE(monitor.Enter(Op::kSolve));
}

}  // namespace
}  // namespace nowait
