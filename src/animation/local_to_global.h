// LocalToGlobal: from the frames of the parents to the frame of the character, and to matrices.
//
// A bone's global rotation is its parent's times its own; its place is its parent's plus its own,
// turned. Four bones of a level are four lanes. A group at the end of a level reaches into the next
// level: what its last lanes compute from parents that are not ready is written over when that
// level has its turn. So no skeleton is padded and no lane is masked.
//
// Thread safety: functions of values; `global` is not `local`. Complexity: linear in the bones.
#ifndef NOWAIT_SRC_ANIMATION_LOCAL_TO_GLOBAL_H_
#define NOWAIT_SRC_ANIMATION_LOCAL_TO_GLOBAL_H_

#include <array>
#include <cstdint>
#include <span>

#include "src/animation/pose.h"
#include "src/animation/skeleton.h"

namespace nowait {

// The first three rows of an affine matrix: a rotation, and the place in the last column.
struct alignas(16) Affine {
  std::array<std::array<float, 4>, 3> row;
  friend bool operator==(const Affine&, const Affine&) = default;
};

// All three have the same number of bones. Rotations of `local` have length one.
void LocalToGlobal(const Skeleton& skeleton, const Pose& local, Pose& global);

// to: as many as there are bones. origin: added to each place, the character's own.
void ToMatrices(const Pose& global, Vec3 origin, std::span<Affine> to);

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_LOCAL_TO_GLOBAL_H_
