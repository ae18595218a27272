#include "src/apps/openworld/scene_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/profile/profile.h"
#include "src/script/lua_language.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kPhase = 0;
constexpr const char* kMachines = "machines";
constexpr const char* kOpen = "open";
constexpr const char* kMiddle = "middle";
constexpr const char* kVisitor = "visitor";

// The fields of these names, as far as the script has them.
ScriptResult<void> CheckFields(const std::string& name, const FieldLayout& layout) {
  for (const auto& [field, kind] :
       {std::pair(kMachines, FieldKind::kNumber), std::pair(kOpen, FieldKind::kBoolean),
        std::pair(kMiddle, FieldKind::kVec3), std::pair(kVisitor, FieldKind::kVec3)}) {
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

SceneScripts::SceneScripts(std::unique_ptr<ScriptMachine> trial,
                           std::unique_ptr<ScriptSystem> system, std::uint32_t scenes)
    : trial_(std::move(trial)), system_(std::move(system)) {
  active_.reserve(scenes);
  wishes_.reserve(scenes);
  stopped_.reserve(scenes);
}

Result<std::unique_ptr<SceneScripts>> SceneScripts::Create(const TaskPool& pool,
                                                           const SceneScriptsDef& def) {
  return OrNoMemory([&]() -> Result<std::unique_ptr<SceneScripts>> {
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
    return std::unique_ptr<SceneScripts>(
        new SceneScripts(std::move(*trial), std::move(*system), def.scenes));
  });
}

// In the system's states, where all scripts are, one could take the others' room.
ScriptResult<std::uint32_t> SceneScripts::LoadWithinShare(const std::string& name,
                                                          std::span<const std::byte> text) {
  const auto tried = trial_->Load(name, text);
  if (!tried) return std::unexpected(tried.error());
  if (auto fits = CheckFields(name, (*tried)->layout()); !fits) {
    return std::unexpected(fits.error());
  }
  return system_->Load(name, text);
}

// Two scenes of one kind have two scripts: each blob has its own text.
ScriptResult<void> SceneScripts::Load(const SceneScript& script, Vec3 middle, Active& active) {
  const std::string name = fmt::format("scene-{}/{}", active.scene.number, script.name);
  const std::uint64_t begin = SteadyNanoseconds();
  const auto loaded = LoadWithinShare(name, std::as_bytes(std::span(script.text)));
  counts_.longest_load = std::max(counts_.longest_load, SteadyNanoseconds() - begin);
  if (!loaded) return std::unexpected(loaded.error());
  active.script = *loaded;
  const auto object = system_->Spawn(*loaded, kPhase);
  Result<bool> placed =
      object ? SetPlace(*object, kMiddle, middle) : std::unexpected(object.error());
  if (!placed) {
    system_->Unload(*loaded);  // first: the error's text may find no memory
    return std::unexpected(ScriptError{name + ": " + ToString(placed.error())});
  }
  active.object = *object;
  active.knows_visitor = system_->layout(*loaded).Find(kVisitor).has_value();
  return {};
}

Result<bool> SceneScripts::SetPlace(ObjectHandle object, const char* field, Vec3 place) {
  ScriptValue value{};
  value.vec3 = ToScript(place);
  const auto set = system_->Set(object, field, FieldKind::kVec3, value);
  if (!set && set.error().code != ErrorCode::kNotFound) return std::unexpected(set.error());
  return set.has_value();
}

Result<bool> SceneScripts::Activate(SceneNumber scene, const SceneScript& script,
                                    std::span<const SceneBox> triggers, Vec3 middle) {
  NOWAIT_ASSERT(std::ranges::find(active_, scene, &Active::scene) == active_.end(),
                "a scene is activated once");
  return OrNoMemory([&]() -> Result<bool> {
    // All memory first: what follows a script that is loaded cannot fail.
    Active active;
    active.scene = scene;
    active.triggers.assign(triggers.begin(), triggers.end());
    active.inside.assign(triggers.size(), 0);
    if (const auto loaded = Load(script, middle, active); !loaded) {
      ++counts_.failed;
      Complain(scene, loaded.error().text);
      return false;
    }
    active_.push_back(std::move(active));
    ++counts_.loaded;
    return true;
  });
}

void SceneScripts::Deactivate(SceneNumber scene) {
  const auto active = std::ranges::find(active_, scene, &Active::scene);
  if (active == active_.end()) return;
  system_->Unload(active->script);
  active_.erase(active);
  ++counts_.unloaded;
}

Result<void> SceneScripts::Advance(TaskPool& pool, std::uint64_t tick, float dt, Vec3 player,
                                   ScriptQueries* queries) {
  const ProfileScope scope("scene scripts");
  wishes_.clear();
  return OrNoMemory([&]() -> Result<void> {
    if (auto ended = EndTick(); !ended) return ended;  // of a call before
    if (active_.empty()) return {};
    for (Active& active : active_) {
      if (auto told = Tell(active, player); !told) return told;
    }
    if (auto done = Tick(pool, tick, dt, queries); !done) return done;
    for (const Active& active : active_) wishes_.push_back(WishOf(active));
    return {};
  });
}

Result<void> SceneScripts::Tick(TaskPool& pool, std::uint64_t tick, float dt,
                                ScriptQueries* queries) {
  in_tick_ = true;
  auto done = system_->BeginTick(pool, tick, static_cast<double>(dt));
  if (done) done = system_->RunPhase(pool, kPhase, queries);
  const auto ended = EndTick();
  return done ? ended : done;
}

Result<void> SceneScripts::EndTick() {
  if (!in_tick_) return {};
  const auto ended = system_->EndTick();
  // A tick that could not begin has no end.
  if (!ended && ended.error().code != ErrorCode::kWrongPhase) return ended;
  in_tick_ = false;
  if (ended) HearFaults();
  return {};
}

// The player's part of the script's news: where it is, and which volumes it enters and leaves.
Result<void> SceneScripts::Tell(Active& active, Vec3 player) {
  if (active.knows_visitor) {
    if (const auto set = SetPlace(active.object, kVisitor, player); !set) {
      return std::unexpected(set.error());
    }
  }
  for (std::size_t i = 0; i < active.triggers.size(); ++i) {
    const bool inside = active.triggers[i].Contains(player);
    if (inside == (active.inside[i] != 0)) continue;
    ScriptEvent event;
    event.to = active.object;
    event.value = static_cast<double>(i + 1);
    const bool named = event.SetName(inside ? "enter" : "leave");
    NOWAIT_ASSERT(named, "both are short");
    system_->Send(event);
    // Behind it: without memory for the event, it is sent by the next call.
    active.inside[i] = inside ? 1 : 0;
    ++(inside ? counts_.entered : counts_.left);
  }
  return {};
}

// All of them stop before one is said: a script that has stopped holds no gate open.
void SceneScripts::HearFaults() {
  stopped_.clear();
  for (const ScriptFault& fault : system_->faults()) {
    const auto active = std::ranges::find(active_, fault.object, &Active::object);
    NOWAIT_ASSERT(active != active_.end(), "each object is that of an active scene");
    ++counts_.faults;
    stopped_.push_back(active->scene);
    Deactivate(active->scene);
  }
  for (std::size_t i = 0; i < stopped_.size(); ++i) {
    Complain(stopped_[i], system_->faults()[i].text);
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
  said_.reserve(said_.size() + 1);  // first: a line is not said twice
  lines_.push_back(why + "; the scene is without its script");
  said_.push_back(scene);
}

std::vector<std::string> SceneScripts::TakeLines() { return std::exchange(lines_, {}); }

}  // namespace nowait
