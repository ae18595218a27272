// RideResult: the figures of a ride, frame by frame and in all.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_RIDE_RESULT_H_
#define NOWAIT_SRC_APPS_OPENWORLD_RIDE_RESULT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/apps/openworld/arrows.h"
#include "src/apps/openworld/folk.h"
#include "src/apps/openworld/heap.h"
#include "src/apps/openworld/machines.h"
#include "src/apps/openworld/paths.h"
#include "src/apps/openworld/route.h"
#include "src/apps/openworld/scenes.h"
#include "src/apps/openworld/survey.h"
#include "src/bodies/body_snapshot.h"
#include "src/streaming/residency.h"
#include "src/streaming/streamer.h"
#include "src/streaming/tile_grid.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// One frame, in nanoseconds.
struct RideFrame {
  float x = 0.0f;
  float z = 0.0f;
  Travel travel = Travel::kWalk;
  bool grounded = false;        // the player has ground below it
  std::uint64_t begin = 0;      // of SteadyNanoseconds
  std::uint64_t streaming = 0;  // Streamer::Update, and what the frame waits for loads
  std::uint64_t game = 0;       // with that
  std::uint64_t physics = 0;
  std::uint64_t locks = 0;    // waits of the physics for readers of bodies, all threads together
  std::uint64_t islands = 0;  // one thread's work on them (island_times.h); 0: it was not measured
  std::uint64_t whole = 0;    // from the frame's begin to the end of its physics
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
  std::uint32_t threads = 0;  // of the pool
  StreamCounts streamed;
  SceneCounts scenes;
  MachineCounts machines;
  FolkCounts folk;
  ArrowCounts arrows;
  SurveyReport survey;
  PathsReport paths;
  WaitTime update_locks;  // of the physics
  WaitTime tree_lock;     // of an earlier ride (earlier.h): of the frames; the survey's are its own
  std::uint64_t hash = 0;
  MemoryOfSystems memory;
  std::size_t shape_bytes = 0;
  std::size_t retired_bytes = 0;
  std::uint64_t strays = 0;  // bodies that have left the ground
  std::vector<TileMark> tiles;
  std::vector<WantedTile> wanted;    // at the end
  std::vector<bool> active_scenes;   // by number
  std::vector<BodySnapshot> bodies;  // their grounds and hulls are gone
  bool interrupted = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_RIDE_RESULT_H_
