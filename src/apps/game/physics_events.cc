#include "src/apps/game/physics_events.h"

#include "src/base/or_no_memory.h"
#include "src/events/saved.h"
#include "src/world/world_events.h"

namespace nowait {

Result<std::unique_ptr<PhysicsEvents>> PhysicsEvents::Create(bool save,
                                                             std::span<const std::byte> replay) {
  auto lanes = EventLanes::Create({.lanes = 1});
  if (!lanes) return std::unexpected(lanes.error());
  return OrNoMemory([&]() -> Result<std::unique_ptr<PhysicsEvents>> {
    return std::unique_ptr<PhysicsEvents>(new PhysicsEvents(std::move(*lanes), save, replay));
  });
}

Result<EventStream> PhysicsEvents::NextOfWorld(const World& world) {
  {
    auto section = lanes_->Open(0);
    if (!section) return std::unexpected(section.error());
    PostEvents(world, *section);
  }
  const auto stream = lanes_->Merge();
  lost_of_frame_ = lanes_->lost();
  return stream;
}

Result<EventStream> PhysicsEvents::NextOfReplay(std::uint64_t frame) {
  const std::size_t at = replay_.place();
  const auto blob = replay_.TakeNext();
  if (!blob) return std::unexpected(blob.error());
  const auto number = static_cast<std::int64_t>(frame);
  if (!*blob) return Fail(ErrorCode::kNotFound, "event file", number, "it ends before this frame");
  const auto opened = OpenEvents(**blob);
  if (!opened) {
    Error error = opened.error();
    error.amount += static_cast<std::int64_t>(at);
    return std::unexpected(error);
  }
  if (opened->frame != frame) {
    return Fail(ErrorCode::kNotFound, "event file", number, "it has another frame next");
  }
  lost_of_frame_ = opened->lost;
  return opened->stream;
}

Result<void> PhysicsEvents::Save(std::uint64_t frame, const EventStream& stream) {
  const auto blob = SaveEvents(frame, lost_of_frame_, stream);
  if (!blob) return std::unexpected(blob.error());
  if (saved_.size() + blob->size() > kMostSavedBytes) {
    return Fail(ErrorCode::kCapacity, "event file", static_cast<std::int64_t>(kMostSavedBytes));
  }
  return OrNoMemory([&]() -> Result<void> {
    saved_.insert(saved_.end(), blob->begin(), blob->end());
    return {};
  });
}

Result<EventStream> PhysicsEvents::TakeFrame(std::uint64_t frame, const World& world) {
  const auto stream = replays_ ? NextOfReplay(frame) : NextOfWorld(world);
  if (!stream) return stream;
  lost_ += lost_of_frame_;
  if (!save_) return stream;
  if (auto saved = Save(frame, *stream); !saved) return std::unexpected(saved.error());
  return stream;
}

}  // namespace nowait
