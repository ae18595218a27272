#include "src/streaming/streamer.h"

#include <algorithm>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"

namespace nowait {

Result<std::unique_ptr<Streamer>> Streamer::Create(const StreamerDef& def, TaskPool& pool,
                                                   World& world) {
  const auto invalid = [](const char* field, const char* why) {
    return Fail(ErrorCode::kInvalidArgument, field, 0, why);
  };
  if (def.most_parcels <= 2 * Residency::kMostTiles) {
    return invalid("most_parcels", "56 are for tiles that come and tiles that go");
  }
  if (def.loads == 0) return invalid("loads", "at least one");
  if (def.entries_per_update == 0) return invalid("entries_per_update", "at least one");
  if (def.removals_per_update == 0) return invalid("removals_per_update", "at least one");
  if (!def.read) return invalid("read", "it is empty");
  return OrNoMemory([&]() -> Result<std::unique_ptr<Streamer>> {
    return std::unique_ptr<Streamer>(new Streamer(def, pool, world));
  });
}

Streamer::Streamer(const StreamerDef& def, TaskPool& pool, World& world)
    : def_(def),
      pool_(pool),
      entries_(def.most_parcels),
      tiles_(def.index.tiles()),
      scenes_(def.index.scenes.size()),
      retired_(def.most_parcels) {
  const Parcel::Def parcel{&pool, &world, def.read, !def.replay.has_value()};
  order_.reserve(entries_.size());
  walked_.reserve(entries_.size());
  free_.reserve(entries_.size());
  for (Slot slot = def.most_parcels; slot-- > 0;) {
    entries_[slot].parcel = std::make_unique<Parcel>(parcel);
    free_.push_back(slot);
  }
}

Streamer::~Streamer() { NOWAIT_ASSERT(loading_ == 0, "loads are stopped before the streamer is"); }

Result<void> Streamer::Update(const PlayerMotion& motion, WaitTime& wait) {
  NOWAIT_ASSERT(!Due().IsTask(), "a replay's load is complete when it is due");
  if (!motion.IsValid()) {
    return Fail(ErrorCode::kInvalidArgument, "motion", 0, "not within 1e6 metres");
  }
  events_.clear();
  residency_.Move(motion);
  walked_ = order_;
  for (const Slot slot : walked_) {
    Settle(slot);
    const Entry& entry = entries_[slot];
    if (entry.state == ParcelState::kAbsent) continue;
    if (MayHaveRoom(entry) || !IsWanted(entry.parcel->name())) LetGo(slot);
  }
  BeginLoads();
  EnterWaiting(wait);
  Remove(wait);
  Activate();
  retired_.Collect();
  ++update_;
  return {};
}

Result<void> Streamer::Stop() {
  Result<void> stopped;
  walked_ = order_;
  // All of them before one is waited for: the disk would begin with the next one meanwhile.
  for (const Slot slot : walked_) {
    if (entries_[slot].state == ParcelState::kLoading) entries_[slot].parcel->Cancel();
  }
  for (const Slot slot : walked_) {
    Entry& entry = entries_[slot];
    if (entry.state == ParcelState::kLoading) {
      if (auto waited = pool_.Wait(entry.parcel->task()); !waited) {
        stopped = waited;
        continue;
      }
      --loading_;
    }
    if (entry.state == ParcelState::kLoading || entry.state == ParcelState::kWaiting) {
      entry.parcel->Discard();
      Forget(slot);
    }
  }
  return stopped;
}

bool Streamer::IsWanted(const ParcelName& name) const {
  if (!IsScene(name)) return residency_.Wants(std::get<TileCoord>(name));
  return residency_.WantsScene(def_.index.scenes[std::get<SceneNumber>(name).number], true);
}

// A parcel that is not wanted any more goes the next step on its way out.
void Streamer::LetGo(Slot slot) {
  Entry& entry = entries_[slot];
  switch (entry.state) {
    case ParcelState::kLoading:
      if (!std::exchange(entry.cancelled, true)) entry.parcel->Cancel();
      return;  // settled in a later update
    case ParcelState::kResident:
      entry.state = ParcelState::kLeaving;
      return;
    case ParcelState::kMissing:
      return Forget(slot);
    case ParcelState::kWaiting:
      break;
    case ParcelState::kAbsent:
    case ParcelState::kLeaving:
      return;
  }
  entry.parcel->Discard();
  ++counts_.cancelled;
  Forget(slot);
}

bool Streamer::IsLookedAt(const Entry& entry) const {
  return !def_.replay || update_ >= entry.begun + *def_.replay;
}

TaskId Streamer::Due() const {
  if (!def_.replay) return {};
  for (const Slot slot : order_) {
    const Entry& entry = entries_[slot];
    if (entry.state != ParcelState::kLoading || !IsLookedAt(entry)) continue;
    if (!entry.parcel->IsComplete()) return entry.parcel->task();
  }
  return {};
}

// Of those that are missing for want of it: bodies have been removed since.
bool Streamer::MayHaveRoom(const Entry& entry) const {
  return entry.state == ParcelState::kMissing && entry.parcel->lacks_room() &&
         counts_.bodies_removed > entry.removed;
}

void Streamer::Miss(Entry& entry) {
  entry.state = ParcelState::kMissing;
  entry.removed = counts_.bodies_removed;
  ++counts_.missing;
  const ParcelName& name = entry.parcel->name();
  if (std::exchange(PlaceIn(*this, name).said, true)) return;
  Say(StreamEvent::Kind::kMissing, name, entry.parcel->error());
}

// A load that is complete waits for its turn, or is missing.
void Streamer::Settle(Slot slot) {
  Entry& entry = entries_[slot];
  if (entry.state != ParcelState::kLoading) return;
  if (!IsLookedAt(entry) || !entry.parcel->IsComplete()) return;
  --loading_;
  if (entry.cancelled) {  // and begun anew, if it is wanted again
    entry.parcel->Discard();
    ++counts_.cancelled;
    return Forget(slot);
  }
  counts_.bytes_read += entry.parcel->file_bytes();
  if (entry.parcel->error().empty()) {
    counts_.longest_load = std::max(counts_.longest_load, update_ - entry.begun);
    entry.state = ParcelState::kWaiting;
    return;
  }
  entry.parcel->Discard();
  Miss(entry);
}

void Streamer::BeginLoads() {
  for (const WantedTile& wanted : residency_.tiles()) {
    if (def_.index.Has(wanted.tile)) Begin(wanted.tile);
  }
  for (std::uint32_t i = 0; i < scenes_.size(); ++i) {
    if (scenes_[i].slot == kNoSlot && residency_.WantsScene(def_.index.scenes[i], false)) {
      Begin(SceneNumber{i});
    }
  }
}

void Streamer::Begin(const ParcelName& name) {
  Place& place = PlaceIn(*this, name);
  if (place.slot != kNoSlot || loading_ == def_.loads || free_.empty()) return;
  if (IsScene(name) && scenes_with_memory_ == most_scenes()) {
    ++counts_.scenes_without_room;
    return;
  }
  const Slot slot = free_.back();
  Entry& entry = entries_[slot];
  std::string path = IsScene(name) ? FileOfScene(def_.folder, std::get<SceneNumber>(name).number)
                                   : FileOfTile(def_.folder, std::get<TileCoord>(name));
  const SceneSite site =
      IsScene(name) ? def_.index.scenes[std::get<SceneNumber>(name).number] : SceneSite{};
  if (!entry.parcel->Start(name, site, std::move(path))) return;  // the pool is full: next update
  free_.pop_back();
  order_.push_back(slot);
  entry.state = ParcelState::kLoading;
  entry.begun = update_;
  entry.cancelled = false;
  place.slot = slot;
  if (IsScene(name)) ++scenes_with_memory_;
  ++loading_;
  ++counts_.begun;
}

bool Streamer::MayEnter(const Entry& entry) const {
  if (entry.state != ParcelState::kWaiting) return false;
  if (!IsScene(entry.parcel->name())) return true;
  const SceneSite& site = def_.index.scenes[std::get<SceneNumber>(entry.parcel->name()).number];
  return IsCovered(site.x, site.z, site.encounter);
}

void Streamer::EnterWaiting(WaitTime& wait) {
  std::uint32_t left = def_.entries_per_update;
  for (const Slot slot : order_) {
    if (left == 0) return;
    Entry& entry = entries_[slot];
    if (!MayEnter(entry)) continue;
    --left;
    if (!entry.parcel->Enter(wait)) {
      Miss(entry);
      continue;
    }
    entry.state = ParcelState::kResident;
    ++(IsScene(entry.parcel->name()) ? counts_.scenes_entered : counts_.tiles_entered);
    counts_.bodies_entered += entry.parcel->bodies().size();
    Say(StreamEvent::Kind::kEntered, entry.parcel->name());
  }
}

// Scenes first: they stand on the tiles.
void Streamer::Remove(WaitTime& wait) {
  std::size_t left = def_.removals_per_update;
  for (const bool scenes : {true, false}) {
    walked_ = order_;
    for (const Slot slot : walked_) {
      if (entries_[slot].state != ParcelState::kLeaving) continue;
      if (IsScene(entries_[slot].parcel->name()) != scenes) continue;
      if (!RemoveFrom(slot, left, wait)) return;
    }
  }
}

// Whether the parcel has left, so that the next one may.
bool Streamer::RemoveFrom(Slot slot, std::size_t& left, WaitTime& wait) {
  if (retired_.full()) return false;  // a reader keeps many: its memory is bounded
  Parcel& parcel = *entries_[slot].parcel;
  const std::size_t removed = parcel.Leave(left, wait);
  left -= removed;
  counts_.bodies_removed += removed;
  if (!parcel.bodies().empty()) return false;
  ++(IsScene(parcel.name()) ? counts_.scenes_let_go : counts_.tiles_let_go);
  retired_.Add(parcel.TakeShapes());
  Say(StreamEvent::Kind::kLetGo, parcel.name());
  Forget(slot);
  return true;
}

void Streamer::Activate() {
  for (std::uint32_t i = 0; i < scenes_.size(); ++i) {
    Place& place = scenes_[i];
    const bool active = StateOf(place) == ParcelState::kResident &&
                        residency_.WantsActive(def_.index.scenes[i], place.active);
    if (active == place.active) continue;
    place.active = active;
    Say(active ? StreamEvent::Kind::kActivated : StreamEvent::Kind::kDeactivated, SceneNumber{i});
  }
}

void Streamer::Forget(Slot slot) {
  const ParcelName& name = entries_[slot].parcel->name();
  entries_[slot].state = ParcelState::kAbsent;
  PlaceIn(*this, name).slot = kNoSlot;
  if (IsScene(name)) --scenes_with_memory_;
  order_.erase(std::find(order_.begin(), order_.end(), slot));
  free_.push_back(slot);
}

void Streamer::Say(StreamEvent::Kind kind, const ParcelName& name, std::string why) {
  events_.push_back({kind, name, std::move(why)});
}

}  // namespace nowait
