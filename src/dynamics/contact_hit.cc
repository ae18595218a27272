#include "src/dynamics/contact_hit.h"

#include <algorithm>

#include "src/base/assert.h"

namespace nowait {
namespace {

Vec3 VelocityAt(const Body& body, Vec3 place) {
  return body.linear_velocity + Cross(body.angular_velocity, place - body.position);
}

}  // namespace

ContactHit HitOf(const Manifold& manifold, const Body& a, const Body& b) {
  NOWAIT_ASSERT(!manifold.empty(), "bodies that touch do so somewhere");
  // Of equal depths the first one: the narrow phase has put the points in an order.
  const ContactPoint& deepest =
      *std::ranges::min_element(manifold.points(), {}, &ContactPoint::separation);
  const Vec3 velocity = VelocityAt(a, deepest.position) - VelocityAt(b, deepest.position);
  const float speed = Dot(velocity, deepest.normal);
  return {deepest.position, deepest.normal, speed, Length(velocity - deepest.normal * speed)};
}

void AppendHits(std::span<const ContactEvent> events, const ContactStore& contacts,
                const BodyStorage& bodies, std::vector<ContactHit>& hits) {
  auto entry = contacts.entries().begin();
  for (const ContactEvent& event : events) {
    if (event.kind != ContactEvent::Kind::kBegan) continue;
    // Both lists ascend by pair, and each contact that began is in the store.
    while (entry->key < PairKey(event.a, event.b)) ++entry;
    hits.push_back(
        HitOf(contacts[entry->index].manifold, bodies[event.a.slot()], bodies[event.b.slot()]));
  }
}

}  // namespace nowait
