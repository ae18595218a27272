// RunFrames: the example of [bitsquid2010] on a pool: the same frames as a task graph that makes
// itself, and as a serial main loop in which only the stages are parallel.
//
// Thread safety: any thread; makes threads of its own.
#ifndef NOWAIT_SRC_APPS_FRAME_RUN_H_
#define NOWAIT_SRC_APPS_FRAME_RUN_H_

#include <cstdint>
#include <string>

#include "src/jobs/task_counts.h"
#include "src/profile/profile.h"

namespace nowait {

struct FrameDef {
  std::uint32_t frames = 120;
  std::uint32_t nodes = 20'000;
  std::uint32_t workers = 1;
  std::uint64_t seed = 1;
  // A job holds one of the workers from before the first frame until after the last.
  bool park_worker = false;
  // The serial main loop.
  bool serial = false;
  // At least Music::kBlock bytes long.
  std::string music;
};

struct FrameResult {
  std::uint64_t hash = 0;
  std::uint64_t total_time = 0;    // nanoseconds, all frames
  std::uint64_t longest_time = 0;  // of a frame
  TaskCounts counts;
  std::string error;  // empty: all went well
};

// profile: with room for `workers` + 2 lanes; a sample of "frame" marks the start of each.
FrameResult RunFrames(const FrameDef& def, Profile& profile);

// Writes a file of some seconds of music for it. False: it could not be written.
bool WriteMusic(const std::string& path);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_FRAME_RUN_H_
