// The phase table: which operations may overlap, and in which part of a frame.
//
// A lock-free structure does not allow everything at once. Each promise in this repository holds
// under a rule about concurrent operations, and all of these rules are here:
//
//                        Query  Insert  Move/Remove  Prepare  Collide  Rebuild  Swap  Solve
//   game update            x      x          x          x
//   physics, collide       x                            x        x        x
//   physics, swap          x                            x                        x
//   physics, solve         x                            x                               x
//
// Loading threads (Prepare) and background jobs (Query) run through all phases; the game's own
// threads (Query, Insert, Move, Remove) run in the game update; the physics update does the rest.
// Two operations may overlap if some row has both. No thread moves bodies while the tree is
// rebuilt, and the solver moves them only after the new tree has been swapped in.
//
// An update of game objects (src/game/transaction.h) may be run twice. It asks the world and
// changes nothing there (MayRepeat). Its changes are effects, which happen after its commit.
//
// A batch's bodies may be moved and removed only from the moment when its Finalise (an Insert)
// links their subtree. This rule concerns a single batch, not a phase: src/broadphase asserts it,
// and src/world/world_bodies.h says which bodies are linked.
//
// Source: [rouwe2022], "Quad tree - rebuilding" and "Frame": the physics update locks all bodies,
// the game objects update after it. Lecture: rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_SYNC_PHASE_H_
#define NOWAIT_SRC_SYNC_PHASE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace nowait {

enum class Phase : std::uint8_t { kGameUpdate, kCollide, kSwap, kSolve };
inline constexpr std::size_t kPhaseCount = 4;

enum class Op : std::uint8_t {
  kQuery,    // reads of the tree (box, ray), and of bodies under their lock
  kInsert,   // add a body, finalise a batch
  kModify,   // move or remove a body
  kPrepare,  // build a private batch; abort it
  kCollide,  // broad and narrow phase: reads bodies without locks, links islands
  kRebuild,  // builds the next tree beside the current one
  kSwap,     // publishes the rebuilt tree, reclaims older ones
  kSolve,    // writes velocities, positions, boxes, each under the body's lock; reads without locks
};
inline constexpr std::size_t kOpCount = 8;

// kAllowed[phase] has a bit for each operation of its row above.
namespace phase_internal {
constexpr std::uint8_t Bit(Op op) { return static_cast<std::uint8_t>(1u << static_cast<int>(op)); }
template <class... Ops>
constexpr std::uint8_t Row(Ops... ops) {
  return static_cast<std::uint8_t>((Bit(ops) | ...));
}
inline constexpr std::array<std::uint8_t, kPhaseCount> kAllowed = {
    Row(Op::kQuery, Op::kInsert, Op::kModify, Op::kPrepare),
    Row(Op::kQuery, Op::kPrepare, Op::kCollide, Op::kRebuild),
    Row(Op::kQuery, Op::kPrepare, Op::kSwap),
    Row(Op::kQuery, Op::kPrepare, Op::kSolve),
};
}  // namespace phase_internal

// Whether `op` may run in `phase`.
constexpr bool Allowed(Phase phase, Op op) {
  return (phase_internal::kAllowed[static_cast<std::size_t>(phase)] & phase_internal::Bit(op)) != 0;
}

// Whether two operations may overlap: whether some phase allows both.
constexpr bool MayOverlap(Op a, Op b) {
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
    if (Allowed(static_cast<Phase>(phase), a) && Allowed(static_cast<Phase>(phase), b)) return true;
  }
  return false;
}

// Whether an update of game objects may run `op`: nothing of it is left. kCollide is also the op of
// views that read without locks.
constexpr bool MayRepeat(Op op) { return op == Op::kQuery || op == Op::kCollide; }

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_PHASE_H_
