// EventCursor: reads the content of an event from outside, value by value.
//
// A read beyond the end, or a number that does not fit, returns zero, and the cursor has failed
// from then on. A reader therefore checks once, at the end, and not after each value.
//
// Thread safety: one thread.
#ifndef NOWAIT_SRC_LIVE_EVENT_CURSOR_H_
#define NOWAIT_SRC_LIVE_EVENT_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace nowait {

class EventCursor {
 public:
  explicit EventCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  std::size_t left() const { return bytes_.size(); }

  template <class T>
  T Value() {
    T value{};
    if (bytes_.size() < sizeof(T)) {
      Fail();
    } else {
      std::memcpy(&value, bytes_.data(), sizeof(T));
      bytes_ = bytes_.subspan(sizeof(T));
    }
    return value;
  }

  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint64_t>(bytes_.front());
      const std::uint64_t part = byte & 0x7f;
      bytes_ = bytes_.subspan(1);
      if (shift == 63 && part > 1) break;
      value |= part << shift;
      if (byte < 0x80) return value;
    }
    Fail();
    return 0;
  }
  std::int64_t SignedVarint() {
    const std::uint64_t value = Varint();
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }

  // The rest.
  std::string_view Text() {
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    bytes_ = {};
    return text;
  }

 private:
  void Fail() {
    failed_ = true;
    bytes_ = {};
  }

  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_EVENT_CURSOR_H_
