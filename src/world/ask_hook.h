// Asks the world's contact hook, if it has one.
#ifndef NOWAIT_SRC_WORLD_ASK_HOOK_H_
#define NOWAIT_SRC_WORLD_ASK_HOOK_H_

#include <span>

#include "src/base/assert.h"
#include "src/collision/manifold.h"
#include "src/collision/sweep.h"
#include "src/collision/time_of_impact.h"
#include "src/dynamics/contact_material.h"
#include "src/world/kinematic_stage.h"
#include "src/world/world_parts.h"
#include "src/world/world_state.h"

namespace nowait {

// Whether the two bodies touch at the points, and how: `material` is theirs before, and the hook's
// after. a.id < b.id; normals go from a to b. Any thread of an update, phases kCollide and kSolve.
inline bool IsAccepted(const WorldState& state, const KinematicStage& kinematics, const Body& a,
                       const Body& b, std::span<const ContactPoint> points,
                       ContactMaterial& material) {
  const ContactHook& hook = state.def.contact_hook;
  if (!hook) return true;
  const auto snapshot = [&](const Body& body) {
    const BodyState now = state.bodies.StateOf(body.id.slot());
    return now == BodyState::kKinematic ? SnapshotOf(kinematics.InStep(body), now)
                                        : SnapshotOf(body, now);
  };
  ContactMaterial changed = material;
  if (!hook({snapshot(a), snapshot(b), points}, changed)) return false;
  NOWAIT_ASSERT(IsPossible(changed), "a contact hook gives a material that is possible");
  if (IsPossible(changed)) material = changed;
  return true;
}

// Whether the hook lets the body, which goes this way, be stopped by the other one.
inline bool IsStopAccepted(const WorldState& state, const KinematicStage& kinematics,
                           const Body& body, const Body& met, const Sweep& way,
                           const ImpactStop& stop) {
  if (!state.def.contact_hook) return true;
  ContactPoint point;
  point.position = way.PositionAt(stop.fraction) + stop.normal * body.radii.inner;
  const bool in_order = body.id < met.id;
  point.normal = in_order ? stop.normal : -stop.normal;
  point.material = stop.material;
  const Body& a = in_order ? body : met;
  const Body& b = in_order ? met : body;
  ContactMaterial material = MaterialOf(a, b);
  return IsAccepted(state, kinematics, a, b, {&point, 1}, material);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_ASK_HOOK_H_
