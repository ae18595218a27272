// Asks the world's contact hook, if it has one.
#ifndef NOWAIT_SRC_WORLD_ASK_HOOK_H_
#define NOWAIT_SRC_WORLD_ASK_HOOK_H_

#include <span>

#include "src/base/assert.h"
#include "src/collision/manifold.h"
#include "src/dynamics/contact_material.h"
#include "src/world/world_parts.h"
#include "src/world/world_state.h"

namespace nowait {

// Whether the two bodies touch at the points, and how: `material` is theirs before, and the hook's
// after. a.id < b.id; normals go from a to b. Any thread of an update, phases kCollide and kSolve.
inline bool IsAccepted(const WorldState& state, const Body& a, const Body& b,
                       std::span<const ContactPoint> points, ContactMaterial& material) {
  const ContactHook& hook = state.def.contact_hook;
  if (!hook) return true;
  const auto snapshot = [&](const Body& body) {
    return SnapshotOf(body, state.bodies.StateOf(body.id.slot()));
  };
  ContactMaterial changed = material;
  if (!hook({snapshot(a), snapshot(b), points}, changed)) return false;
  NOWAIT_ASSERT(IsPossible(changed), "a contact hook gives a material that is possible");
  if (IsPossible(changed)) material = changed;
  return true;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_ASK_HOOK_H_
