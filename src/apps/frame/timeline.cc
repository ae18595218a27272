#include "src/apps/frame/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "src/apps/svg/timeline.h"

namespace nowait {

namespace {

// Whether the lane had no room for the spans of that time, or for those at its end. The last span
// that is written ends last.
bool LacksSpans(const Lane& lane, std::uint64_t end) {
  const bool full = lane.lost > 0 && lane.spans.size() == lane.spans.capacity();
  return full && (lane.spans.empty() || lane.spans.back().end < end);
}

}  // namespace

Result<FrameTime> TimeOfFrame(const Profile& profile, std::int64_t frame) {
  std::optional<std::uint64_t> begin, next;
  std::uint64_t last = 0;
  bool lost = false;  // samples
  for (const Lane& lane : profile.lanes()) {
    lost = lost || (lane.lost > 0 && lane.samples.size() == lane.samples.capacity());
    for (const Sample& sample : lane.samples) {
      if (std::string_view(sample.name) != "frame") continue;
      if (sample.value == frame) begin = sample.time;
      if (sample.value == frame + 1) next = sample.time;
    }
    for (const Span& span : lane.spans) last = std::max(last, span.end);
  }
  if (!begin || (!next && lost)) return Fail(ErrorCode::kNotFound, "frame", frame);
  const FrameTime time{*begin, std::max(next.value_or(last), *begin + 1)};
  for (const Lane& lane : profile.lanes()) {
    if (LacksSpans(lane, time.end)) return Fail(ErrorCode::kNotFound, "frame", frame);
  }
  return time;
}

Result<std::string> FrameTimeline(const Profile& profile, std::int64_t frame) {
  const auto time = TimeOfFrame(profile, frame);
  if (!time) return std::unexpected(time.error());
  return DrawTimeline(profile, time->begin, time->end,
                      fmt::format("Frame {}. Below a wait, shaded: what the thread helped with "
                                  "meanwhile; nothing there: it slept.",
                                  frame));
}

}  // namespace nowait
