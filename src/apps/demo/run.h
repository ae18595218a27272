// Run: the demo's frames, and their results.
//
// A frame is a game update, in which the game threads use the world at once and the herd moves, and
// a physics update of two 60 Hz steps. The background query runs across all of them. Without game
// threads there is no background query either: then only the physics update touches the world, and
// the state hash depends on the scene alone.
//
// Thread safety: one thread.
#ifndef NOWAIT_SRC_APPS_DEMO_RUN_H_
#define NOWAIT_SRC_APPS_DEMO_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "src/apps/demo/background_query.h"
#include "src/apps/demo/event_summary.h"
#include "src/apps/demo/game_threads.h"
#include "src/apps/demo/herd.h"
#include "src/apps/demo/options.h"
#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/bodies/body_snapshot.h"
#include "src/islands/find_stats.h"
#include "src/profile/profile.h"
#include "src/sync/rw_lock.h"
#include "src/world/update_stats.h"

namespace nowait {

struct FrameRecord {
  std::uint64_t begin = 0;  // nanoseconds, as the profile counts them
  std::uint64_t end = 0;
  std::uint64_t game = 0;  // nanoseconds that the game update took
  PhaseTimes times;
  std::uint32_t awake = 0;
  std::uint32_t pairs = 0;
  std::uint32_t contacts = 0;
  std::uint32_t islands = 0;
  std::uint32_t largest_island = 0;
};

struct RunRecord {
  std::vector<FrameRecord> frames;
  bool interrupted = false;
  FindStats find;
  WaitTime update_locks;
  std::uint64_t failed_rebuilds = 0;
  std::vector<GameReport> game;
  Score score;  // of the game threads
  std::optional<HerdReport> herd;
  std::optional<BackgroundReport> background;
  EventSummary events;
  std::vector<std::byte> event_file;  // for --events: a blob a frame

  std::uint64_t state_hash = 0;
  std::uint32_t scene_bodies = 0;  // those that fell, at the end
  std::uint32_t scene_asleep = 0;
  std::uint32_t figure_bodies = 0;  // those of the figures, at the end
  std::uint32_t figure_bodies_asleep = 0;
  std::uint32_t joints = 0;        // of the figures, at the end
  std::uint32_t game_bodies = 0;   // those of the game threads, at the end
  std::vector<BodySnapshot> last;  // all bodies at the end

  // The frame with the most contacts, and the bodies at its end.
  std::uint32_t busiest_frame = 0;
  std::vector<BodySnapshot> busiest;
};

// Called after each frame with its number; returns whether to continue.
using FrameCallback = std::function<bool(std::uint32_t frame, const FrameRecord& record)>;

// measure: whether to fill the profile, which must have lanes for every thread (LanesOf).
// An error ends the run and names its cause.
Result<RunRecord> Run(const DemoOptions& options, const Ground& ground, Profile& profile,
                      bool measure, const FrameCallback& after_frame);

// The number of lanes that a run with these options needs.
std::uint32_t LanesOf(const DemoOptions& options);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_RUN_H_
