// Motions for tests. MadeMotion: smooth turns of every bone, a root that goes along, one jump.
// MadeWalk: two legs that walk on a floor.
#ifndef NOWAIT_TESTS_ANIMATION_MADE_MOTION_H_
#define NOWAIT_TESTS_ANIMATION_MADE_MOTION_H_

#include <cstdint>

#include "src/animation/motion.h"

namespace nowait {

// bones: at least 1, in chains of up to 6 bones below the root. frames: at least 2. The root has
// positions, and so has the last bone. cut: the frame after which all bones jump; 0: they do not.
Motion MadeMotion(std::uint32_t bones, std::uint32_t frames, std::uint64_t seed,
                  std::uint32_t cut = 0);

// Hips and two legs with the names of the CMU database, in place: in each stride, of `stride`
// seconds at 120 frames a second, a foot is up for the first half and down for the other one; the
// left foot begins. frames: at least 2.
Motion MadeWalk(std::uint32_t frames, float stride);

}  // namespace nowait

#endif  // NOWAIT_TESTS_ANIMATION_MADE_MOTION_H_
