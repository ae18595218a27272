// ContactHit: where two bodies began to touch, and how hard.
//
// Thread safety: the functions have no state. Test: tests/dynamics/contact_hit_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_HIT_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_HIT_H_

#include <algorithm>
#include <span>
#include <vector>

#include "src/bodies/body.h"
#include "src/dynamics/contact.h"
#include "src/dynamics/contact_event.h"
#include "src/dynamics/contact_store.h"
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

// Appends the hit of each contact that began among `events`, in their order. events: of one call of
// ContactStore::Merge, before anything moves. body_of(id): the body, with its velocities.
// O(events log contacts); allocates only if `hits` has too little room.
template <class BodyOf>
void AppendHits(std::span<const ContactEvent> events, const ContactStore& contacts,
                const BodyOf& body_of, std::vector<ContactHit>& hits) {
  for (const ContactEvent& event : events) {
    if (event.kind != ContactEvent::Kind::kBegan) continue;
    // Each contact that began is in the store.
    const auto entry = std::ranges::lower_bound(contacts.entries(), PairKey(event.a, event.b), {},
                                                &ContactStore::Entry::key);
    hits.push_back(HitOf(contacts[entry->index].manifold, body_of(event.a), body_of(event.b)));
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_HIT_H_
