// Scenes: what active scenes do: machines come to their spawn points, and their gates open.
//
// A scene with a script (scene_scripts.h) does as the script wishes. A scene without one, or whose
// script could not be loaded, has a machine at each of its spawn points, and its gates stay closed.
//
// Scripts may ask the world (src/script/queries.h): a ray meets any body but the player's; bodies
// whose boxes are counted, or looked for, are those that move.
//
// Thread safety: in the game update, one thread at a time; Advance runs jobs and helps.
// Promise: the same calls in the same world do the same for any number of threads.
// Source: [rouwe2022], "Open world - scenes".
#ifndef NOWAIT_SRC_APPS_OPENWORLD_SCENES_H_
#define NOWAIT_SRC_APPS_OPENWORLD_SCENES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/apps/openworld/gates.h"
#include "src/apps/openworld/machines.h"
#include "src/apps/openworld/paths.h"
#include "src/apps/openworld/scene_scripts.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/jobs/task_pool.h"
#include "src/math/vec3.h"
#include "src/streaming/parcel.h"
#include "src/streaming/scene_site.h"
#include "src/sync/rw_lock.h"
#include "src/world/world.h"

namespace nowait {

struct SceneCounts {
  SceneScriptCounts scripts;
  GateCounts gates;
  std::uint64_t called = 0;  // machines, by scripts
};

class Scenes {
 public:
  // player: its body. The errors of SceneScripts::Create.
  static Result<std::unique_ptr<Scenes>> Create(World& world, TaskPool& pool, Machines& machines,
                                                BodyId player, const SceneScriptsDef& def);

  // parcel: of the scene, resident. The errors of Machines::Appear, and kCapacity "memory".
  Result<void> Activate(SceneNumber scene, const Parcel& parcel, WaitTime& wait);
  void Deactivate(SceneNumber scene, WaitTime& wait);

  // A frame of `dt` seconds. The errors of SceneScripts::Advance, Gates::Advance and
  // Machines::Appear.
  Result<void> Advance(std::uint64_t frame, float dt, Vec3 player, Paths& paths, WaitTime& wait);

  // Errors of scripts since the last call, a line each.
  std::vector<std::string> TakeLines() { return scripts_->TakeLines(); }
  SceneCounts counts() const { return {scripts_->counts(), gates_.counts(), called_}; }

 private:
  // A scene that has a script.
  struct Scripted {
    SceneNumber scene;
    std::vector<Vec3> spawn_points;
    std::uint32_t called = 0;  // machines
  };

  Scenes(World& world, TaskPool& pool, Machines& machines, BodyId player,
         std::unique_ptr<SceneScripts> scripts)
      : world_(world),
        pool_(pool),
        machines_(machines),
        player_(player),
        scripts_(std::move(scripts)),
        gates_(world) {}
  Vec3 GroundAt(const SceneSite& site, WaitTime& wait) const;
  Result<void> Ask(std::uint64_t frame, float dt, Vec3 player);
  Result<void> Obey(Scripted& scene, const SceneWish& wish);

  const World& world_;
  TaskPool& pool_;
  Machines& machines_;
  const BodyId player_;
  const std::unique_ptr<SceneScripts> scripts_;
  Gates gates_;
  std::vector<Scripted> scripted_;
  std::uint64_t called_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_SCENES_H_
