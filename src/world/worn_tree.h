// IsTreeWorn: whether a step does better to rebuild the tree before its bodies look around, and not
// alongside.
//
//   if (IsTreeWorn(state, awake)) ...      // slots of the bodies that are going to look
//
// A body that the game moves stays at its place in the tree, and every box above it is widened to
// both places, so that no query misses it (src/broadphase/move.h). Very many bodies that change
// places make every box as large as the scene: each of n bodies then visits n nodes, and a step of
// 16,000 took seconds. Shifts that keep the order, and changes of a few, do no such harm. The
// question is decided by the work itself: a few of the bodies ask the tree, and their visits of
// nodes are counted. The answer changes the time of a step and no result.
//
// Thread safety: phase kCollide, by one thread.
// Complexity: linear in the slots; where the game has moved many bodies, kTreeSamples queries more.
// Test: tests/world/many_moves_test.cc
#ifndef NOWAIT_SRC_WORLD_WORN_TREE_H_
#define NOWAIT_SRC_WORLD_WORN_TREE_H_

#include <cstdint>
#include <span>

#include "src/world/world_state.h"

namespace nowait {

inline constexpr std::uint32_t kTreeSamples = 16;

bool IsTreeWorn(const WorldState& state, std::span<const std::uint32_t> looking);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORN_TREE_H_
