// Variants of a motion: seen in a mirror, and with more bones than were captured.
//
// Thread safety: functions of values. They may throw std::bad_alloc.
#ifndef NOWAIT_SRC_APPS_CROWD_VARIANTS_H_
#define NOWAIT_SRC_APPS_CROWD_VARIANTS_H_

#include <cstdint>

#include "src/animation/motion.h"
#include "src/base/result.h"

namespace nowait {

// Left for right: the plane x = 0 of the character is the mirror. A bone whose name begins with
// "Left" or "L" takes the curve of the one with "Right" or "R", if there is such a bone.
Motion Mirrored(const Motion& motion);

// A motion of `bones` bones, at least as many as it has. A bone that is added has an earlier one as
// its parent, and repeats the rotations of a captured bone some frames later: its curve is as hard
// to pack as a captured one, though it was not captured. kInvalidArgument "bones": fewer than there
// are, or too many.
Result<Motion> WithBones(const Motion& motion, std::uint32_t bones);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_VARIANTS_H_
