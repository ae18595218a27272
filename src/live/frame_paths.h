// FramePaths: the critical path of each frame of a recording, and how long the frame's work takes
// with other priorities; the same figures as on the viewer's page, without a browser.
//
//   FramePaths paths;
//   const auto read = ReadRecording(bytes, reader, [&](const EventStream&) {
//     paths.Add(reader.scene());
//     const FramePath last = paths.Last();  ...
//   });
//
// Thread safety: one thread. Its functions may throw std::bad_alloc. Complexity: Last as
// MakeWorkGraph and Simulate (src/profile). Test: tests/apps/player/page_test.py, which compares
// the two for each frame. Lecture: reading a frame.
#ifndef NOWAIT_SRC_LIVE_FRAME_PATHS_H_
#define NOWAIT_SRC_LIVE_FRAME_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "src/live/frame.h"
#include "src/live/reader.h"

namespace nowait {

// Times are nanoseconds.
struct FramePath {
  std::uint64_t step = 0;  // of the scene
  std::uint64_t length = 0;
  std::uint64_t work = 0;     // of the path
  std::uint64_t between = 0;  // its pieces
  std::size_t pieces = 0;
  std::uint32_t threads = 0;  // of the recording, on which the following is simulated
  std::uint64_t as_set = 0;
  std::uint64_t by_path = 0;
  std::uint64_t one_priority = 0;
  std::uint64_t longest_chain = 0;  // on any number of threads
  std::size_t steps = 0;
  std::size_t recorded = 0;  // steps of which records say what they came after
};

class FramePaths {
 public:
  // Notes the scene's last message. Messages are added in their order.
  void Add(const LiveScene& scene);
  // Of that message; nothing in it is zero but where it had no work.
  FramePath Last() const;

 private:
  // A task may have been made in an earlier frame: the page keeps as many.
  static constexpr std::size_t kFrames = 24;

  const LiveScene* scene_ = nullptr;
  std::deque<std::vector<LaneTask>> tasks_;  // of the last frames
};

// A sentence with the figures.
std::string ToString(const FramePath& path);

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_FRAME_PATHS_H_
