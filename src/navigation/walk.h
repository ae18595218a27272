// WalkAlong: whether an agent could walk along a path, asked of the world and not of the mesh.
//
// An upright capsule is moved along the path in short steps, each with a shape cast. Under it a
// ball finds the ground, from which the capsule stays lifted by as much as the agent climbs: by
// `max_climb`, and by the rise of the steepest slope in a voxel, which is the error of the mesh. A
// game asks before it trusts a path that is some seconds old; the tests compare the mesh with the
// bodies by it.
//
// Thread safety: any thread, with a view of its own. Blocking: body locks, one at a time.
// Complexity: two shape casts for each half radius of the way.
// Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_WALK_H_
#define NOWAIT_SRC_NAVIGATION_WALK_H_

#include <optional>
#include <span>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/math/vec3.h"
#include "src/navigation/nav_settings.h"
#include "src/sync/rw_lock.h"
#include "src/world/world_view.h"

namespace nowait {

struct Obstacle {
  Vec3 place;                  // of the agent's feet when it meets it
  std::optional<BodyId> body;  // in the way; without one: no ground is within a step up or down
};

struct WalkEnd {
  Vec3 feet;                         // the last place that was free, on the ground
  std::optional<Obstacle> obstacle;  // nothing if the whole way is free
};

// The way along `points`, which the agent's feet follow, up to the first obstacle. settings: valid.
// points: one at least, in metres, within 1e6 on each axis, the first within a climb of the ground.
// filter: the bodies that are ground and obstacles. kInvalidArgument "points", with the number of
// the first that is elsewhere, and errors of WorldView::CastShape.
Result<WalkEnd> WalkAlong(const WorldView& view, const NavSettings& settings,
                          std::span<const Vec3> points, const QueryFilter& filter, WaitTime& wait);

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_WALK_H_
