// Blend: a pose between two, bone by bone.
//
// Rotations go along the shorter way: q and -q are one rotation, so `b` is turned towards `a`, the
// two are mixed as vectors, and the result gets the length one. That is the great circle, not at a
// steady speed: halfway it is exact, and rotations 90 degrees apart differ by at most 2 degrees
// from it. Positions are mixed as vectors.
//
// Thread safety: a function of values; `out` may be `a` or `b`. Complexity: linear in the bones.
#ifndef NOWAIT_SRC_ANIMATION_BLEND_H_
#define NOWAIT_SRC_ANIMATION_BLEND_H_

#include <array>
#include <cstdint>

#include "src/animation/hermite.h"
#include "src/animation/pose.h"
#include "src/base/assert.h"
#include "src/math/simd.h"

namespace nowait {

// weight: of `b`, from 0 to 1. The poses have the same number of bones.
inline void Blend(const Pose& a, const Pose& b, float weight, Pose& out) {
  NOWAIT_ASSERT(a.bones() == b.bones() && a.bones() == out.bones(), "poses of one skeleton");
  const Float4 of_a(1.0f - weight);
  const Float4 of_b(weight);
  for (std::uint32_t bone = 0; bone < a.bones(); bone += 4) {
    const auto p = a.Rotations(bone);
    const auto q = b.Rotations(bone);
    const Float4 dot = ((p[0] * q[0] + p[1] * q[1]) + p[2] * q[2]) + p[3] * q[3];
    const Float4 towards = CopySign(of_b, dot);
    std::array<Float4, 4> rotation;
    for (int k = 0; k < 4; ++k) rotation[k] = p[k] * of_a + q[k] * towards;
    out.SetRotations(bone, Normalised<4>(rotation));

    const auto from = a.Positions(bone);
    const auto to = b.Positions(bone);
    std::array<Float4, 3> position;
    for (int k = 0; k < 3; ++k) position[k] = from[k] * of_a + to[k] * of_b;
    out.SetPositions(bone, position);
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_BLEND_H_
