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

}  // namespace nowait
