// ChromeTrace: a profile as a file for chrome://tracing or https://ui.perfetto.dev.
//
// The Trace Event Format's JSON object: one "X" (complete) event per span, one "C" event per
// sample, and one thread_name and one thread_sort_index per lane, so that the viewer shows the
// lanes by name and in the order in which they were added. Times are microseconds since the
// earliest event. The arguments of a span are its number and its core, as far as they are known,
// and the core at its end where that is another one. otherData.lost counts the events for which the
// lanes had no room; it is zero in a complete trace.
//
// Thread safety: one thread, while no thread writes the lanes.
#ifndef NOWAIT_SRC_PROFILE_CHROME_TRACE_H_
#define NOWAIT_SRC_PROFILE_CHROME_TRACE_H_

#include <string>

#include "src/profile/profile.h"

namespace nowait {

std::string ChromeTrace(const Profile& profile);

}  // namespace nowait

#endif  // NOWAIT_SRC_PROFILE_CHROME_TRACE_H_
