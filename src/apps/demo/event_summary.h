// EventSummary: the demo's consumer of events. It counts them, live or from a file: it cannot
// distinguish the two.
//
// Thread safety: one thread at a time.
#ifndef NOWAIT_SRC_APPS_DEMO_EVENT_SUMMARY_H_
#define NOWAIT_SRC_APPS_DEMO_EVENT_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/base/result.h"
#include "src/events/stream.h"

namespace nowait {

struct EventSummary {
  std::uint64_t frames = 0;
  std::uint64_t contacts_began = 0;
  std::uint64_t contacts_ended = 0;
  std::uint64_t woke = 0;
  std::uint64_t fell_asleep = 0;
  std::uint64_t rays_hit = 0;
  std::uint64_t batches_added = 0;
  std::uint64_t batches_removed = 0;
  std::uint64_t horses_swapped = 0;
  std::uint64_t unknown = 0;   // of types that this program does not know
  std::uint64_t lost = 0;      // for which a frame's stream had no room
  std::uint64_t bytes = 0;     // of all streams
  std::uint32_t checksum = 0;  // CRC-32 of all streams, one behind the other

  // A frame's stream, and the events that it had no room for.
  void Add(const EventStream& stream, std::uint64_t lost_of_frame);

  friend bool operator==(const EventSummary&, const EventSummary&) = default;
};

// The events of a file that the demo has written. kCorrupt: `amount` is the place in the file.
Result<EventSummary> SummariseEvents(std::span<const std::byte> file);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_EVENT_SUMMARY_H_
