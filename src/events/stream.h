// EventStream: a sequence of events, each preceded by a header, as a consumer reads them.
//
//   [header 1][event 1][header 2][event 2] ... [header n][event n]
//
//   for (const EventView event : stream) {
//     if (const auto* began = event.As<ContactBegan>()) Knock(began->a, began->b);
//     // Every other type is skipped, whether it is known here or not.
//   }
//
// There is no more to it: no dispatcher, no listeners, no priorities. A system makes a stream, and
// a higher system reads it and acts as it sees fit. A stream is plain data: it may be copied,
// saved, sent (src/events/saved.h) and read again.
//
// Thread safety: a view of bytes that others own; any number of threads may read it.
// Source: [bitsquid2010], "Events". Test: tests/events/stream_test.cc.
// Lecture: events without a dispatcher.
#ifndef NOWAIT_SRC_EVENTS_STREAM_H_
#define NOWAIT_SRC_EVENTS_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

#include "src/base/result.h"
#include "src/events/event.h"

namespace nowait {

// One event of a stream; valid as long as the stream's bytes.
class EventView {
 public:
  // at: the event's header. The header, and what it announces, must be whole.
  explicit EventView(const std::byte* at) : at_(at) {}

  std::uint32_t type() const { return header().type; }
  std::uint32_t size() const { return header().size; }
  std::span<const std::byte> data() const { return {at_ + sizeof(EventHeader), size()}; }

  // The event in place if it is a T, otherwise null. An event with T's type but another size is not
  // a T: its writer has broken the rule of event.h, and the event is skipped.
  template <Event T>
  const T* As() const {
    const bool is = type() == T::kType && size() == sizeof(T);
    return is ? reinterpret_cast<const T*>(at_ + sizeof(EventHeader)) : nullptr;
  }

 private:
  EventHeader header() const {
    EventHeader header;
    std::memcpy(&header, at_, sizeof header);
    return header;
  }

  const std::byte* at_;
};

class EventStream {
 public:
  class Iterator {
   public:
    using value_type = EventView;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const std::byte* at) : at_(at) {}
    EventView operator*() const { return EventView(at_); }
    Iterator& operator++() {
      at_ += BytesInStream(EventView(at_).size());
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const std::byte* at_ = nullptr;
  };

  // No events.
  EventStream() = default;

  // A stream of bytes from outside. kCorrupt "event": an event that is not whole; `amount` is the
  // offset of its header in `bytes`. kInvalidArgument "event stream": the first byte is not aligned
  // to 8 bytes.
  static Result<EventStream> Open(std::span<const std::byte> bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kEventAlignment != 0) {
      return Fail(ErrorCode::kInvalidArgument, "event stream", 0,
                  "does not lie at a multiple of 8");
    }
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t left = bytes.size() - at;
      if (left < sizeof(EventHeader) || BytesInStream(EventView(bytes.data() + at).size()) > left) {
        return Fail(ErrorCode::kCorrupt, "event", static_cast<std::int64_t>(at),
                    "longer than its stream");
      }
      at += BytesInStream(EventView(bytes.data() + at).size());
    }
    return EventStream(bytes);
  }

  Iterator begin() const { return Iterator(bytes_.data()); }
  Iterator end() const { return Iterator(bytes_.data() + bytes_.size()); }
  bool empty() const { return bytes_.empty(); }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  friend class EventLanes;  // writes whole events
  explicit EventStream(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

static_assert(std::forward_iterator<EventStream::Iterator>);

}  // namespace nowait

#endif  // NOWAIT_SRC_EVENTS_STREAM_H_
