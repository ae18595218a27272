// Sight: what the rays of one picture meet, seen by one thread.
//
// Bodies that the eye is in are not seen: from inside, they would be all that there is. A ray that
// looks through bodies says how many it enters, as an X-ray picture does.
//
// Thread safety: one thread at a time; any number of sights at once, while the world's physics
// update runs. Rays of one picture may see a body in different places then.
#ifndef NOWAIT_SRC_APPS_TERMINAL_SIGHT_H_
#define NOWAIT_SRC_APPS_TERMINAL_SIGHT_H_

#include <vector>

#include "src/apps/terminal/picture.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/collision/ray_cast.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_view.h"

namespace nowait {

class Sight {
 public:
  // The world outlives the sight.
  Sight(const World& world, Vec3 eye);
  Sight(const Sight&) = delete;
  Sight& operator=(const Sight&) = delete;

  Pixel Look(const RayCast& ray);
  Pixel LookThrough(const RayCast& ray);
  // The first body that can move, or no body.
  BodyId FindMovable(const RayCast& ray);

 private:
  Pixel PixelOf(const RayHit& hit, Vec3 way);

  const World& world_;
  const WorldView view_;
  QueryFilter filter_;
  QueryFilter movable_;
  std::vector<BodyAt> around_eye_;
  std::vector<RayHit> hits_;
  // Of the ray before: neighbours mostly meet the same body.
  BodyId last_;
  Pixel last_pixel_;
  WaitTime wait_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_TERMINAL_SIGHT_H_
