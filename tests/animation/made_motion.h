// MadeMotion: a motion for tests: smooth turns of every bone, a root that walks, one jump.
#ifndef NOWAIT_TESTS_ANIMATION_MADE_MOTION_H_
#define NOWAIT_TESTS_ANIMATION_MADE_MOTION_H_

#include <cstdint>

#include "src/animation/motion.h"

namespace nowait {

// bones: at least 1, in chains of up to 6 bones below the root. frames: at least 2. The root has
// positions, and so has the last bone. cut: the frame after which all bones jump; 0: they do not.
Motion MadeMotion(std::uint32_t bones, std::uint32_t frames, std::uint64_t seed,
                  std::uint32_t cut = 0);

}  // namespace nowait

#endif  // NOWAIT_TESTS_ANIMATION_MADE_MOTION_H_
