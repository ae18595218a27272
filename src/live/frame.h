// LiveFrame: a copy of one frame, as far as a viewer may see it, on its way from the engine.
//
// The engine copies and the viewer's thread computes: a viewer costs a frame only the copies.
//
// Thread safety: plain data with one owner at a time (src/live/feed.h).
#ifndef NOWAIT_SRC_LIVE_FRAME_H_
#define NOWAIT_SRC_LIVE_FRAME_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/bodies/body_snapshot.h"
#include "src/broadphase/tree_snapshot.h"
#include "src/live/light.h"
#include "src/live/parts.h"
#include "src/live/sight.h"
#include "src/profile/profile.h"
#include "src/world/link_snapshot.h"
#include "src/world/ray_trace.h"
#include "src/world/update_stats.h"

namespace nowait {

// The program's knowledge of the frame, which the world does not have.
struct LiveMoment {
  std::uint64_t step = 0;   // the number of the scene's frames computed so far
  std::uint64_t begin = 0;  // nanoseconds of the profile's clock, when the frame's work began
  std::uint64_t end = 0;
  std::uint64_t seed = 0;
  bool paused = false;
  float speed = 1.0f;  // of real time
  std::vector<LiveLight> lights = {};
  // The owner of shapes that may go before a viewer has this frame; kept with it. Null: the bodies'
  // shapes outlive all viewers.
  std::shared_ptr<const void> shapes = {};
};

struct LaneSpan {
  std::uint32_t lane;  // its index in Profile::lanes()
  Span span;
};

struct LaneTask {
  std::uint32_t lane;  // likewise: of the thread that made it
  TaskRecord task;
};

// Contention in the last update, with the names of UpdateStats.
struct LiveLocks {
  std::uint64_t acquisitions = 0;   // of body locks, by the update
  std::uint64_t contended = 0;      // of these
  std::uint64_t waited = 0;         // nanoseconds
  std::uint64_t waiting_nodes = 0;  // old nodes of trees that readers keep
  std::uint64_t steps_held = 0;     // the number of steps with the same reader

  friend bool operator==(const LiveLocks&, const LiveLocks&) = default;
};

struct LiveFrame {
  std::uint64_t number = 0;  // among the frames that were offered, from 1
  LiveMoment moment;
  UpdateStats stats;
  std::vector<BodySnapshot> bodies;  // by ascending slot
  std::vector<LaneSpan> spans;       // those that ended since the last offered frame
  std::vector<LaneTask> tasks;       // those that were made since then, by lane and time
  std::uint64_t lost_spans = 0;      // and tasks, so far
  std::vector<LiveSight> sights;     // of the viewers that have a camera, at the same moment
  LiveParts parts;                   // the parts that some viewer asks for, which follow
  TreeSnapshot tree;                 // of the world at the same moment as the bodies
  LinkSnapshot links;                // of the last update
  std::optional<RayTrace> ray;       // through the world at the same moment as the bodies

  // The sight of a viewer, or null where it gets every body.
  const LiveSight* SightOf(std::uint64_t viewer) const {
    const auto sight = std::ranges::find(sights, viewer, &LiveSight::viewer);
    return sight == sights.end() ? nullptr : &*sight;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_FRAME_H_
