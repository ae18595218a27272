// ContactHit: where two bodies began to touch, and how hard.
//
// Thread safety: the functions have no state. Test: tests/dynamics/contact_hit_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_HIT_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_HIT_H_

#include "src/bodies/body.h"
#include "src/collision/manifold.h"
#include "src/math/vec3.h"

namespace nowait {

// Of the contact point at which the bodies are deepest in each other, before the solver parts them.
struct ContactHit {
  Vec3 place;          // in the world, metres
  Vec3 normal;         // unit length, from body a to body b
  float speed = 0.0f;  // of approach along the normal, metres a second; below zero: they part
  float slide = 0.0f;  // across the normal, metres a second
};

// a, b: the bodies of the contact, which has at least one point.
ContactHit HitOf(const Manifold& manifold, const Body& a, const Body& b);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_HIT_H_
