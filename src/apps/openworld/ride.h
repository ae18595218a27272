// Ride: the open world in frames that make each other, on one pool.
//
//   frame ── game: player, streaming, scenes, machines, folk, arrows ──> physics: two 60 Hz steps
//     │  └── clock: a device that sleeps until the frame's time is over
//     └─> frame
//   beside them: the disk, loading tasks, the survey (background.h), cells of the navigation mesh
//   (paths.h), the console
//
// Thread safety: Run by a main thread of the pool, which helps. Everything else is a task.
// Promise: with RideDef::replay the hash is the same for any number of threads.
// Source: [rouwe2022]; [cbloom2011]: a frame is a job that kicks off the next one.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_RIDE_H_
#define NOWAIT_SRC_APPS_OPENWORLD_RIDE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/apps/openworld/ride_result.h"
#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/streaming/streamer.h"
#include "src/world/world.h"

namespace nowait {

struct RideDef {
  std::uint32_t frames = 1800;
  std::uint32_t steps = 2;
  std::uint64_t seed = 1;
  bool paced = true;
  std::string tiles;
  WorldIndex index;
  std::optional<std::uint32_t> replay = {};
  Parcel::ReadFunction read = &ReadParcelFile;
  std::function<bool()> interrupted = [] { return false; };
  // Beside those of a place, those of the place before: a teleport has room for both.
  std::uint32_t max_bodies = 3u << 14;
  bool earlier = false;        // as engines did it before (earlier.h)
  bool times_islands = false;  // behind each frame (island_times.h)
};

// pool: with the devices "disk", "clock" and "console".
Result<RideResult> RunRide(const RideDef& def, TaskPool& pool);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_RIDE_H_
