// ClippedFace: a supporting face that is cut plane by plane, and whose corners remember which edges
// and planes made them. It may be a polygon, a line or a point.
//
// Thread safety: one thread. No allocation.
//
// Source: [sutherland1974]. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_CLIPPED_FACE_H_
#define NOWAIT_SRC_COLLISION_CLIPPED_FACE_H_

#include <array>
#include <cstdint>

#include "src/collision/supporting_face.h"
#include "src/math/vec3.h"

namespace nowait {

class ClippedFace {
 public:
  // Each plane adds one corner at most; all planes of one supporting face.
  static constexpr std::uint32_t kMaxCorners = 2 * SupportingFace::kMaxCorners;

  struct Corner {
    Vec3 position;
    std::uint32_t feature;  // a corner of the start: its number; a cut: of an edge and a plane
    std::uint32_t edge;     // to the next corner; of the start, or made by a cut
  };

  // planes: as many as it will be cut by. Three of them have features below 61, as many as a
  // supporting face has edges have features below 351.
  ClippedFace(const SupportingFace& face, std::uint32_t planes);

  std::uint32_t count() const { return count_; }
  const Corner& operator[](std::uint32_t i) const { return corners_[i]; }

  // Keeps the part where Dot(normal, p) <= offset. plane: its number, each used once.
  void Clip(Vec3 normal, float offset, std::uint32_t plane);

 private:
  std::uint32_t planes_;
  bool is_closed_;  // and not a line
  std::uint32_t count_ = 0;
  std::array<Corner, kMaxCorners> corners_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CLIPPED_FACE_H_
