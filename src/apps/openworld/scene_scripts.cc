#include "src/apps/openworld/scene_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/assert.h"
#include "src/profile/profile.h"
#include "src/script/lua_language.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kPhase = 0;
constexpr const char* kMachines = "machines";
constexpr const char* kOpen = "open";

// The fields of these names, as far as the script has them.
ScriptResult<void> CheckFields(const std::string& name, const FieldLayout& layout) {
  for (const auto& [field, kind] :
       {std::pair(kMachines, FieldKind::kNumber), std::pair(kOpen, FieldKind::kBoolean)}) {
    const auto slot = layout.Find(field);
    if (!slot || layout.fields()[*slot].kind == kind) continue;
    return std::unexpected(
        ScriptError{fmt::format("{}: the field '{}' is no {}", name, field, NameOf(kind))});
  }
  return {};
}

// A script may write any number.
std::uint32_t WholeUpTo(std::uint32_t most, double number) {
  if (!(number >= 1.0)) return 0;
  return static_cast<std::uint32_t>(std::min(number, static_cast<double>(most)));
}

// Of a state: the shares of all scripts, and what a call may take beside.
std::uint32_t MemoryFor(std::uint32_t scenes) {
  constexpr std::uint64_t kMost = 1u << 31;
  const std::uint64_t shares = std::uint64_t{scenes} * SceneScript::kMostMemory;
  return static_cast<std::uint32_t>(std::min(LuaDef{}.memory + shares, kMost));
}

}  // namespace

Result<std::unique_ptr<SceneScripts>> SceneScripts::Create(const TaskPool& pool,
                                                           const SceneScriptsDef& def) {
  auto trial = LuaLanguage({.memory = SceneScript::kMostMemory}).CreateMachine();
  if (!trial) return std::unexpected(trial.error());
  std::vector<std::unique_ptr<ScriptLanguage>> languages;
  languages.push_back(std::make_unique<LuaLanguage>(LuaDef{.memory = MemoryFor(def.scenes)}));
  auto system = ScriptSystem::Create({.objects = def.scenes,
                                      .threads = pool.threads(),
                                      .objects_of_call = 2,
                                      .sends_of_call = 0,
                                      .event_bytes = 0,
                                      .seed = def.seed},
                                     std::move(languages));
  if (!system) return std::unexpected(system.error());
  return std::unique_ptr<SceneScripts>(new SceneScripts(std::move(*trial), std::move(*system)));
}

// In the system's states, where all scripts are, one could take the others' room.
ScriptResult<std::uint32_t> SceneScripts::LoadWithinShare(const std::string& name,
                                                          std::span<const std::byte> text) {
  if (const auto tried = trial_->Load(name, text); !tried) return std::unexpected(tried.error());
  return system_->Load(name, text);
}

// Two scenes of one kind have two scripts: each blob has its own text.
ScriptResult<SceneScripts::Active> SceneScripts::Load(SceneNumber scene,
                                                      const SceneScript& script) {
  const std::string name = fmt::format("scene-{}/{}", scene.number, script.name);
  const std::uint64_t begin = SteadyNanoseconds();
  const auto loaded = LoadWithinShare(name, std::as_bytes(std::span(script.text)));
  counts_.longest_load = std::max(counts_.longest_load, SteadyNanoseconds() - begin);
  if (!loaded) return std::unexpected(loaded.error());
  if (auto fits = CheckFields(name, system_->layout(*loaded)); !fits) {
    system_->Unload(*loaded);
    return std::unexpected(fits.error());
  }
  const auto object = system_->Spawn(*loaded, kPhase);
  if (!object) {
    system_->Unload(*loaded);
    return std::unexpected(ScriptError{name + ": " + ToString(object.error())});
  }
  return Active{scene, *loaded, *object, {}, {}};
}

bool SceneScripts::Activate(SceneNumber scene, const SceneScript& script,
                            std::span<const SceneBox> triggers) {
  NOWAIT_ASSERT(std::ranges::find(active_, scene, &Active::scene) == active_.end(),
                "a scene is activated once");
  auto active = Load(scene, script);
  if (!active) {
    ++counts_.failed;
    Complain(scene, active.error().text);
    return false;
  }
  active->triggers.assign(triggers.begin(), triggers.end());
  active->inside.assign(triggers.size(), 0);
  active_.push_back(*std::move(active));
  ++counts_.loaded;
  return true;
}

void SceneScripts::Deactivate(SceneNumber scene) {
  const auto active = std::ranges::find(active_, scene, &Active::scene);
  if (active == active_.end()) return;
  system_->Unload(active->script);
  active_.erase(active);
  ++counts_.unloaded;
}

Result<void> SceneScripts::Advance(TaskPool& pool, std::uint64_t tick, float dt, Vec3 player) {
  const ProfileScope scope("scene scripts");
  wishes_.clear();
  if (active_.empty()) return {};
  for (Active& active : active_) SendEvents(active, player);
  auto done = system_->BeginTick(pool, tick, static_cast<double>(dt));
  if (done) done = system_->RunPhase(pool, kPhase);
  const auto ended = system_->EndTick();
  if (!done) return done;
  if (!ended) return ended;
  HearFaults();
  for (const Active& active : active_) wishes_.push_back(WishOf(active));
  return {};
}

void SceneScripts::SendEvents(Active& active, Vec3 player) {
  for (std::size_t i = 0; i < active.triggers.size(); ++i) {
    const bool inside = active.triggers[i].Contains(player);
    if (inside == (active.inside[i] != 0)) continue;
    active.inside[i] = inside ? 1 : 0;
    ++(inside ? counts_.entered : counts_.left);
    ScriptEvent event;
    event.to = active.object;
    event.value = static_cast<double>(i + 1);
    const bool named = event.SetName(inside ? "enter" : "leave");
    NOWAIT_ASSERT(named, "both are short");
    system_->Send(event);
  }
}

void SceneScripts::HearFaults() {
  for (const ScriptFault& fault : system_->faults()) {
    const auto active = std::ranges::find(active_, fault.object, &Active::object);
    NOWAIT_ASSERT(active != active_.end(), "each object is that of an active scene");
    ++counts_.faults;
    Complain(active->scene, fault.text);
    // At once: a script that has stopped holds no gate open.
    Deactivate(active->scene);
  }
}

SceneWish SceneScripts::WishOf(const Active& active) {
  SceneWish wish{active.scene, 0, false};
  if (const auto machines = system_->Get(active.object, kMachines, FieldKind::kNumber)) {
    wish.machines = WholeUpTo(kMostMachines, machines->number);
  }
  if (const auto open = system_->Get(active.object, kOpen, FieldKind::kBoolean)) {
    wish.open = open->boolean != 0;
  }
  return wish;
}

void SceneScripts::Complain(SceneNumber scene, const std::string& why) {
  if (std::ranges::find(said_, scene) != said_.end()) return;
  said_.push_back(scene);
  lines_.push_back(why + "; the scene is without its script");
}

std::vector<std::string> SceneScripts::TakeLines() { return std::exchange(lines_, {}); }

}  // namespace nowait
