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

TEST_CASE("each operation runs in the phases of the table, and in no other") {
  struct Row {
    Op op;
    bool game_update, collide, swap, solve;
  };
  const Row rows[] = {
      {Op::kQuery, true, true, true, true},      {Op::kInsert, true, false, false, false},
      {Op::kModify, true, false, false, false},  {Op::kPrepare, true, true, true, true},
      {Op::kCollide, false, true, false, false}, {Op::kRebuild, false, true, false, false},
      {Op::kSwap, false, false, true, false},    {Op::kSolve, false, false, false, true}};
  for (const auto& [op, game_update, collide, swap, solve] : rows) {
    CAPTURE(static_cast<int>(op));
    CHECK(Allowed(Phase::kGameUpdate, op) == game_update);
    CHECK(Allowed(Phase::kCollide, op) == collide);
    CHECK(Allowed(Phase::kSwap, op) == swap);
    CHECK(Allowed(Phase::kSolve, op) == solve);
  }
}

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

TEST_CASE("an operation that was refused ends by its leave, and the one that it met goes on") {
  PhaseMonitor<> monitor;
  REQUIRE(monitor.Enter(Op::kSolve));
  REQUIRE_FALSE(monitor.Enter(Op::kInsert));
  monitor.Leave(Op::kInsert);
  CHECK(monitor.Enter(Op::kSolve));
  monitor.Leave(Op::kSolve);
  CHECK_FALSE(monitor.Enter(Op::kSwap));  // the first one is still there
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

TEST_CASE("a monitor counts up to 255 operations of a kind, and none of them as another kind's") {
  for (const Op op : kOps) {
    CAPTURE(static_cast<int>(op));
    PhaseMonitor<> monitor;
    const auto check_others = [&](bool under_way) {
      for (const Op other : kOps) {
        if (other == op) continue;
        CHECK(monitor.Enter(other) == (!under_way || MayOverlap(op, other)));
        monitor.Leave(other);
      }
    };
    for (int begun = 1; begun <= 255; ++begun) {
      REQUIRE(monitor.Enter(op));
      if (begun == 128 || begun == 255) check_others(true);
    }
    for (int left = 255; left > 0; --left) {
      if (left == 1) check_others(true);
      monitor.Leave(op);
    }
    check_others(false);
  }
}

}  // namespace
}  // namespace nowait
