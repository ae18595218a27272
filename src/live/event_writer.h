// EventWriter: makes an event stream whose events have any size.
//
//   writer.Begin(kLiveGone);
//   writer.Varint(slot);
//   writer.End();
//
// Thread safety: one thread. Its functions may throw std::bad_alloc; the stream must then be
// cleared.
#ifndef NOWAIT_SRC_LIVE_EVENT_WRITER_H_
#define NOWAIT_SRC_LIVE_EVENT_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "src/events/event.h"

namespace nowait {

class EventWriter {
 public:
  void Clear() { bytes_.clear(); }

  void Begin(std::uint32_t type);
  void End();

  template <Event T>
  void Add(const T& event) {
    Begin(T::kType);
    Value(event);
    End();
  }

  // Called between Begin and End.
  template <class T>
  void Value(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void Text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void Varint(std::uint64_t value);
  void SignedVarint(std::int64_t value) {
    Varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }

  // The complete events; valid until the next call.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t header_ = 0;  // of the event that has begun
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_EVENT_WRITER_H_
