#include "src/apps/demo/event_summary.h"

#include <zlib.h>

#include "src/apps/demo/game_events.h"
#include "src/events/saved.h"
#include "src/resource/blob.h"
#include "src/world/world_events.h"

namespace nowait {

void EventSummary::Add(const EventStream& stream, std::uint64_t lost_of_frame) {
  for (const EventView event : stream) {
    if (event.As<ContactBegan>() != nullptr) {
      ++contacts_began;
    } else if (event.As<ContactEnded>() != nullptr) {
      ++contacts_ended;
    } else if (event.As<BodyWoke>() != nullptr) {
      ++woke;
    } else if (event.As<BodyFellAsleep>() != nullptr) {
      ++fell_asleep;
    } else if (event.As<RaySaw>() != nullptr) {
      ++rays_hit;
    } else if (event.As<BatchAdded>() != nullptr) {
      ++batches_added;
    } else if (event.As<BatchRemoved>() != nullptr) {
      ++batches_removed;
    } else if (event.As<HorsesSwapped>() != nullptr) {
      ++horses_swapped;
    } else {
      ++unknown;
    }
  }
  ++frames;
  lost += lost_of_frame;
  bytes += stream.bytes().size();
  checksum = static_cast<std::uint32_t>(crc32_z(
      checksum, reinterpret_cast<const Bytef*>(stream.bytes().data()), stream.bytes().size()));
}

Result<EventSummary> SummariseEvents(std::span<const std::byte> file) {
  EventSummary summary;
  for (BlobSequence blobs(file);;) {
    const std::size_t place = blobs.place();
    const auto blob = blobs.TakeNext();
    if (!blob) return std::unexpected(blob.error());
    if (!*blob) return summary;
    const auto events = OpenEvents(**blob);
    if (!events) {
      Error error = events.error();
      error.amount += static_cast<std::int64_t>(place);
      return std::unexpected(error);
    }
    summary.Add(events->stream, events->lost);
  }
}

}  // namespace nowait
