// FrameTimeline: one frame of the example as a picture (src/apps/svg/timeline.h).
//
// A frame is from its sample of "frame" (src/jobs/frame_loop.h) to that of the next one, or to the
// end.
//
// Thread safety: one thread, while no thread writes the lanes.
#ifndef NOWAIT_SRC_APPS_FRAME_TIMELINE_H_
#define NOWAIT_SRC_APPS_FRAME_TIMELINE_H_

#include <cstdint>
#include <string>

#include "src/base/result.h"
#include "src/profile/profile.h"

namespace nowait {

// Nanoseconds of the profile's clock.
struct FrameTime {
  std::uint64_t begin;
  std::uint64_t end;
};

// kNotFound: no such frame, or a lane may have had no room for some of its spans or for its end.
Result<FrameTime> TimeOfFrame(const Profile& profile, std::int64_t frame);
Result<std::string> FrameTimeline(const Profile& profile, std::int64_t frame);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_FRAME_TIMELINE_H_
