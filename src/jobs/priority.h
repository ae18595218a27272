// Priority: what goes first when there is more than one thing to do.
//
// There are three, because a programmer can distinguish so many when choosing: work that a frame
// waits for, work that it needs, and work that may be later than it. A thread that has begun a task
// is not interrupted.
//
// Source: [sanglard2013], whose lists have one each; [bitsquid2010]: a game sets them. Lecture:
// hiding stalls.
#ifndef NOWAIT_SRC_JOBS_PRIORITY_H_
#define NOWAIT_SRC_JOBS_PRIORITY_H_

#include <cstdint>

namespace nowait {

enum class Priority : std::uint8_t { kHigh, kNormal, kLow };

inline constexpr std::uint32_t kPriorities = 3;

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_PRIORITY_H_
