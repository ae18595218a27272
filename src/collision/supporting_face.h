// SupportingFace: the side of a convex shape that a direction points at, as corners.
//
// Of a box, a hull and the discs of a cylinder it is the flat face whose normal is nearest to the
// direction; of the round side of a cylinder and of a capsule a line; of the rest a point. A
// capsule's line and a sphere's point belong to their cores: the radius is not added.
//
// A disc is taken as a polygon of twelve corners on its edge, and of one more at its furthest point
// where it is tilted. A hull's face of more than twelve corners is taken as twelve of them.
//
// Thread safety: a pure function; any thread. No allocation.
// Complexity: constant; for a hull, linear in its faces.
//
// Source: [bergen2003], chapter 4. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_SUPPORTING_FACE_H_
#define NOWAIT_SRC_COLLISION_SUPPORTING_FACE_H_

#include <array>
#include <cstdint>

#include "src/collision/placed.h"
#include "src/math/vec3.h"

namespace nowait {

struct SupportingFace {
  static constexpr std::uint32_t kMaxCorners = 13;

  std::array<Vec3, kMaxCorners> corners;  // counter-clockwise seen from outside
  std::uint32_t count = 0;
  Vec3 normal;               // of length one, outwards, where it is flat
  std::uint32_t number = 0;  // of the face of this shape, below 512

  bool is_flat() const { return count > 2; }
  bool is_line() const { return count == 2; }

  void Add(Vec3 corner) { corners[count++] = corner; }
};

// shape: convex. Places are relative to `origin`. direction: of any length above zero.
SupportingFace SupportingFaceOf(const Placed& shape, Vec3 origin, Vec3 direction);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SUPPORTING_FACE_H_
