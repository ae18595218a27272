// RawWindows: the windows of all tracks of a clip while it is played, with the points' bits as
// they are. Packing and checking use it; playback keeps decoded points (sampler.h).
//
// Thread safety: a value.
#ifndef NOWAIT_SRC_ANIMATION_RAW_WINDOWS_H_
#define NOWAIT_SRC_ANIMATION_RAW_WINDOWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/animation/playback_order.h"

namespace nowait {

class RawWindows {
 public:
  struct Point {
    std::uint16_t frame = 0;
    std::uint64_t bits = 0;  // in the track's format
    friend bool operator==(const Point&, const Point&) = default;
  };
  using Window = std::array<Point, 4>;

  RawWindows(std::size_t tracks, std::uint32_t end_frame)
      : end_frame_(end_frame), windows_(tracks), order_(tracks) {}

  const Window& operator[](std::size_t track) const { return windows_[track]; }
  PlaybackOrder::Next First() const { return order_.First(); }

  void Set(std::uint32_t track, const Window& window) {
    windows_[track] = window;
    if (window[2].frame >= end_frame_) {
      order_.Finish(track);
    } else {
      order_.Set(track, window[2].frame);
    }
  }
  // Whether the track has a point behind its window.
  bool HasMore(std::uint32_t track) const { return windows_[track][3].frame < end_frame_; }
  // The next interval of the track. point: the one behind the window; its last one if there is no
  // more.
  void Push(std::uint32_t track, const Point& point) {
    const Window& w = windows_[track];
    Set(track, {w[1], w[2], w[3], point});
  }

 private:
  std::uint32_t end_frame_;
  std::vector<Window> windows_;
  PlaybackOrder order_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_RAW_WINDOWS_H_
