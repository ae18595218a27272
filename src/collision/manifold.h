// Manifold: where and in which direction two bodies touch, or nearly touch.
//
// Each point has a normal of its own: on a height field one box can stand on triangles that slope
// differently. Points carry the feature of the shapes they come from, so that the impulse found for
// a point in one step starts the solver at the same point in the next (warm starting).
//
// Source: manifolds with feature ids: E. Catto, "Iterative Dynamics with Temporal Coherence", 2005;
// E. Coumans, "Contact generation", GDC 2010. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_MANIFOLD_H_
#define NOWAIT_SRC_COLLISION_MANIFOLD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "src/base/assert.h"
#include "src/math/vec3.h"

namespace nowait {

struct ContactPoint {
  Vec3 position;              // in the world, midway between the two surfaces
  Vec3 normal;                // unit length, from the first body to the second
  float separation = 0.0f;    // along the normal; negative while the bodies overlap
  std::uint32_t feature = 0;  // which features met; different for the points of one manifold
  // Of the triangle or the cell that it lies on (surface_materials.h). Collide gives the part's own
  // numbers; in a contact they are those of the pair (src/dynamics/contact_material.h).
  float friction = 1.0f;      // a factor of the surface's body; in a contact, of the pair's
  float restitution = 0.0f;   // in a contact, the pair's is at least this
  std::uint8_t material = 0;  // its number
};

// Up to kMost points. Room that has no point yet is left as it is: to initialise it would cost a
// pair of two spheres more than its geometry does.
template <std::uint32_t kMost>
class PointList {
 public:
  static constexpr std::uint32_t kMaxPoints = kMost;

  void Clear() { count_ = 0; }
  void Add(const ContactPoint& point) {
    NOWAIT_ASSERT(count_ < kMost, "points are reduced before they overflow");
    std::construct_at(data() + count_++, point);
  }

  std::uint32_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::span<ContactPoint> points() { return {data(), count_}; }
  std::span<const ContactPoint> points() const {
    return {std::launder(reinterpret_cast<const ContactPoint*>(room_.data())), count_};
  }

 private:
  static_assert(std::is_trivially_copyable_v<ContactPoint>);

  ContactPoint* data() { return std::launder(reinterpret_cast<ContactPoint*>(room_.data())); }

  std::uint32_t count_ = 0;
  alignas(ContactPoint) std::array<std::byte, kMost * sizeof(ContactPoint)> room_;
};

using Manifold = PointList<8>;

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MANIFOLD_H_
