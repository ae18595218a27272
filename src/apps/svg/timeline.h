// DrawTimeline: the work of each thread in one frame, as SVG: a lane a thread, scopes as bars.
//
// Bars below each other are nested. Waits are hatched, and shaded down to the work that their
// thread helped with meanwhile: in a wait with nothing below it the thread slept. A "task" of the
// task pool, and its "jobs" of a list, are drawn only where nothing in them has a name of its own.
// A line below a lane marks its pieces of the critical path (src/profile/critical_path.h).
#ifndef NOWAIT_SRC_APPS_SVG_TIMELINE_H_
#define NOWAIT_SRC_APPS_SVG_TIMELINE_H_

#include <cstdint>
#include <map>
#include <string>

#include "src/profile/profile.h"

namespace nowait {

// The colours of names. A name keeps the one that its first drawing has given it.
using TimelineColours = std::map<std::string, std::string>;

// begin, end: nanoseconds of the profile's clock; begin < end. Spans that reach beyond are cut off.
// Call it when the threads that wrote the profile no longer write.
std::string DrawTimeline(const Profile& profile, std::uint64_t begin, std::uint64_t end,
                         const std::string& subtitle);
// The same for one of several drawings that are looked at together.
std::string DrawTimeline(const Profile& profile, std::uint64_t begin, std::uint64_t end,
                         const std::string& subtitle, TimelineColours& colours);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SVG_TIMELINE_H_
