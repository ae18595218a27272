// DrawTimeline: what each thread did in one frame, as SVG: a lane a thread, scopes as bars.
//
// Bars below each other are nested. Waits are hatched, and shaded as far down as what their thread
// helped with meanwhile: a wait with nothing below it slept. A "task" of the task pool is drawn only
// where nothing in it has a name of its own.
#ifndef NOWAIT_SRC_APPS_SVG_TIMELINE_H_
#define NOWAIT_SRC_APPS_SVG_TIMELINE_H_

#include <cstdint>
#include <string>

#include "src/profile/profile.h"

namespace nowait {

// begin, end: nanoseconds of the profile's clock; begin < end. Spans that reach beyond are cut off.
// Read after the threads that wrote the profile are quiet.
std::string DrawTimeline(const Profile& profile, std::uint64_t begin, std::uint64_t end,
                         const std::string& subtitle);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SVG_TIMELINE_H_
