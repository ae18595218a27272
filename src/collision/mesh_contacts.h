// MeshContacts: the contact points of one shape with one mesh, as they are in the world.
//
// The triangles beside an edge find the same point of it; it is taken once.
//
// Thread safety: one thread. No allocation. Complexity: of each call, constant.
// Lecture: mesh contacts and inner edges.
#ifndef NOWAIT_SRC_COLLISION_MESH_CONTACTS_H_
#define NOWAIT_SRC_COLLISION_MESH_CONTACTS_H_

#include <algorithm>
#include <cstdint>

#include "src/collision/candidates.h"
#include "src/collision/placed.h"
#include "src/math/vec3.h"

namespace nowait {

// Where in a triangle a point comes from: the two highest bits of its feature. Below them are the
// triangle, 21 bits, and a corner, as clipped_face.h numbers them.
enum class MeshFeature : std::uint32_t { kFace, kUnderFace, kClosest };

inline std::uint32_t FeatureOf(MeshFeature kind, std::uint32_t triangle, std::uint32_t corner) {
  return static_cast<std::uint32_t>(kind) << 30 | triangle << 9 | corner;
}

inline std::uint32_t TriangleOf(std::uint32_t feature) { return feature >> 9 & 0x1f'ffffu; }

class MeshContacts {
 public:
  explicit MeshContacts(const Placed& mesh) : mesh_(mesh) {}

  // point: in the mesh's frame.
  void Add(const ContactPoint& point) { candidates_.Add(InWorld(point)); }
  void AddUnlessThere(const ContactPoint& point) {
    if (!IsThere(point)) Add(point);
  }
  bool IsThere(const ContactPoint& point) const {
    const ContactPoint here = InWorld(point);
    return std::ranges::any_of(candidates_.points(), [&](const ContactPoint& other) {
      return LengthSquared(other.position - here.position) < kSamePlace * kSamePlace &&
             Dot(other.normal, here.normal) > kSameNormal;
    });
  }

  void ReduceInto(Manifold& manifold) { candidates_.ReduceInto(manifold); }

 private:
  static constexpr float kSamePlace = 1e-4f;
  static constexpr float kSameNormal = 0.999f;

  ContactPoint InWorld(const ContactPoint& point) const {
    return {mesh_.ToWorld(point.position), mesh_.rotation * point.normal, point.separation,
            point.feature};
  }

  const Placed& mesh_;
  Candidates candidates_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_CONTACTS_H_
