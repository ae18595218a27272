// EventLane: the events that one thread at a time posts, in sections that have keys.
//
// It is a part of EventLanes (lanes.h), which gives a lane to one thread at a time and merges the
// sections of all lanes in the order of their keys.
//
// Bound. Of the sections of all lanes, those are kept, whole, that come first by key and together
// fit into `most_bytes`, each at its bytes plus kSectionCost. A lane may have to drop sections
// before the others are known. It has twice the room. When that is full, it drops the sections that
// cannot be kept whatever the other lanes contain: even this lane's own sections of lower keys
// leave no room for them. A lane thus drops no section that has room in the end, and at least half
// of its memory becomes free: all drops together cost O(bytes posted * log(sections)).
//
// Thread safety: one thread at a time. No allocation after the constructor.
#ifndef NOWAIT_SRC_EVENTS_LANE_H_
#define NOWAIT_SRC_EVENTS_LANE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "src/events/event.h"

namespace nowait {

class EventLane {
 public:
  // A section that contains events.
  struct Section {
    std::uint64_t key;
    std::uint32_t at;  // the offset of its first byte
    std::uint32_t bytes;
  };
  // The cost of a section in addition to its events.
  static constexpr std::size_t kSectionCost = sizeof(Section);
  // No section with this key or a higher one is kept; initially there is no such key.
  static constexpr std::uint64_t kNoCut = ~std::uint64_t{0};

  // Throws std::bad_alloc.
  explicit EventLane(std::uint32_t most_bytes);

  // Begins the section of the following posts. key: below kNoCut.
  void Begin(std::uint64_t key) {
    key_ = key;
    begun_ = false;
  }

  void Post(std::uint32_t type, std::span<const std::byte> event);

  std::span<const Section> sections() const { return {sections_.get(), count_}; }
  std::span<const std::byte> BytesOf(const Section& section) const {
    return {bytes_.get() + section.at, section.bytes};
  }
  std::uint64_t cut() const { return cut_; }
  std::uint64_t posted() const { return posted_; }  // events, kept or not

  void Clear();

 private:
  bool HasRoom(std::size_t bytes) const;
  // Drops sections until the last one has room for `more` bytes, or is dropped itself.
  void Drop(std::size_t more);

  const std::size_t most_;
  const std::size_t most_sections_;
  std::unique_ptr<std::byte[]> bytes_;
  std::unique_ptr<Section[]> sections_;
  std::size_t used_ = 0;   // of bytes_
  std::size_t count_ = 0;  // of sections_
  std::uint64_t key_ = 0;
  bool begun_ = false;  // whether the last of sections_ has the key key_
  std::uint64_t cut_ = kNoCut;
  std::uint64_t posted_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_EVENTS_LANE_H_
