// Priority: what goes first when there is more than one thing to do.
//
// Three, because that is how many can be told apart when they are chosen: what a frame waits for, what
// it needs, and what may be later than it. Nothing is taken away from a thread that has begun it.
//
// Source: the review's lists, which have one each; BitSquid, "Task management": a game sets them.
// Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_PRIORITY_H_
#define NOWAIT_SRC_JOBS_PRIORITY_H_

#include <cstdint>

namespace nowait {

enum class Priority : std::uint8_t { kHigh, kNormal, kLow };

inline constexpr std::uint32_t kPriorities = 3;

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_PRIORITY_H_
