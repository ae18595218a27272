// The player's scene of machines, which are kinematic bodies: a lift that raises a heap, a
// turntable that carries one round, and an arm that sweeps through one.
//
// Thread safety: one thread.
// Determinism: +, * and / alone.
#ifndef NOWAIT_SRC_APPS_PLAYER_MACHINES_H_
#define NOWAIT_SRC_APPS_PLAYER_MACHINES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/world/world.h"

namespace nowait {

// A floor and three heaps of `bodies` in all.
std::vector<BodyDef> BodiesForMachines(std::uint32_t bodies, std::uint64_t seed);

class Machines {
 public:
  static constexpr std::uint32_t kBodies = 3;

  // Puts them into `world`. The errors are CreateBody's.
  static Result<std::unique_ptr<Machines>> Create(World& world);

  // A game update of `dt` seconds: where the lift goes next. The others keep their velocities.
  Result<void> Advance(World& world, float dt);

  // The state beside the world: seconds of the lift's round.
  float lift_time() const { return lift_time_; }
  // Goes on from there in a world that is what the saved one was. kCorrupt "lift": the world has
  // no such body, or no round is so long.
  Result<void> Restore(const World& world, float lift_time);

 private:
  Machines() = default;

  BodyId lift_;
  float lift_time_ = 0.0f;  // seconds of its round
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_MACHINES_H_
