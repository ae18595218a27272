// Arrows: projectiles that are shot where the player is, and the proof of the collision's reach.
//
// The world promises collision within Residency::kGuarantee of the player, an arrow's flight. An
// arrow is a fast, thin body with continuous collision. It is followed until it meets a body, or is
// farther from the player than that. In each frame the ground at its place is looked for: an arrow
// above no ground is a broken promise of the streaming, one below it of the physics. Both are
// counted and nothing else happens.
//
// Thread safety: in the game update, one thread at a time.
// Promise: the same calls give the same arrows; nothing depends on threads or the clock.
// Complexity: of Follow, a ray for each arrow, and arrows times contact events of the last update.
// Source: [rouwe2022], "Open world - scenes": collision to 2 x 125 + 200 m, for those that need it.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_ARROWS_H_
#define NOWAIT_SRC_APPS_OPENWORLD_ARROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

struct ArrowCounts {
  std::uint64_t shot = 0;
  std::uint64_t met_statics = 0;   // the ground, or what stands on it
  std::uint64_t met_bodies = 0;    // that move
  std::uint64_t out_of_reach = 0;  // the player has gone away, or it has flown so far
  std::uint64_t lost = 0;          // removed by others
  std::uint64_t below_ground = 0;  // arrows that were found there
  std::uint64_t over_nothing = 0;  // frames of arrows within reach that had no ground below them
  float farthest = 0.0f;           // metres over the ground, of one that met a body
  WaitTime wait;
};

class Arrows {
 public:
  static constexpr std::size_t kMost = 48;  // with those that lie

  // continuous: kAll for arrows; a test shows with kOff that the counts can tell.
  Arrows(World& world, std::uint64_t seed, Continuous continuous = Continuous::kAll)
      : world_(world), random_(seed), continuous_(continuous) {}

  // From the archer's eyes, in a direction of its own choice. Without room for a body, here or in
  // the world, it does not shoot. Other errors are those of World::CreateBody.
  Result<void> Shoot(std::uint64_t frame, Vec3 eyes);
  // Once a frame, before Shoot. player: the middle of the circle of the guarantee.
  void Follow(std::uint64_t frame, Vec3 player);

  std::size_t flying() const;
  const ArrowCounts& counts() const { return counts_; }

 private:
  struct Arrow {
    BodyId body;
    Vec3 start;
    Vec3 place;
    std::uint64_t frame;  // in which it was shot, or met a body
    bool flies = true;
    bool over = false;
  };

  void Look(Arrow& arrow, std::uint64_t frame, Vec3 player);
  // The body that has begun to touch it in the last update, or no body.
  BodyId Met(BodyId arrow) const;
  void Land(Arrow& arrow, BodyId at, std::uint64_t frame);
  void CheckGround(Arrow& arrow);

  World& world_;
  Random random_;
  const Continuous continuous_;
  std::vector<Arrow> arrows_;
  ArrowCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_ARROWS_H_
