// The answers of a streamer about its tiles and scenes, between two updates.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "src/streaming/streamer.h"

namespace nowait {

ParcelState Streamer::StateOf(TileCoord tile) const {
  return Has(tile) ? StateOf(tiles_[def_.index.NumberOf(tile)]) : ParcelState::kAbsent;
}
ParcelState Streamer::StateOf(SceneNumber scene) const {
  return Has(scene) ? StateOf(scenes_[scene.number]) : ParcelState::kAbsent;
}
ParcelState Streamer::StateOf(const Place& place) const {
  return place.slot == kNoSlot ? ParcelState::kAbsent : entries_[place.slot].state;
}

bool Streamer::Has(const ParcelName& name) const {
  if (IsScene(name)) return std::get<SceneNumber>(name).number < scenes_.size();
  return def_.index.Has(std::get<TileCoord>(name));
}

bool Streamer::IsActive(SceneNumber scene) const {
  return Has(scene) && scenes_[scene.number].active;
}

const Parcel* Streamer::Find(const ParcelName& name) const {
  if (!Has(name)) return nullptr;
  const Place& place = PlaceIn(*this, name);
  return StateOf(place) == ParcelState::kResident ? entries_[place.slot].parcel.get() : nullptr;
}

bool Streamer::IsCovered(float x, float z, float radius) const {
  if (!std::isfinite(x) || !std::isfinite(z) || !std::isfinite(radius)) return false;
  const float width = kTileSide * static_cast<float>(def_.index.columns);
  const float depth = kTileSide * static_cast<float>(def_.index.rows);
  const auto on = [](float place, float side) { return std::clamp(place, 0.0f, side - 1.0f); };
  const TileCoord first = TileAt(on(x - radius, width), on(z - radius, depth));
  const TileCoord last = TileAt(on(x + radius, width), on(z + radius, depth));
  for (std::int32_t row = first.row; row <= last.row; ++row) {
    for (std::int32_t column = first.column; column <= last.column; ++column) {
      const TileCoord tile{column, row};
      if (DistanceSquared(tile, x, z) > radius * radius) continue;
      if (StateOf(tile) != ParcelState::kResident) return false;
    }
  }
  return true;
}

std::size_t Streamer::shape_bytes() const {
  std::size_t bytes = 0;
  for (const Slot slot : order_) {
    const Parcel& parcel = *entries_[slot].parcel;
    // A task makes those of a load, and has made them as soon as the load is settled.
    if (entries_[slot].state != ParcelState::kLoading) bytes += parcel.shape_bytes();
  }
  return bytes;
}

}  // namespace nowait
