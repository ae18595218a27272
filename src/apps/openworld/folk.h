// Folk: those that walk at active scenes: villagers on foot, and horses with riders.
//
// All of them are characters (src/character). A frame has three phases:
//
//   moves     villagers and horses, at the same time, as jobs: each looks at the world and changes
//             itself alone
//   pushes    what they push, one after another
//   riders    after all moves: a rider is where its horse is now, not where it was a frame ago. It
//             looks for the player from the saddle, as jobs; then its body is put there
//
// A rider's body is for the queries of others. Its layer touches no layer, and is no ground.
//
// Thread safety: in the game update, one thread at a time; Advance runs jobs and helps.
// Promise: the same calls in the same world give the same places for any number of threads.
// Source: [rouwe2022], the game's characters; [bitsquid2010]: what depends on what is a phase.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_FOLK_H_
#define NOWAIT_SRC_APPS_OPENWORLD_FOLK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/bodies/layers.h"
#include "src/character/character.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/streaming/parcel.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

struct FolkCounts {
  std::uint64_t appeared = 0;
  std::uint64_t riders = 0;  // of these, with a rider
  std::uint64_t moves = 0;
  std::uint64_t queries = 0;  // of the moves
  std::uint64_t goals = 0;    // reached
  std::uint64_t fallen = 0;   // off the ground, and put back at their homes
  std::uint64_t seen = 0;     // the player, by a rider in a frame
  std::uint64_t pushes = 0;   // of dynamic bodies
  double metres = 0.0;        // walked by all
  // Metres from a rider's body to its horse's saddle after the moves, at most: how far behind it
  // would be without a phase of its own.
  float behind = 0.0f;
  WaitTime wait;
};

class Folk {
 public:
  static constexpr std::size_t kMost = 40;
  // A layer that the world has to have (WorldDef::user_layers); it touches no layer.
  static constexpr const char* kLayer = "riders";

  // kNotFound "layer".
  static Result<std::unique_ptr<Folk>> Create(World& world, TaskPool& pool);

  // Beside a scene's spawn points, on the ground, as far as there is room for more, here and in the
  // world. Other errors are those of World::CreateBody.
  Result<void> Appear(SceneNumber scene, std::span<const Vec3> spawn_points);
  void Vanish(SceneNumber scene);

  // A frame of `dt` seconds; player: its eyes. The errors of ParallelFor and Character::Move.
  Result<void> Advance(float dt, Vec3 player);

  std::size_t count() const { return walkers_.size(); }
  const FolkCounts& counts() const { return counts_; }

 private:
  struct Walker {
    Character character;
    SceneNumber scene;
    Vec3 home;
    Vec3 goal;
    Random random;
    std::optional<BodyId> rider = {};
    float stuck = 0.0f;  // seconds
    // Of this frame.
    Result<void> moved = {};
    bool sees = false;
    std::vector<CharacterPush> pushes = {};
    WaitTime wait = {};
  };

  Folk(World& world, TaskPool& pool, Layer layer) : world_(world), pool_(pool), layer_(layer) {
    walkers_.reserve(kMost);
  }
  std::optional<Vec3> GroundBeside(Vec3 place);
  Result<void> Mount(Walker& walker);
  void DrawGoal(Walker& walker);
  void MoveOne(Walker& walker, const WorldView& view, float dt) const;
  void LookFromSaddle(Walker& rider, const WorldView& view, Vec3 player) const;
  // The part of a frame that one thread does, after the moves and after the looks.
  Result<void> Settle(Walker& walker, float dt);
  Result<void> PutRider(Walker& walker);

  World& world_;
  TaskPool& pool_;
  const Layer layer_;
  std::vector<Walker> walkers_;
  FolkCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_FOLK_H_
