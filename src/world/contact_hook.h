// ContactHook: the game's say about each contact before it is solved.
//
//   def.contact_hook = [](const ContactPair& pair, ContactMaterial& material) {
//     if (pair.a.user == kIce || pair.b.user == kIce) material.friction = 0.01f;
//     return true;
//   };
//
// A hook returns false to refuse the contact: in this step the two do not touch. They are not
// solved, wake nobody, make no island, and have no event; a contact that went on so far ends. It
// may also change the material. It is asked anew in each step, while one of the two is awake; and
// about a fast body before another one stops it, and a sleeping one before a fast kinematic one
// wakes it, with one point, whose place is near the true one, and whose material is that of the
// triangle that is met.
//
// The material is that of the pair, by the rules that the two bodies name (combine_rule.h). On a
// surface with materials (surface_materials.h) each point has its own friction, a factor of the
// pair's, and bounces at least as much as the pair would on its part.
//
// Rules. The pool's threads call it, several at once and in any order, and for one pair perhaps
// twice in a step. So its answer and its changes are a function of its arguments alone, and of data
// that no thread changes during the update. It calls no function of a World, waits for nothing and
// throws nothing. Under these rules the world is the same for any number of threads.
//
// Groups. Which kinds of bodies touch is a matter of layers (src/bodies/layers.h), and costs
// nothing. Layers cannot say that a ragdoll's limbs do not touch each other, but touch another
// ragdoll's: that would take a layer for each. It is a task of the hook. The `user` of each body
// has the number of its group, and a pair of one group is refused:
//
//   def.contact_hook = [](const ContactPair& pair, ContactMaterial&) {
//     return GroupOf(pair.a.user) == 0 || GroupOf(pair.a.user) != GroupOf(pair.b.user);
//   };
//
// The price is the contact points of the refused pairs, of bodies that lie close to each other.
//
// A one-way platform refuses while a body moves up or is still inside: see
// tests/world/contact_hook_test.cc.
//
// Thread safety: the hook's own. Errors: a material that is not IsPossible is a mistake of the
// programmer (NOWAIT_ASSERT), and is not taken.
#ifndef NOWAIT_SRC_WORLD_CONTACT_HOOK_H_
#define NOWAIT_SRC_WORLD_CONTACT_HOOK_H_

#include <functional>
#include <span>

#include "src/bodies/body_snapshot.h"
#include "src/collision/manifold.h"
#include "src/dynamics/contact_material.h"

namespace nowait {

// As the bodies are at the beginning of the step. A kinematic body has the velocities with which it
// moves in it, also to a target.
struct ContactPair {
  BodySnapshot a, b;                     // a.id < b.id
  std::span<const ContactPoint> points;  // their normals go from a to b
};

using ContactHook = std::function<bool(const ContactPair& pair, ContactMaterial& material)>;

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_CONTACT_HOOK_H_
