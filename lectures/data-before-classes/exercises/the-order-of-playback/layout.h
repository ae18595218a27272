// The order in which the points of an animation lie in memory.
#ifndef NOWAIT_LECTURES_THE_ORDER_OF_PLAYBACK_LAYOUT_H_
#define NOWAIT_LECTURES_THE_ORDER_OF_PLAYBACK_LAYOUT_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nowait {

struct Point {
  std::uint32_t track;
  std::uint32_t number;  // in its track: 0, 1, 2, ...
  std::uint32_t frame;   // ascending in its track

  friend bool operator==(const Point&, const Point&) = default;
};

// tracks: the points of each track, by their numbers. Playback holds four neighbouring points of
// each track and shows the curve between the middle two. It has the first three points of each
// track from the beginning. When time passes the second of the middle two, it reads one point more.
// Returns all points but these first three of each track, in the order in which they shall lie.
inline std::vector<Point> LayOut(const std::vector<std::vector<Point>>& tracks) {
  std::vector<Point> layout;
  for (const auto& track : tracks) {
    for (const Point& point : track) {
      if (point.number >= 3) layout.push_back(point);
    }
  }
  return layout;
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_THE_ORDER_OF_PLAYBACK_LAYOUT_H_
