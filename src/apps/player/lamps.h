// Lamps: lights that bodies of a scene carry.
//
// Thread safety: one thread. Blocking: LightsOf takes body locks, one at a time, to copy a body.
#ifndef NOWAIT_SRC_APPS_PLAYER_LAMPS_H_
#define NOWAIT_SRC_APPS_PLAYER_LAMPS_H_

#include <cstdint>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/live/light.h"
#include "src/world/world.h"

namespace nowait {

class Lamps {
 public:
  static constexpr float kReach = 7.0f;  // metres
  static constexpr float kAbove = 1.0f;  // metres above the middle of the body, so that it is lit

  Lamps() = default;
  // On `count` of the world's bodies that can move, evenly among them by slot: all of them where
  // there are fewer. count: at most kMostLights.
  Lamps(const World& world, std::uint32_t count);

  // As the bodies are now; a lamp goes with its body.
  std::vector<LiveLight> LightsOf(const World& world) const;

 private:
  std::vector<BodyId> bodies_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_LAMPS_H_
