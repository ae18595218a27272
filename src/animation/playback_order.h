// PlaybackOrder: which track of a clip needs its next point first.
//
// A track shows the interval between two of its points. When time passes the interval's end, it
// needs a point more. The points of a clip lie in the order in which playback needs them: by the
// frame at which an interval ends, then by the number of the track. Because the order follows from
// the points themselves, no point has to name its track: this class finds the next track when a
// clip is packed, checked and played.
//
// Thread safety: a value.
// Complexity: First and ForEachAt are linear in the tracks, First with several of them in a
// processor's instruction; the others are constant.
#ifndef NOWAIT_SRC_ANIMATION_PLAYBACK_ORDER_H_
#define NOWAIT_SRC_ANIMATION_PLAYBACK_ORDER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nowait {

class PlaybackOrder {
 public:
  struct Next {
    std::uint32_t frame;  // kNever: no track needs a point
    std::uint32_t track;
  };
  static constexpr std::uint32_t kNever = 0xffff;

  // tracks: at most 65,535; at first none of them needs a point.
  explicit PlaybackOrder(std::size_t tracks) { Resize(tracks); }

  void Reserve(std::size_t tracks) {
    keys_.reserve(RoundedUp(tracks));
    ending_.reserve(RoundedUp(tracks));
  }
  // Other tracks, none of which needs a point.
  void Resize(std::size_t tracks) {
    keys_.assign(RoundedUp(tracks), ~std::uint32_t{0});
    ending_.resize(RoundedUp(tracks));
  }

  // The track's interval ends at `frame`, below kNever.
  void Set(std::uint32_t track, std::uint32_t frame) { keys_[track] = frame << 16 | track; }
  // The track's interval is its last one.
  void Finish(std::uint32_t track) { keys_[track] = ~std::uint32_t{0}; }

  Next First() const {
    std::uint32_t least = ~std::uint32_t{0};
    for (const std::uint32_t key : keys_) least = std::min(least, key);
    return {least >> 16, least & 0xffff};
  }

  // Calls read(track) for each track whose interval ends at `frame`, below kNever, in the order in
  // which First would name them. read: sets the track's next end, at `frame` or later, or finishes
  // it; a track that ends there again is read again.
  template <class Read>
  void ForEachAt(std::uint32_t frame, const Read& read) {
    // Listed first, without a branch: which tracks end at a frame is as good as random, and a
    // wrong guess for one costs as much as a look at twenty.
    std::size_t count = 0;
    for (std::uint32_t track = 0; track < keys_.size(); ++track) {
      ending_[count] = track;
      count += keys_[track] >> 16 == frame;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t track = ending_[i];
      do {
        read(track);
      } while (keys_[track] >> 16 == frame);
    }
  }

 private:
  // Whole vectors of the processor.
  static std::size_t RoundedUp(std::size_t tracks) { return (tracks + 7) / 8 * 8; }

  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> ending_;  // those that ForEachAt has found
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_PLAYBACK_ORDER_H_
