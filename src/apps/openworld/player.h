// Player: its way along the route, its body in the world, and the ground below it.
//
// A teleport may lead to a place without tiles: no frame waits, and the result names what is there.
//
// Thread safety: in the game update, one thread at a time.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_PLAYER_H_
#define NOWAIT_SRC_APPS_OPENWORLD_PLAYER_H_

#include <cstdint>
#include <optional>

#include "src/apps/openworld/console.h"
#include "src/apps/openworld/ride_result.h"
#include "src/apps/openworld/route.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/math/vec3.h"
#include "src/streaming/residency.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

class Player {
 public:
  static constexpr float kHighest = 4000.0f;  // metres: no ground is above
  static constexpr float kVoid = -200.0f;     // metres: nor below

  Player(World& world, Console& console, const RouteDef& route)
      : world_(world), console_(console), route_(route) {}

  // Makes its body. The errors of World::CreateBody.
  Result<void> Appear(WaitTime& wait);

  // A frame of `dt` seconds: it goes on along its route, and looks for the ground there.
  void Look(float dt, RideFrame& record, WaitTime& wait);
  // Puts it there, on the ground or above it. The errors of World::MoveBody.
  Result<void> Move(std::uint64_t frame, const RideFrame& record, WaitTime& wait);

  const PlayerMotion& motion() const { return route_.motion(); }
  Vec3 eyes() const { return eyes_; }
  BodyId body() const { return body_; }

 private:
  void SayArrival(std::uint64_t frame, const RideFrame& record);

  World& world_;
  Console& console_;
  Route route_;
  BodyId body_;
  Vec3 eyes_;
  std::optional<std::uint64_t> arrived_ = 0;  // the frame of an arrival without ground
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_PLAYER_H_
