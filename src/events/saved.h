// Saved events: a stream as a blob (src/resource/blob.h), for files, for other processes, and for
// later.
//
//   content  a SavedEvents, which names the stream's bytes; the bytes
//
// Successive blobs of this kind are the file of a run, one blob per frame. To replay a run is to
// give the same streams to the same consumer.
//
// Thread safety: the functions have no state. Test: tests/events/saved_test.cc.
// Source: [bitsquid2010], "Events".
#ifndef NOWAIT_SRC_EVENTS_SAVED_H_
#define NOWAIT_SRC_EVENTS_SAVED_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/events/stream.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kSavedEventsKind = FourCharacters("EVTS");
inline constexpr std::uint32_t kSavedEventsVersion = 1;

struct SavedEvents {
  std::uint64_t frame = 0;
  std::uint64_t lost = 0;           // events for which the stream had no room
  BlobArray<std::uint64_t> stream;  // its bytes, 8 at a time
};

struct OpenedEvents {
  std::uint64_t frame = 0;
  std::uint64_t lost = 0;
  EventStream stream;  // valid as long as the blob's bytes
};

// kCapacity "memory", or "blob bytes" for a stream of 4 GiB.
Result<std::vector<std::byte>> SaveEvents(std::uint64_t frame, std::uint64_t lost,
                                          const EventStream& stream);

// kCorrupt, with the offset in the blob as `amount`: another kind or version, or damage.
Result<OpenedEvents> OpenEvents(const Blob& blob);

}  // namespace nowait

#endif  // NOWAIT_SRC_EVENTS_SAVED_H_
