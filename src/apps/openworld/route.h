// Route: where the player goes: it walks, rides, flies, and is somewhere else at once.
//
// Each leg leads towards a place drawn from the seed, for some seconds. The same seed and bounds
// give the same places in each frame, on each machine.
//
// Thread safety: one thread at a time.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_ROUTE_H_
#define NOWAIT_SRC_APPS_OPENWORLD_ROUTE_H_

#include <cstddef>
#include <cstdint>

#include "src/math/random.h"
#include "src/streaming/residency.h"

namespace nowait {

enum class Travel : std::uint8_t { kWalk, kRide, kFly, kTeleport };

struct RouteDef {
  float width = 0.0f;   // metres of the world, along x
  float depth = 0.0f;   // and along z
  float border = 0.0f;  // metres from its edge that the player keeps; twice that is less than both
  std::uint64_t seed = 1;
};

class Route {
 public:
  explicit Route(const RouteDef& def);

  // One frame of `dt` seconds.
  void Advance(float dt);

  const PlayerMotion& motion() const { return motion_; }
  // kTeleport in the frame in which the player is somewhere else.
  Travel travel() const { return travel_; }

 private:
  void BeginLeg();
  void DrawGoal();

  const RouteDef def_;
  Random random_;
  PlayerMotion motion_;
  Travel travel_ = Travel::kWalk;
  std::size_t leg_ = 0;
  float left_ = 0.0f;  // seconds of the leg
  float goal_x_ = 0.0f;
  float goal_z_ = 0.0f;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_ROUTE_H_
