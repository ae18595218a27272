// Event: a small struct that says what happened. It has no address and no behaviour.
//
//   struct DoorOpened {
//     static constexpr std::uint32_t kType = FourCharacters("DrOp");
//     std::uint32_t door;
//   };
//
// kType identifies the struct for ever: a changed struct gets a new one. In a stream
// (src/events/stream.h) each event follows a header with its type and size, so that a consumer can
// skip the types that it does not know.
//
// Source: [bitsquid2010], "Events".
#ifndef NOWAIT_SRC_EVENTS_EVENT_H_
#define NOWAIT_SRC_EVENTS_EVENT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "src/resource/blob_data.h"

namespace nowait {

struct EventHeader {
  std::uint32_t type;
  std::uint32_t size;  // of the struct alone
};

// Headers and events lie at multiples of this; the bytes between them are zero.
inline constexpr std::size_t kEventAlignment = 8;

template <class T>
concept Event = BlobData<T> && alignof(T) <= kEventAlignment&& requires {
  { T::kType } -> std::convertible_to<std::uint32_t>;
};

// In a stream: the header, the struct, and the zeros behind it.
constexpr std::size_t BytesInStream(std::size_t size_of_event) {
  return sizeof(EventHeader) +
         (size_of_event + kEventAlignment - 1) / kEventAlignment * kEventAlignment;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_EVENTS_EVENT_H_
