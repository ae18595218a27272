// SceneEngine: one physics engine with a peers' scene in it, ready to step.
//
// The places and velocities of its bodies are all that is read of an engine. So the same code
// judges each (outcome.h), and none of them speaks for itself.
//
// Settings of each, with the scenes' friction, restitution, damping and inertia:
//   ours    World's own
//   Bullet  Debian's, single precision: the dynamic tree, warm starting, 10 iterations, no new
//           boxes for static bodies. Debian builds it without threads.
//   ODE     Debian's, double precision: the sweep-and-prune space, QuickStep with 20 iterations, at
//           most 4 contacts a pair, a surface layer of a millimetre; threads step its islands.
#ifndef NOWAIT_TESTS_BENCH_SCENE_ENGINE_H_
#define NOWAIT_TESTS_BENCH_SCENE_ENGINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "src/apps/peer_scenes/peer_scene.h"
#include "src/base/result.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/world/update_stats.h"

namespace nowait {

struct BodyMotion {
  Vec3 position;
  Quat rotation;
  Vec3 linear_velocity;
  Vec3 angular_velocity;  // in the world's frame
};

class SceneEngine {
 public:
  virtual ~SceneEngine() = default;

  // A step of PeerScene::kStep.
  virtual Result<void> Step() = 0;
  // In the order of the scene's bodies, replacing what is in `out`.
  virtual void Read(std::vector<BodyMotion>& out) const = 0;

  // Of ours alone; null for a peer. `times` are of the last step.
  virtual const UpdateStats* stats() const { return nullptr; }
  virtual std::uint64_t Hash() const { return 0; }
};

// The scene outlives the engine. threads: at least 1. Errors of ours: those of CreateWorld.
Result<std::unique_ptr<SceneEngine>> MakeOurs(const PeerScene& scene, std::uint32_t threads);
std::unique_ptr<SceneEngine> MakeBullet(const PeerScene& scene);
std::unique_ptr<SceneEngine> MakeOde(const PeerScene& scene, std::uint32_t threads);

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SCENE_ENGINE_H_
