// UpdateStats: what the last World::Update did and how long its phases took.
#ifndef NOWAIT_SRC_WORLD_UPDATE_STATS_H_
#define NOWAIT_SRC_WORLD_UPDATE_STATS_H_

#include <chrono>
#include <cstdint>

#include "src/bodies/body_id.h"
#include "src/broadphase/rebuild_policy.h"
#include "src/dynamics/contact_event.h"
#include "src/islands/find_stats.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// Wall time on the thread that called Update, added over the update's steps.
struct PhaseTimes {
  std::chrono::nanoseconds begin{0};    // which bodies are awake; wake-ups by the game's changes
  std::chrono::nanoseconds collide{0};  // broad and narrow phase and linking; the tree's rebuild
  std::chrono::nanoseconds finalise{
      0};                              // contacts sorted and matched, islands listed, tree swapped
  std::chrono::nanoseconds solve{0};   // islands solved, positions integrated, boxes moved
  std::chrono::nanoseconds finish{0};  // sleep, events
  std::chrono::nanoseconds total{0};
};

struct UpdateStats {
  std::uint32_t steps = 0;  // steps completed; fewer than asked for only after an error

  // Counts as of the last completed step.
  std::uint32_t bodies = 0;    // in the world, static ones included
  std::uint32_t awake = 0;     // dynamic and awake after the step
  std::uint32_t pairs = 0;     // pairs that the narrow phase looked at
  std::uint32_t contacts = 0;  // pairs with contact points among them
  // Tests that found the points of the step before still right (contact_recycling.h).
  std::uint32_t recycled_contacts = 0;
  std::uint32_t contact_points = 0;
  std::uint32_t joints = 0;          // of awake bodies
  std::uint32_t islands = 0;         // of awake bodies
  std::uint32_t largest_island = 0;  // bodies in it
  std::uint32_t large_islands = 0;   // large enough for several threads
  std::uint32_t split_islands = 0;   // of these: by all threads together; depends on their number
  std::uint32_t fast_bodies = 0;     // whose ways in the step were looked at (continuous_stage.h)
  std::uint32_t stopped_bodies = 0;  // of these: where they would have passed through others
  // By contacts with awake bodies or with static ones that are new, by the game's changes, or by
  // WakeBody, SetVelocity or MoveBody.
  std::uint32_t woken = 0;
  std::uint32_t fell_asleep = 0;
  // Old tree nodes whose reuse views prevent, and for how many steps in a row the same view has
  // done this: a background job holds it for long, or has leaked it (WaitingNodes, broad_phase.h).
  std::uint32_t waiting_nodes = 0;
  std::uint32_t steps_held = 0;

  // Added over the update's steps.
  // Rebuilds of a tree that found no free nodes, because a view keeps old ones: queries get slower,
  // results stay the same, and the next step tries again.
  std::uint32_t failed_rebuilds = 0;
  // Rebuilds before the bodies looked around, because the game had moved very many (worn_tree.h).
  std::uint32_t early_rebuilds = 0;
  // Of the trees, as their policies say; depends on their shapes.
  RebuildStats rebuilds;
  FindStats find;       // depends on which thread linked first, unlike everything above
  WaitTime body_locks;  // of the update itself, on all its threads: one for each body it writes
  PhaseTimes times;
};

// A body was woken or fell asleep. Ordered by step, then woken before asleep, then by body. A body
// that WakeBody, SetVelocity or MoveBody has woken is awake at once, and its event is among those
// of the next step, unless it is gone by then.
struct SleepEvent {
  enum class Kind : std::uint8_t { kWoke, kFellAsleep } kind;
  BodyId body;

  friend bool operator==(const SleepEvent&, const SleepEvent&) = default;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_UPDATE_STATS_H_
