// Recycled contacts: the points of a contact carried along, while its bodies hardly move against
// each other.
//
//   if (MayRecycle(contact, a, b)) ...                  the narrow phase is not asked again
//   Manifold room;
//   for (const ContactPoint& point : PointsNow(contact, a, b, room)) ...
//
// A pile at rest is most of what a narrow phase looks at, and finds what it found before. So a
// contact keeps where its bodies were when its points were found. While no point of the smaller
// body has moved against the other one by more than kMostRecycled since then, its points are these:
// each surface point goes with its own body, and what lies between the two is the separation.
//
// No contact is missed: a point that was farther away than the margin is still farther away than
// the margin less that motion, and the solver needs nothing from there. No pair is kept too long: a
// contact whose nearest points may have come apart by more than the margin is not recycled.
//
// Thread safety: pure functions; any thread. Determinism: the answers depend on the arguments
// alone. Complexity: MayRecycle O(1), PointsNow O(points).
// Source: [joltsettings], the cache of body pairs: up to a millimetre and two degrees.
// Test: tests/dynamics/contact_recycling_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_RECYCLING_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_RECYCLING_H_

#include <span>

#include "src/bodies/body.h"
#include "src/collision/manifold.h"
#include "src/dynamics/contact.h"

namespace nowait {

// The longest motion over which points are carried along; metres. A twentieth of the margin.
inline constexpr float kMostRecycled = 0.001f;
// The same as a part of the smaller body's radius: turning a body by so little moves its points
// along straight lines, to a hundredth of the motion.
inline constexpr float kMostRecycledOfRadius = 0.02f;

// Whether contacts of two such shapes are recycled at all: all that they consist of has plane faces
// alone. While a round one rolls, a kept point stays behind the place where it touches, and pushes
// it on: balls rolled uphill, and ragdolls of capsules did not come to rest.
bool AreFaceted(const Shape& a, const Shape& b);

// points: not empty.
float LeastSeparation(std::span<const ContactPoint> points);

// a, b: the two bodies as the narrow phase sees them. points: what it found; not empty.
ContactOrigin OriginOf(const Body& a, const Body& b, std::span<const ContactPoint> points);

// Whether the points of `contact` are those of its bodies where these are now. The bodies have the
// shapes and the materials that they had at the contact's origin, and are faceted.
bool MayRecycle(const Contact& contact, const Body& a, const Body& b);

// The points of the contact where its bodies are now. room: the caller's; the result is in it, or
// in the contact if the bodies are where they were.
std::span<const ContactPoint> PointsNow(const Contact& contact, const Body& a, const Body& b,
                                        Manifold& room);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_RECYCLING_H_
