// PlayerGame: the world of the player and what its viewers have asked of it.
//
// Thread safety: one thread, registered with the pool.
#ifndef NOWAIT_SRC_APPS_PLAYER_GAME_H_
#define NOWAIT_SRC_APPS_PLAYER_GAME_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "src/apps/player/lamps.h"
#include "src/apps/player/planted.h"
#include "src/apps/player/pull.h"
#include "src/apps/player/saved_play.h"
#include "src/apps/player/scenes.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/collision/shape_set.h"
#include "src/jobs/task_pool.h"
#include "src/live/command.h"
#include "src/live/frame.h"
#include "src/world/world.h"

namespace nowait {

class PlayerGame {
 public:
  static constexpr float kFrameTime = 1.0f / 30.0f;  // at normal speed
  static constexpr std::uint32_t kSteps = 2;
  static constexpr std::size_t kMostThrown = 100;  // then the oldest one goes
  static constexpr float kThrownRadius = 0.5f;     // metres

  // scene: outlives the game. bodies: as PlayerScene::Create has it. lamps: at most kMostLights.
  static Result<PlayerGame> Create(const PlayerScene& scene, std::optional<std::uint32_t> bodies,
                                   std::uint32_t lamps, std::uint64_t seed);

  // After an error of a reset there is no world any more: the game is over.
  Result<void> Obey(const LiveCommand& command);

  // Wakes a dynamic body, if it is still there.
  void Wake(BodyId body);

  // The game as it is. The errors are World::Save's.
  Result<SavedPlay> Save() const;
  // Goes on from there, with the shapes of `saved`; no viewer pulls a body any longer. The game has
  // been created for the scene, bodies and seed of `saved`. kCorrupt "thrown" for a body that the
  // world does not have, and the errors of the Restore of the world and of the scene's own parts;
  // then the game is over.
  Result<void> Restore(const SavedPlay& saved);

  // A problem in each frame's game update, from now on.
  void Plant(Planted planted) { planted_ = planted; }
  // Of its results in all frames so far.
  std::uint64_t planted_sum() const { return planted_sum_; }

  // One frame, unless it is paused and no step was asked for: then false.
  Result<bool> Advance(TaskPool& pool);

  const World& world() const { return *world_; }
  // All but the times.
  LiveMoment moment() const {
    return {.step = step_,
            .seed = seed_,
            .paused = paused_,
            .speed = speed_,
            .lights = lamps_.LightsOf(*world_),
            .shapes = wall_};
  }

 private:
  PlayerGame(const PlayerScene& scene, std::optional<std::uint32_t> bodies, std::uint32_t lamps)
      : scene_(&scene), bodies_(bodies), lamps_asked_(lamps) {}

  Result<void> Reset(std::uint64_t seed);
  Result<void> Throw(const LiveCommand& command);

  const PlayerScene* scene_;
  std::optional<std::uint32_t> bodies_;
  std::shared_ptr<const ShapeSet> shapes_;  // of the bodies of a saved run
  std::unique_ptr<World> world_;
  std::unique_ptr<Walkers> walkers_;    // of a scene that has them
  std::unique_ptr<Machines> machines_;  // likewise
  std::shared_ptr<Wall> wall_;          // likewise; shared with the viewers' frames
  std::uint32_t lamps_asked_;
  Lamps lamps_;
  std::deque<BodyId> thrown_;
  Pull pull_;
  std::uint64_t seed_ = 0;
  std::uint64_t step_ = 0;
  bool paused_ = false;
  Planted planted_ = Planted::kNone;
  std::uint64_t planted_sum_ = 0;
  float speed_ = 1.0f;
  std::uint32_t frames_asked_ = 0;  // while paused
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_GAME_H_
