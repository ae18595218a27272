// SceneScripts: the scripts of active scenes: each hears of the player, and has wishes.
//
//   auto loaded = (*scripts)->Activate(scene, parcel.script(), parcel.triggers(), middle);
//   auto ok = (*scripts)->Advance(pool, frame, dt, player, &queries);   a tick; if (!ok) ...
//   for (const SceneWish& wish : (*scripts)->wishes()) Obey(wish);
//   for (const std::string& line : (*scripts)->TakeLines()) Say(line);
//   (*scripts)->Deactivate(scene);
//
// A script is loaded when its scene becomes active, has one object in an ordinary ScriptSystem, and
// is unloaded with the scene: nothing of it is kept. Events reach it about the player:
//   enter, leave   a trigger volume; the value is the volume's number, from 1
// It knows places, in the world's frame, by the fields of its object, if it has them, and may ask
// the world from there (src/script/lua_queries.h):
//   middle         vec3: of the scene, on the ground
//   visitor        vec3: the player, in this frame
// It wishes by others:
//   machines       number: so many have been called to the scene's spawn points since activation
//   open           boolean: the scene's gates are open
//
// A script sends no events: those to itself could double in each frame. Each has its share of
// memory, whatever the others take.
//
// Thread safety: in the game update, one thread at a time; Advance runs jobs and helps.
// Promise: the same calls give the same wishes for any number of threads, but for a script close to
// a limit of its calls (lua_budget.h).
// Errors: a script's error is no error of a call. Its scene is without a script from then on; a
// line says that, once for each scene. kCapacity "memory": see each call; a line may be lost then.
// Test: tests/apps/openworld/scene_scripts_test.cc, tests/whole/faults/scenes_faults_test.cc.
// Complexity: Activate: one load more than the system has threads; Advance: O(active scenes and
// their volumes) calls of at most LuaDef::work.
// Source: [rouwe2022], "Open world - scenes". Lecture: streaming an open world.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_SCENE_SCRIPTS_H_
#define NOWAIT_SRC_APPS_OPENWORLD_SCENE_SCRIPTS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/math/vec3.h"
#include "src/script/language.h"
#include "src/script/queries.h"
#include "src/script/system.h"
#include "src/streaming/parcel.h"

namespace nowait {

struct SceneScriptsDef {
  std::uint32_t scenes = 64;  // with a script, active at the same time
  std::uint64_t seed = 1;     // of the scripts' random numbers
};

struct SceneWish {
  SceneNumber scene;
  std::uint32_t machines = 0;
  bool open = false;
};

struct SceneScriptCounts {
  std::uint64_t loaded = 0;
  std::uint64_t unloaded = 0;
  std::uint64_t failed = 0;   // could not be loaded
  std::uint64_t faults = 0;   // stopped by an error
  std::uint64_t entered = 0;  // volumes, by the player
  std::uint64_t left = 0;
  std::uint64_t longest_load = 0;  // nanoseconds, of a script on all threads
};

class SceneScripts {
 public:
  static constexpr std::uint32_t kMostMachines = 64;  // that a script can wish for

  // The errors of ScriptSystem::Create and LuaLanguage::CreateMachine.
  static Result<std::unique_ptr<SceneScripts>> Create(const TaskPool& pool,
                                                      const SceneScriptsDef& def);

  // Loads the script of a scene that has one and is not active here. Returns false if that fails:
  // the scene is as one without a script, and so it is after kCapacity "memory". triggers, middle:
  // in the world's frame. Not after an Advance with an error, and neither is Deactivate: only
  // Advance again, or the end.
  Result<bool> Activate(SceneNumber scene, const SceneScript& script,
                        std::span<const SceneBox> triggers, Vec3 middle);
  // Of a scene that is not active here, nothing happens.
  void Deactivate(SceneNumber scene);

  // A tick of `dt` seconds. queries: for the scripts, of a world that stands still meanwhile, with
  // workers() workers; null: a query is a script's error. The errors of ScriptSystem's ticks; there
  // are no wishes then, and the next call goes on. No event comes twice; one of a tick that has
  // begun may be lost.
  Result<void> Advance(TaskPool& pool, std::uint64_t tick, float dt, Vec3 player,
                       ScriptQueries* queries = nullptr);
  std::uint32_t workers() const { return system_->workers(); }

  // Of the active scenes whose scripts go on, in the order of their activation; as of the last
  // Advance.
  std::span<const SceneWish> wishes() const { return wishes_; }
  // The lines since the last call.
  std::vector<std::string> TakeLines();

  std::size_t active() const { return active_.size(); }
  const SceneScriptCounts& counts() const { return counts_; }

 private:
  struct Active {
    SceneNumber scene;
    std::uint32_t script = 0;
    ObjectHandle object;
    bool knows_visitor = false;  // has that field
    std::vector<SceneBox> triggers;
    std::vector<std::uint8_t> inside;  // of each
  };

  SceneScripts(std::unique_ptr<ScriptMachine> trial, std::unique_ptr<ScriptSystem> system,
               std::uint32_t scenes);
  ScriptResult<std::uint32_t> LoadWithinShare(const std::string& name,
                                              std::span<const std::byte> text);
  ScriptResult<void> Load(const SceneScript& script, Vec3 middle, Active& active);
  // Of an object whose script may have the field.
  Result<bool> SetPlace(ObjectHandle object, const char* field, Vec3 place);
  Result<void> Tell(Active& active, Vec3 player);
  Result<void> Tick(TaskPool& pool, std::uint64_t tick, float dt, ScriptQueries* queries);
  Result<void> EndTick();
  void HearFaults();
  SceneWish WishOf(const Active& active);
  void Complain(SceneNumber scene, const std::string& why);

  const std::unique_ptr<ScriptMachine> trial_;  // has room for one script
  const std::unique_ptr<ScriptSystem> system_;
  std::vector<Active> active_;  // in the order of their activation
  std::vector<SceneWish> wishes_;
  std::vector<SceneNumber> stopped_;  // by the faults of the last tick, in their order
  bool in_tick_ = false;              // of the system, which could not end it
  std::vector<std::string> lines_;
  std::vector<SceneNumber> said_;  // of these an error has been said
  SceneScriptCounts counts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_SCENE_SCRIPTS_H_
