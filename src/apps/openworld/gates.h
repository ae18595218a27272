// Gates: the gates of active scenes: boxes that sink into the ground when their script wishes it.
//
//   auto added = gates.Add(scene, parcel.gates(), parcel.gate_bodies());     if (!added) ...
//   gates.Open(scene, true);
//   auto moved = gates.Advance(dt, wait);                                     if (!moved) ...
//   for (const Bounds<3>& box : gates.changed()) Tell(navigation, box);
//   gates.ForgetChanged();
//   gates.Remove(scene, wait);
//
// A gate is a static body, which the game update moves: it is ground for the navigation mesh, and
// bodies that lie against it wake. A gate whose scene is not active is closed.
//
// Thread safety: in the game update, one thread at a time.
// Errors: kCapacity "memory"; then nothing has happened. Remove and the others need no memory.
// Test: tests/apps/openworld/gates_test.cc, tests/whole/faults/scenes_faults_test.cc.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_GATES_H_
#define NOWAIT_SRC_APPS_OPENWORLD_GATES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/streaming/parcel.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

struct GateCounts {
  std::uint64_t opened = 0;
  std::uint64_t closed = 0;  // by a script, or because the scene was left
};

class Gates {
 public:
  static constexpr float kSeconds = 1.0f;  // that a gate takes to open or to close
  static constexpr float kMargin = 0.1f;   // metres of an open gate's top below its closed bottom

  explicit Gates(World& world) : world_(world) {}

  // boxes: as they are closed, in the world's frame; bodies: in the same order.
  Result<void> Add(SceneNumber scene, std::span<const SceneBox> boxes,
                   std::span<const BodyId> bodies);
  // Closes them at once, as far as the bodies are still there.
  void Remove(SceneNumber scene, WaitTime& wait);

  // From now on they open, or close. Of a scene without gates, nothing happens.
  void Open(SceneNumber scene, bool open);
  // A frame of `dt` seconds.
  Result<void> Advance(float dt, WaitTime& wait);

  // The boxes, as closed, of gates that have been opened or closed since they were forgotten.
  std::span<const Bounds<3>> changed() const { return changed_; }
  void ForgetChanged() { changed_.clear(); }

  std::size_t count() const { return gates_.size(); }
  const GateCounts& counts() const { return counts_; }

 private:
  struct Gate {
    SceneNumber scene;
    BodyId body;
    SceneBox box;
    bool opens = false;
    float sunk = 0.0f;  // of its way, from 0 to 1
  };
  // Room for each gate to arrive once now, and once when it is removed.
  void ReserveFor(std::size_t gates) { changed_.reserve(changed_.size() + 2 * gates); }
  void Put(const Gate& gate, WaitTime& wait);
  void Arrive(const Gate& gate);

  World& world_;
  std::vector<Gate> gates_;
  std::vector<Bounds<3>> changed_;
  GateCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_GATES_H_
