#include "src/events/lane.h"

#include <algorithm>
#include <cstring>

namespace nowait {
namespace {

// The lowest cost of a section with an event.
constexpr std::size_t kLeastCost = EventLane::kSectionCost + sizeof(EventHeader);

}  // namespace

EventLane::EventLane(std::uint32_t most_bytes)
    : most_(most_bytes),
      most_sections_(2 * most_ / kLeastCost + 1),
      // Not initialised: memory that no event needs costs only address space.
      bytes_(std::make_unique_for_overwrite<std::byte[]>(2 * most_)),
      sections_(std::make_unique_for_overwrite<Section[]>(most_sections_)) {}

bool EventLane::HasRoom(std::size_t bytes) const {
  const std::size_t sections = count_ + (begun_ ? 0 : 1);
  return used_ + bytes + sections * kSectionCost <= 2 * most_;
}

void EventLane::Post(std::uint32_t type, std::span<const std::byte> event) {
  ++posted_;
  if (key_ >= cut_) return;
  const std::size_t bytes = BytesInStream(event.size());
  if (!HasRoom(bytes)) {
    Drop(bytes);
    if (key_ >= cut_) return;
  }
  if (!begun_) {
    sections_[count_++] = {key_, static_cast<std::uint32_t>(used_), 0};
    begun_ = true;
  }
  const EventHeader header{type, static_cast<std::uint32_t>(event.size())};
  std::byte* const at = bytes_.get() + used_;
  std::memcpy(at, &header, sizeof header);
  std::memcpy(at + sizeof header, event.data(), event.size());
  const std::size_t written = sizeof header + event.size();
  std::memset(at + written, 0, bytes - written);
  used_ += bytes;
  sections_[count_ - 1].bytes += static_cast<std::uint32_t>(bytes);
}

void EventLane::Drop(std::size_t more) {
  if (!begun_) {
    sections_[count_++] = {key_, static_cast<std::uint32_t>(used_), 0};
    begun_ = true;
  }
  Section* const begin = sections_.get();
  std::sort(begin, begin + count_,
            [](const Section& a, const Section& b) { return a.key < b.key; });
  std::size_t kept = 0;
  std::size_t cost = 0;
  for (; kept < count_; ++kept) {
    cost += kSectionCost + begin[kept].bytes + (begin[kept].key == key_ ? more : 0);
    if (cost > most_) break;
  }
  if (kept < count_) cut_ = std::min(cut_, begin[kept].key);
  count_ = kept;
  // Each section moves down to the end of the previous one.
  std::sort(begin, begin + count_, [](const Section& a, const Section& b) { return a.at < b.at; });
  used_ = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    std::memmove(bytes_.get() + used_, bytes_.get() + begin[i].at, begin[i].bytes);
    begin[i].at = static_cast<std::uint32_t>(used_);
    used_ += begin[i].bytes;
  }
}

void EventLane::Clear() {
  used_ = 0;
  count_ = 0;
  begun_ = false;
  cut_ = kNoCut;
  posted_ = 0;
}

}  // namespace nowait
