// Machines: game objects that appear where a scene is active, perceive, and act.
//
// In each frame a machine casts rays around itself and towards the player, asks for the bodies near
// it, and casts its own shape ahead. All machines perceive at the same time, as jobs; nothing
// changes meanwhile. Then they act, one after another: they go towards a player that they see, or
// home, and stamp on the ground from time to time, which wakes what lies there. Some do not go
// home: they patrol around it, on paths of the navigation mesh.
//
// Thread safety: in the game update, one thread at a time; Perceive runs jobs and helps.
// Promise: what a machine perceives does not depend on the threads, nor does what it does.
// Source: [rouwe2022], "Open world - scenes" and the game's queries.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_MACHINES_H_
#define NOWAIT_SRC_APPS_OPENWORLD_MACHINES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/apps/openworld/paths.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/streaming/parcel.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"
#include "src/world/world_view.h"

namespace nowait {

struct MachineCounts {
  std::uint64_t rays = 0;
  std::uint64_t overlaps = 0;
  std::uint64_t casts = 0;
  std::uint64_t seen = 0;    // the player, by a machine in a frame
  std::uint64_t stamps = 0;  // bodies that were hit
  std::uint64_t appeared = 0;
  std::uint64_t goals = 0;  // of patrols, reached
  std::uint64_t lost = 0;   // whose body has left the ground
  WaitTime wait;

  std::uint64_t queries() const { return rays + overlaps + casts; }
};

// A patrol's way to its goal.
struct Patrol {
  Random random{0};
  std::vector<Vec3> path;
  std::size_t next = 0;       // of its points
  std::uint64_t looks = 0;    // the frame in which it may look for a path again
  std::uint64_t give_up = 0;  // that in which it takes another goal
};

class Machines {
 public:
  static constexpr std::size_t kMost = 60;

  Machines(World& world, TaskPool& pool) : world_(world), pool_(pool) { machines_.reserve(kMost); }

  // At a scene's spawn points, as far as there is room for more, here and in the world. Other
  // errors are those of World::CreateBody.
  Result<void> Appear(SceneNumber scene, std::span<const Vec3> spawn_points);
  void Vanish(SceneNumber scene);

  // The errors of ParallelFor.
  Result<void> Perceive(Vec3 player);
  void Act(std::uint64_t frame, Vec3 player, Paths& paths);

  // The places of those that patrol, as of the last Perceive.
  std::span<const Vec3> patrols() const { return patrols_; }

  std::size_t count() const { return machines_.size(); }
  const MachineCounts& counts() const { return counts_; }

 private:
  struct Machine {
    BodyId body;
    SceneNumber scene;
    Vec3 home;
    std::optional<Patrol> patrol;
    // Its perception in this frame.
    bool there = true;
    bool sees = false;
    bool blocked = false;
    Vec3 position;
    Vec3 velocity;
    std::vector<NearSnapshot> near;
    WaitTime wait;
  };
  void Look(Machine& machine, Vec3 player) const;
  Vec3 GoalOf(Machine& machine, std::uint64_t frame, Paths& paths);

  World& world_;
  TaskPool& pool_;
  std::vector<Machine> machines_;
  std::vector<Vec3> patrols_;
  MachineCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_MACHINES_H_
