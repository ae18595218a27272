// FindFootfalls: the moments of a motion at which a foot comes down, for steps that are heard.
//
// A foot is down while its ankle is low and slow: at most `height` above the lowest place that it
// has in the whole motion, and no faster than `speed`. Contacts shorter than `shortest` are noise,
// and so are gaps between contacts. A foot that is down at the first frame has not come down.
// A clip that is shown by a loop may begin with a foot down: the loop's jump is no step.
//
// Thread safety: a function of values. It may throw std::bad_alloc.
// Complexity: linear in the frames, times the ancestors of the foot.
// Test: tests/animation/leg_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_FOOTFALLS_H_
#define NOWAIT_SRC_ANIMATION_FOOTFALLS_H_

#include <cstdint>
#include <vector>

#include "src/animation/motion.h"

namespace nowait {

struct FootfallLimits {
  float height = 0.06f;   // metres
  float speed = 0.7f;     // metres a second
  float shortest = 0.1f;  // seconds
};

// Frames at which the bone `foot` comes down, ascending, each above 0. motion: one that Check
// accepts.
std::vector<std::uint16_t> FindFootfalls(const Motion& motion, std::uint16_t foot,
                                         const FootfallLimits& limits = {});

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_FOOTFALLS_H_
