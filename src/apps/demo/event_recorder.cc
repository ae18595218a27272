#include "src/apps/demo/event_recorder.h"

#include <algorithm>

#include "src/base/or_no_memory.h"
#include "src/events/saved.h"
#include "src/world/world_events.h"

namespace nowait {

Result<EventRecorder> EventRecorder::Create(std::uint32_t sections, bool save) {
  // That of the physics is open when those of the game are closed.
  auto lanes = EventLanes::Create({.lanes = std::max(sections, 1u), .most_bytes = kMostFrameBytes});
  if (!lanes) return std::unexpected(lanes.error());
  return EventRecorder(std::move(*lanes), save);
}

Result<void> EventRecorder::EndFrame(std::uint64_t frame, const World& world) {
  {
    auto section = lanes_->Open(EventLanes::kHighestKey);
    if (!section) return std::unexpected(section.error());
    PostEvents(world, *section);
  }
  const auto stream = lanes_->Merge();
  if (!stream) return std::unexpected(stream.error());
  summary_.Add(*stream, lanes_->lost());
  if (!save_) return {};
  const auto blob = SaveEvents(frame, lanes_->lost(), *stream);
  if (!blob) return std::unexpected(blob.error());
  if (file_.size() + blob->size() > kMostSavedBytes) {
    return Fail(ErrorCode::kCapacity, "event file", static_cast<std::int64_t>(kMostSavedBytes));
  }
  return OrNoMemory([&]() -> Result<void> {
    file_.insert(file_.end(), blob->begin(), blob->end());
    return {};
  });
}

}  // namespace nowait
