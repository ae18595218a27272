// WorldState: what the parts of a world share: queries, batches and the physics update.
//
// Lock order: a body's lock before BodyStorage's mutex. No function holds the locks of two bodies.
#ifndef NOWAIT_SRC_WORLD_WORLD_STATE_H_
#define NOWAIT_SRC_WORLD_WORLD_STATE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/bodies/body_locks.h"
#include "src/bodies/body_storage.h"
#include "src/broadphase/broad_phase.h"
#include "src/sync/phase_monitor.h"
#include "src/world/world_def.h"

namespace nowait {

// How much larger than the body a box in the tree is, on each side, metres. A body that moves less
// does not touch the tree.
inline constexpr float kTreeMargin = 0.1f;

inline Bounds<3> Grown(const Bounds<3>& box, float by) {
  const Vec3 all{by, by, by};
  return ToBounds(MinOf(box) - all, MaxOf(box) + all);
}

struct WorldState {
  WorldState(const WorldDef& world_def, std::uint32_t number,
             std::unique_ptr<BroadPhase> broad_phase)
      : def(world_def),
        bodies(world_def.max_bodies, number),
        locks(world_def.body_locks),
        tree(std::move(broad_phase)),
        disturbed(world_def.max_bodies, 0) {}

  // The body in `slot` was moved or removed, or its velocity was set: what rests on it must wake.
  // The caller holds its lock for writing; the frame orders it before the physics update, which
  // reads without locks.
  void Disturb(std::uint32_t slot) { disturbed[slot] = 1; }

  const WorldDef def;
  BodyStorage bodies;
  mutable BodyLocks locks;
  std::unique_ptr<BroadPhase> tree;
  mutable PhaseMonitor<> phases;
  std::vector<std::uint8_t> disturbed;  // by slot; since the last step
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_STATE_H_
