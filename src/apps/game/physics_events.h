// PhysicsEvents: the stream of each frame's physics events, from the world or from a file.
//
//   const auto stream = events.TakeFrame(frame, world);   // behind the physics update
//   if (!stream) return std::unexpected(stream.error());
//
// The events are saved on request, a blob a frame (src/events/saved.h). A replay reads such a file
// in place of the world's lists: the objects hear what they heard in the other run. A replay that
// is saved gives the frames that it has read.
//
// Thread safety: one thread. Test: tests/apps/game/game_test.cc.
#ifndef NOWAIT_SRC_APPS_GAME_PHYSICS_EVENTS_H_
#define NOWAIT_SRC_APPS_GAME_PHYSICS_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/events/lanes.h"
#include "src/events/stream.h"
#include "src/resource/blob.h"
#include "src/world/world.h"

namespace nowait {

class PhysicsEvents {
 public:
  static constexpr std::size_t kMostSavedBytes = std::size_t{1} << 30;

  // replay: the bytes of such a file, which must outlive this; empty: the world's events. kCapacity
  // "memory".
  static Result<std::unique_ptr<PhysicsEvents>> Create(bool save,
                                                       std::span<const std::byte> replay);

  // Valid until the next call. kCapacity "event file": kMostSavedBytes is reached. Of a replay:
  // kCorrupt, with the offset in the file as `amount`; kNotFound "event file": it has no frame of
  // this number next.
  Result<EventStream> TakeFrame(std::uint64_t frame, const World& world);

  std::uint64_t lost() const { return lost_; }  // events for which a frame's stream had no room
  std::vector<std::byte> TakeSaved() { return std::exchange(saved_, {}); }

 private:
  PhysicsEvents(std::unique_ptr<EventLanes> lanes, bool save, std::span<const std::byte> replay)
      : lanes_(std::move(lanes)), save_(save), replays_(!replay.empty()), replay_(replay) {}

  Result<EventStream> NextOfWorld(const World& world);
  Result<EventStream> NextOfReplay(std::uint64_t frame);
  Result<void> Save(std::uint64_t frame, const EventStream& stream);

  std::unique_ptr<EventLanes> lanes_;
  const bool save_;
  const bool replays_;
  BlobSequence replay_;
  std::vector<std::byte> saved_;
  std::uint64_t lost_of_frame_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_GAME_PHYSICS_EVENTS_H_
