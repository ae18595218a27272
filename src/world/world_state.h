// WorldState: the state that queries, batches and the physics update of a world share.
//
// Lock order: a body's lock before BodyStorage's mutex. No lock is held with that of the joints.
// No function holds the locks of two bodies.
#ifndef NOWAIT_SRC_WORLD_WORLD_STATE_H_
#define NOWAIT_SRC_WORLD_WORLD_STATE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/bodies/body_changes.h"
#include "src/bodies/body_locks.h"
#include "src/bodies/body_storage.h"
#include "src/broadphase/broad_phase.h"
#include "src/dynamics/joint_store.h"
#include "src/sync/phase_monitor.h"
#include "src/world/finalised_batches.h"
#include "src/world/layer_changes.h"
#include "src/world/world_bodies.h"
#include "src/world/world_def.h"

namespace nowait {

// The margin of a box in the tree around its body, on each side, metres. A body that moves less
// does not touch the tree.
inline constexpr float kTreeMargin = 0.1f;

inline Bounds<3> Expanded(const Bounds<3>& box, float by) {
  const Vec3 all{by, by, by};
  return ToBounds(MinOf(box) - all, MaxOf(box) + all);
}

struct WorldState {
  WorldState(const WorldDef& world_def, std::uint32_t number,
             std::unique_ptr<BroadPhase> broad_phase)
      : def(world_def),
        locks(world_def.body_locks),
        bodies(world_def.max_bodies, number, &locks),
        joints(world_def.max_joints, number),
        tree(std::move(broad_phase)),
        changes(world_def.max_bodies) {}

  // Records the game's change of the body in `slot` for the next step. The caller holds the body's
  // lock for writing; the frame orders it before the physics update, which reads without locks.
  void Note(std::uint32_t slot, Change change) { changes[slot].Add(change); }
  // Wakes the body in `slot`, if it sleeps. The caller holds the body's lock for writing.
  void Wake(std::uint32_t slot) {
    if (bodies.StateOf(slot) != BodyState::kAsleep) return;
    bodies.SetState(slot, BodyState::kAwake);
    Note(slot, Change::kWoken);
  }
  // The body is removed: changes recorded for it do not concern the next body in its slot.
  void NoteRemoval(std::uint32_t slot) {
    changes[slot] = {};
    Note(slot, Change::kDisturbed);
  }
  // Settles the bodies of all finalised batches; they are new. As FinalisedBatches::SettleAll.
  void SettleBatches(WaitTime& wait) const {
    finalised.SettleAll(bodies, locks, wait,
                        [&](std::uint32_t slot) { changes[slot].Add(Change::kNew); });
  }

  // Which bodies are part of the world. For a caller that holds the body's lock.
  WorldBodiesOf<BodyStorage, BroadPhase> present() { return {bodies, *tree}; }
  WorldBodiesOf<const BodyStorage, BroadPhase> present() const { return {bodies, *tree}; }

  const WorldDef def;
  mutable FinalisedBatches finalised;
  mutable BodyLocks locks;
  mutable BodyStorage bodies;
  JointStore joints;
  std::unique_ptr<BroadPhase> tree;
  LayerChanges<> layer_changes;
  std::uint32_t restored_form = 0;  // BodySnapshot::form of bodies that World::Restore has made
  mutable PhaseMonitor<> phases;
  mutable std::vector<Changes> changes;  // by slot; since the last step that used them
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_STATE_H_
