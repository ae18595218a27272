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

#include "src/apps/openworld/arrows.h"
#include "src/apps/openworld/folk.h"
#include "src/apps/openworld/machines.h"
#include "src/apps/openworld/paths.h"
#include "src/apps/openworld/route.h"
#include "src/apps/openworld/scenes.h"
#include "src/apps/openworld/survey.h"
#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
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
  std::uint32_t max_bodies = 1u << 15;
};

// One frame, in nanoseconds.
struct RideFrame {
  float x = 0.0f;
  float z = 0.0f;
  Travel travel = Travel::kWalk;
  bool grounded = false;        // the player has ground below it
  std::uint64_t streaming = 0;  // Streamer::Update
  std::uint64_t game = 0;       // with that
  std::uint64_t physics = 0;
  std::uint64_t whole = 0;  // from the frame's begin to the end of its physics
  std::uint32_t bodies = 0;
  std::uint32_t awake = 0;
};

struct TileMark {
  TileCoord tile;
  ParcelState state = ParcelState::kAbsent;
  bool visited = false;  // it was resident at some time
};

struct RideResult {
  std::vector<RideFrame> frames;
  StreamCounts streamed;
  SceneCounts scenes;
  MachineCounts machines;
  FolkCounts folk;
  ArrowCounts arrows;
  SurveyReport survey;
  PathsReport paths;
  WaitTime update_locks;  // of the physics
  std::uint64_t hash = 0;
  std::size_t shape_bytes = 0;
  std::size_t retired_bytes = 0;
  std::uint64_t strays = 0;  // bodies that have left the ground
  std::vector<TileMark> tiles;
  std::vector<WantedTile> wanted;    // at the end
  std::vector<bool> active_scenes;   // by number
  std::vector<BodySnapshot> bodies;  // their grounds and hulls are gone
  bool interrupted = false;
};

// pool: with the devices "disk", "clock" and "console".
Result<RideResult> RunRide(const RideDef& def, TaskPool& pool);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_RIDE_H_
