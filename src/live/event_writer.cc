#include "src/live/event_writer.h"

#include <cstring>

namespace nowait {

void EventWriter::Begin(std::uint32_t type) {
  header_ = bytes_.size();
  Value(EventHeader{type, 0});
}

void EventWriter::End() {
  const std::size_t size = bytes_.size() - header_ - sizeof(EventHeader);
  const auto whole = static_cast<std::uint32_t>(size);
  std::memcpy(bytes_.data() + header_ + offsetof(EventHeader, size), &whole, sizeof whole);
  bytes_.resize(header_ + BytesInStream(size));
}

void EventWriter::Varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<std::byte>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<std::byte>(value));
}

}  // namespace nowait
