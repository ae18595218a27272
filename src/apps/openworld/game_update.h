// GameUpdate: all that happens in a frame before the physics, by one task and its jobs.
//
//   player ─> streaming ─> scenes ─> machines perceive ─> paths ─> machines act, folk, arrows
//
// It owns these systems, and the survey, which goes on beside the frames.
//
// Thread safety: Create, End and Fill by a main thread of the pool, outside tasks; Run in the
// frame, one thread at a time.
// Errors: the first one of a frame is returned; the frame goes on meanwhile. No Run after it.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_GAME_UPDATE_H_
#define NOWAIT_SRC_APPS_OPENWORLD_GAME_UPDATE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "src/apps/openworld/arrows.h"
#include "src/apps/openworld/background.h"
#include "src/apps/openworld/console.h"
#include "src/apps/openworld/earlier.h"
#include "src/apps/openworld/folk.h"
#include "src/apps/openworld/machines.h"
#include "src/apps/openworld/paths.h"
#include "src/apps/openworld/player.h"
#include "src/apps/openworld/ride.h"
#include "src/apps/openworld/ride_result.h"
#include "src/apps/openworld/scenes.h"
#include "src/apps/openworld/survey.h"
#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/streaming/streamer.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

class GameUpdate {
 public:
  static constexpr float kFrame = 1.0f / 30.0f;  // seconds

  // All of them outlive it. earlier: its lock is taken as it says. memory: what the systems take.
  static Result<std::unique_ptr<GameUpdate>> Create(const RideDef& def, TaskPool& pool,
                                                    World& world, Streamer& streamer,
                                                    Earlier& earlier, Console& console,
                                                    MemoryOfSystems& memory);

  // With RideDef::replay, a load or a cell that has to be complete before the next Run, or no task.
  TaskId Due() const;
  Result<void> Run(std::uint64_t frame, RideFrame& record);

  // Ends what goes on beside frames. The errors of TaskPool::Wait.
  Result<void> End();
  // After End: its part of the figures.
  void Fill(RideResult& result);

  std::size_t machines() const { return machines_.count(); }

 private:
  GameUpdate(const RideDef& def, TaskPool& pool, World& world, Streamer& streamer, Earlier& earlier,
             Console& console);
  Result<void> MakeSystems(MemoryOfSystems& memory);
  void Keep(const Result<void>& done) {
    if (!done && error_) error_ = done;
  }
  template <class F>
  void Reading(const F& call) {
    earlier_.Reading(tree_lock_, call);
  }
  template <class F>
  void Changing(const F& call) {
    earlier_.Changing(tree_lock_, call);
  }
  void Stream(RideFrame& record);
  void Hear();
  void Appear(SceneNumber scene);
  void SayMissing(const StreamEvent& event);
  void CatchStrays();
  void Shoot();

  const RideDef& def_;
  TaskPool& pool_;
  World& world_;
  Streamer& streamer_;
  Earlier& earlier_;
  Console& console_;
  Player player_;
  Machines machines_;
  Arrows arrows_;
  std::unique_ptr<Paths> paths_;
  std::unique_ptr<Folk> folk_;
  std::unique_ptr<Scenes> scenes_;
  std::optional<Survey> survey_;
  std::deque<BackgroundTask> background_;
  std::vector<bool> visited_;  // tiles
  std::vector<BodyId> strays_;
  std::uint64_t removed_strays_ = 0;
  WaitTime wait_;
  WaitTime tree_lock_;
  WaitTime survey_lock_;  // of its slices, for the tree's lock
  std::uint64_t frame_ = 0;
  Result<void> error_;  // of the frame, the first one
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_GAME_UPDATE_H_
