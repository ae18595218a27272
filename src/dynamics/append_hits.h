// AppendHits: the hits of the contacts that a step began.
//
// Thread safety: no state; the store does not change meanwhile. Test: tests/world/events_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_APPEND_HITS_H_
#define NOWAIT_SRC_DYNAMICS_APPEND_HITS_H_

#include <algorithm>
#include <span>
#include <vector>

#include "src/dynamics/contact.h"
#include "src/dynamics/contact_event.h"
#include "src/dynamics/contact_hit.h"
#include "src/dynamics/contact_store.h"

namespace nowait {

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

#endif  // NOWAIT_SRC_DYNAMICS_APPEND_HITS_H_
