// Pull: a viewer's hand, which drags one body through the scene.
//
// The hand holds a place on the body, the grip, and moves it to a place in the scene. Before each
// update the body gets the impulse with which the grip reaches the place in kPullTime, at most at
// kPullSpeed. The hand accelerates the body by kPullAcceleration at most; a body in its way feels
// no more than that times the pulled body's mass. The hand also brakes the body's spin: a body that
// is held at its rim stops swinging.
//
// Thread safety: one thread, in the game update.
// Determinism: the same calls give the same state of the world.
#ifndef NOWAIT_SRC_APPS_PLAYER_PULL_H_
#define NOWAIT_SRC_APPS_PLAYER_PULL_H_

#include <cstdint>
#include <optional>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/live/command.h"
#include "src/math/vec3.h"
#include "src/world/world.h"

namespace nowait {

inline constexpr float kPullTime = 0.1f;           // seconds
inline constexpr float kPullSpeed = 20.0f;         // metres per second
inline constexpr float kPullAcceleration = 80.0f;  // metres per second squared

class Pull {
 public:
  // Holds the command's body from now on, and no other one. A grip outside the body is moved to
  // within its outer radius. Holds no body if the world has no dynamic one
  // with that slot and generation. Linear in the bodies for the first body of a world.
  void Take(const LiveCommand& command, const World& world);
  void LetGo() { held_.reset(); }
  bool IsHolding() const { return held_.has_value(); }

  // Pulls for an update of `dt` seconds. A body that is gone is let go. The errors are World's.
  Result<void> Apply(World& world, float dt);

 private:
  struct Held {
    BodyId id;
    float reach;  // of the body from its centre, metres
    Vec3 grip;    // seen from the body
    Vec3 place;
  };
  std::optional<Held> held_;
  std::uint32_t world_ = 0;  // the number of the last command's world: only ids have it
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_PULL_H_
