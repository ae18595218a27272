// Between ticks: a system with its scripts and objects.
#include "src/script/system.h"

#include <algorithm>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/math/hash.h"

namespace nowait {
namespace {

std::uint32_t WorkersOf(std::uint32_t threads) {
  return std::clamp(threads, 1u, JobBatch::kMostHands);
}

}  // namespace

ScriptSystem::Worker::Worker(Table& table, const ScriptSystemDef& def)
    : transaction(table, {.objects = def.objects_of_call, .effects = def.sends_of_call}) {
  written.reserve(def.objects_of_call);
  sent.reserve(def.sends_of_call);
}

ScriptSystem::ScriptSystem(const ScriptSystemDef& def)
    : def_(def),
      table_(def.objects, def.objects + 2 * def.objects_of_call * WorkersOf(def.threads)),
      free_workers_(WorkersOf(def.threads)),
      rounds_(def.objects),
      script_of_(def.objects, kNoScript),
      phase_of_(def.objects),
      disabled_(def.objects) {
  objects_.reserve(def.objects);
  const auto events =
      static_cast<std::uint32_t>(def.event_bytes / BytesInStream(sizeof(ScriptEvent)));
  sent_.reserve(events);
  order_.Reserve(events);
  events_.reserve(events);
  for (std::uint32_t i = 0; i < WorkersOf(def.threads); ++i) {
    workers_.emplace_back(table_, def).number = i;
  }
}

Result<std::unique_ptr<ScriptSystem>> ScriptSystem::Create(
    const ScriptSystemDef& def, std::vector<std::unique_ptr<ScriptLanguage>> languages) {
  if (def.objects_of_call == 0) return Fail(ErrorCode::kInvalidArgument, "objects of a call");
  const std::uint64_t versions =
      def.objects + 2 * std::uint64_t{def.objects_of_call} * WorkersOf(def.threads);
  if (versions > Table::kMostVersions) {
    return Fail(ErrorCode::kInvalidArgument, "objects", def.objects, "too many, with their copies");
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<ScriptSystem>> {
    std::unique_ptr<ScriptSystem> system(new ScriptSystem(def));
    auto lanes = EventLanes::Create({.lanes = system->workers(), .most_bytes = def.event_bytes});
    if (!lanes) return std::unexpected(lanes.error());
    system->lanes_ = std::move(*lanes);
    if (auto added = system->AddMachines(std::move(languages)); !added) {
      return std::unexpected(added.error());
    }
    return system;
  });
}

Result<void> ScriptSystem::AddMachines(std::vector<std::unique_ptr<ScriptLanguage>> languages) {
  languages_ = std::move(languages);
  for (Worker& worker : workers_) {
    for (const auto& language : languages_) {
      auto machine = language->CreateMachine();
      if (!machine) return std::unexpected(machine.error());
      worker.machines.push_back(std::move(*machine));
    }
  }
  return {};
}

ScriptResult<std::uint32_t> ScriptSystem::Load(const std::string& name,
                                               std::span<const std::byte> source) {
  NOWAIT_ASSERT(!in_tick_, "scripts are loaded between ticks");
  const auto fails = [&](const char* why) {
    return std::unexpected(ScriptError{name + ": " + why});
  };
  const auto language = std::ranges::find_if(
      languages_, [&](const auto& known) { return name.ends_with(known->extension()); });
  if (language == languages_.end()) return fails("no language has files of this name");
  std::vector<std::unique_ptr<Script>> loaded;
  for (Worker& worker : workers_) {
    auto script = worker.machines[language - languages_.begin()]->Load(name, source);
    if (!script) return std::unexpected(script.error());
    loaded.push_back(std::move(*script));
  }
  auto known = std::ranges::find(names_, name);
  if (known != names_.end()) {
    if (!loaded[0]->layout().Fits(layouts_[known - names_.begin()])) {
      return fails("other fields than those of the objects that are there");
    }
  } else {
    known = std::ranges::find(names_, std::string());
  }
  const auto number = static_cast<std::uint32_t>(known - names_.begin());
  // All memory first: what follows cannot fail. A number without a name is free.
  std::string own_name = name;
  FieldLayout layout = loaded[0]->layout();
  for (Worker& worker : workers_) {
    if (worker.scripts.size() == number) worker.scripts.emplace_back();
  }
  if (layouts_.size() == number) layouts_.emplace_back();
  if (names_.size() == number) names_.emplace_back();
  names_[number] = std::move(own_name);
  layouts_[number] = std::move(layout);
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    workers_[i].scripts[number] = std::move(loaded[i]);
  }
  for (const ObjectHandle object : objects_) {
    if (script_of_[object.slot] == number) disabled_[object.slot] = 0;
  }
  return number;
}

void ScriptSystem::Unload(std::uint32_t script) {
  NOWAIT_ASSERT(!in_tick_ && script < names_.size() && !names_[script].empty(),
                "scripts are unloaded between ticks, once");
  const auto ends = [&](ObjectHandle object) { return script_of_[object.slot] == script; };
  for (std::vector<ObjectHandle>& phase : phases_) std::erase_if(phase, ends);
  std::erase_if(objects_, [&](ObjectHandle object) {
    if (!ends(object)) return false;
    const auto destroyed = table_.Destroy(object);
    NOWAIT_ASSERT(destroyed, "nobody else destroys objects");
    script_of_[object.slot] = kNoScript;
    disabled_[object.slot] = 0;
    return true;
  });
  for (Worker& worker : workers_) worker.scripts[script].reset();
  layouts_[script] = {};
  names_[script].clear();
}

void ScriptSystem::Send(const ScriptEvent& event) {
  NOWAIT_ASSERT(!in_tick_, "the program sends between ticks");
  const auto at = std::ranges::upper_bound(events_, event.to.slot, {},
                                           [](const ScriptEvent& sent) { return sent.to.slot; });
  events_.insert(at, event);
}

Result<ObjectHandle> ScriptSystem::Spawn(std::uint32_t script, std::uint32_t phase) {
  NOWAIT_ASSERT(!in_tick_ && script < names_.size() && !names_[script].empty(),
                "objects are made between ticks, of scripts that are loaded");
  if (phase >= kMostPhases) return Fail(ErrorCode::kInvalidArgument, "phase", phase);
  return OrNoMemory([&]() -> Result<ObjectHandle> {
    if (phase >= phases_.size()) phases_.resize(phase + 1);
    std::vector<ObjectHandle>& of_phase = phases_[phase];
    of_phase.emplace_back();  // its place first: what follows the creation cannot fail
    const auto object = table_.Create(layouts_[script].Initial(script));
    if (!object) {
      of_phase.pop_back();
      return object;
    }
    of_phase.back() = *object;
    objects_.push_back(*object);
    script_of_[object->slot] = script;
    phase_of_[object->slot] = static_cast<std::uint8_t>(phase);
    return object;
  });
}

Result<ScriptValue> ScriptSystem::Get(ObjectHandle object, std::string_view field, FieldKind kind) {
  const auto view = table_.Read(object);
  if (!view) return std::unexpected(view.error());
  const FieldLayout& layout = layouts_[(*view)->script];
  const auto slot = layout.Find(field);
  if (!slot || layout.fields()[*slot].kind != kind) return Fail(ErrorCode::kNotFound, "field");
  return (*view)->values[*slot];
}

Result<void> ScriptSystem::Set(ObjectHandle object, std::string_view field, FieldKind kind,
                               ScriptValue value) {
  NOWAIT_ASSERT(!in_tick_, "the program sets fields between ticks");
  auto edit = table_.Edit(object);
  if (!edit) return std::unexpected(edit.error());
  const FieldLayout& layout = layouts_[(*edit)->script];
  const auto slot = layout.Find(field);
  if (!slot || layout.fields()[*slot].kind != kind) return Fail(ErrorCode::kNotFound, "field");
  (*edit)->values[*slot] = OnlyOf(kind, value);
  const bool committed = edit->Commit();
  NOWAIT_ASSERT(committed, "nobody else changes objects between ticks");
  return {};
}

ScriptCounts ScriptSystem::Counts() const {
  ScriptCounts sum;
  sum.lost = lost_;
  for (const Worker& worker : workers_) {
    sum.updates += worker.counts.updates;
    sum.put_off += worker.counts.put_off;
    sum.events += worker.counts.events;
    sum.callbacks += worker.counts.callbacks;
    sum.unreceived += worker.counts.unreceived;
    sum.faults += worker.counts.faults;
    sum.busy += worker.counts.busy;
    sum.transactions += worker.transaction.counts();
    for (const auto& machine : worker.machines) {
      const ScriptMachineCounts counts = machine->counts();
      sum.machines.work += counts.work;
      sum.machines.tidying += counts.tidying;
      sum.machines.most_bytes = std::max(sum.machines.most_bytes, counts.most_bytes);
      sum.machines.most_tidying = std::max(sum.machines.most_tidying, counts.most_tidying);
    }
  }
  return sum;
}

std::uint64_t ScriptSystem::Checksum() {
  Hash hash;
  for (const ObjectHandle object : objects_) {
    const auto view = table_.Read(object);
    NOWAIT_ASSERT(view, "an object ends with its script alone");
    for (const ScriptValue& value : (*view)->values) {
      for (const std::uint64_t bits : value.bits) {
        hash.Add(static_cast<std::uint32_t>(bits));
        hash.Add(static_cast<std::uint32_t>(bits >> 32));
      }
    }
  }
  return hash.value();
}

std::uint32_t ScriptSystem::disabled() const {
  return static_cast<std::uint32_t>(std::ranges::count(disabled_, 1));
}

}  // namespace nowait
