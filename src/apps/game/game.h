// Game: a field of objects with scripts, on all threads of a pool.
//
//   phase     objects           a frame
//   events    archers, tally    take what was sent in the last frame
//   0         horses            run, and count in the tally that all share; in a column, each comes
//                               after the horse in front of it, and follows that
//   physics   arrows, riders    hear of the contacts of their bodies
//   1         riders            read where their horse is now
//   2         archers, gates    ask the world: rays to riders past walls, boxes for horses; shoot,
//                               but spare a horse that is alone in its square of the crowd map
//
// Behind phase 0 each horse's body moves to its place, arrows that were shot get a body, and the
// physics update of the frame runs; from there on the world stands still. Meanwhile a task counts
// the horses of each square, and an archer that asks for them comes after that task. Within a round
// of a phase objects change themselves, or add whole numbers in the tally, and an archer its own
// arrow: the fields are the same for any number of threads.
//
// Thread safety: one thread, which is one of the pool's. Blocking: it helps and waits.
#ifndef NOWAIT_SRC_APPS_GAME_GAME_H_
#define NOWAIT_SRC_APPS_GAME_GAME_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/apps/game/crowd_map.h"
#include "src/apps/game/physics_events.h"
#include "src/apps/game/script_files.h"
#include "src/base/result.h"
#include "src/bodies/body_id.h"
#include "src/game/object_table.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/script/language.h"
#include "src/script/system.h"
#include "src/script/world_manager.h"
#include "src/world/world.h"

namespace nowait {

struct GameDef {
  std::uint32_t objects = 4000;  // at least 16
  std::uint32_t threads = 1;     // of the pool
  std::uint64_t seed = 1;
  bool twice = false;  // as ScriptSystemDef's
  std::string scripts = "src/apps/game/scripts";
  std::string compiled;  // the folder of compiled scripts
  bool save_events = false;
  std::span<const std::byte> replay = {};  // as PhysicsEvents::Create has it
};

struct GameTotals {
  double crossings = 0;
  double steps = 0;
  double opened = 0;
  double shots = 0;
  double hidden = 0;
  double hits = 0;    // as archers count them
  double wounds = 0;  // as riders count them
  double missed = 0;
  double spared = 0;  // horses alone in their square
};

class Game {
 public:
  static ScriptResult<std::unique_ptr<Game>> Create(const GameDef& def);

  // Looks for changed scripts, and runs a frame of 1/30 s. Returns lines for a person: reloads, and
  // the frame's faults.
  Result<std::vector<std::string>> Frame(TaskPool& pool);

  Result<GameTotals> Totals();
  ScriptSystem& system() { return *system_; }
  const WorldManagerCounts& physics() const { return manager_->counts(); }
  PhysicsEvents& events() { return *events_; }
  std::uint32_t horses() const { return static_cast<std::uint32_t>(horses_.size()); }
  std::uint32_t archers() const { return static_cast<std::uint32_t>(archers_.size()); }
  std::uint32_t gates() const { return gates_; }

 private:
  struct WaitedFor;
  explicit Game(const GameDef& def) : def_(def), files_(def.scripts, def.compiled) {}
  ScriptResult<void> LoadScripts();
  Result<void> Populate();
  Result<void> AddWalls(Random& random);
  Result<void> AddHerd(Random& random);
  ObjectHandle HorseInFront(std::uint32_t horse) const;
  Result<void> AddArchersAndGates(Random& random);
  Result<void> AddArcher(Random& random);
  Result<void> MoveBodies(TaskPool& pool);
  Result<void> FlyArrows();
  Result<void> RunPhysics(TaskPool& pool);
  Result<void> RunTick(TaskPool& pool);
  Result<void> Look(TaskPool& pool, TaskId counted);
  Result<double> Sum(const std::vector<ObjectHandle>& objects, const char* field);

  const GameDef def_;
  ScriptFiles files_;
  std::unique_ptr<World> world_;
  std::unique_ptr<ScriptSystem> system_;
  std::unique_ptr<PhysicsEvents> events_;
  std::unique_ptr<WorldManager> manager_;
  std::optional<CrowdMap> crowd_;
  std::uint32_t scripts_[6]{};  // in the order of their names in game.cc
  ObjectHandle tally_;
  std::vector<ObjectHandle> horses_;
  std::vector<BodyId> bodies_;  // of the horses
  std::vector<ObjectHandle> riders_;
  std::vector<ObjectHandle> archers_;
  std::vector<ObjectHandle> arrows_;
  std::vector<BodyId> flying_;  // of the arrows; not valid: the archer has it
  std::uint32_t gates_ = 0;
  std::uint64_t frame_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_GAME_GAME_H_
