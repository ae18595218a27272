#include "src/streaming/residency.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace nowait {

bool PlayerMotion::IsValid() const {
  return std::abs(x) <= 1e6f && std::abs(z) <= 1e6f && std::isfinite(velocity_x) &&
         std::isfinite(velocity_z);
}

void Residency::Move(const PlayerMotion& motion) {
  motion_ = motion;
  const TileCoord here = TileAt(motion.x, motion.z);
  if (count_ == 0 || std::abs(here.column - centre_.column) > 1 ||
      std::abs(here.row - centre_.row) > 1) {
    centre_ = here;
    ahead_ = {};
  }
  FollowCentre(here);
  FollowDirection();

  count_ = 0;
  for (std::int32_t ring = 0; ring <= 2; ++ring) {
    for (std::int32_t row = -ring; row <= ring; ++row) {
      for (std::int32_t column = -ring; column <= ring; ++column) {
        if (std::max(std::abs(column), std::abs(row)) != ring) continue;
        Add(column, row, ring <= 1 ? TileDetail::kFull : TileDetail::kRing);
      }
    }
  }
  if (ahead_ == TileCoord{}) return;
  for (std::int32_t side = -1; side <= 1; ++side) {
    Add(ahead_.column != 0 ? 3 * ahead_.column : side, ahead_.row != 0 ? 3 * ahead_.row : side,
        TileDetail::kAhead);
  }
}

bool Residency::Wants(TileCoord tile) const {
  return std::any_of(tiles_.begin(), tiles_.begin() + count_,
                     [tile](const WantedTile& wanted) { return wanted.tile == tile; });
}

void Residency::FollowCentre(TileCoord here) {
  if (DistanceSquared(centre_, motion_.x, motion_.z) > kHysteresis * kHysteresis) centre_ = here;
}

void Residency::FollowDirection() {
  const float along_x = std::abs(motion_.velocity_x);
  const float along_z = std::abs(motion_.velocity_z);
  if (std::max(along_x, along_z) < kSlowest) return;  // the last direction stays
  TileCoord way{motion_.velocity_x > 0.0f ? 1 : -1, 0};
  if (along_z > along_x) way = {0, motion_.velocity_z > 0.0f ? 1 : -1};
  if (way != ahead_ && ahead_ != TileCoord{}) {
    const float dx = motion_.x - turned_x_;
    const float dz = motion_.z - turned_z_;
    if (dx * dx + dz * dz <= kHysteresis * kHysteresis) return;
  }
  ahead_ = way;
  turned_x_ = motion_.x;
  turned_z_ = motion_.z;
}

void Residency::Add(std::int32_t column, std::int32_t row, TileDetail detail) {
  tiles_[count_++] = {{centre_.column + column, centre_.row + row}, detail};
}

bool Residency::IsWithin(const SceneSite& site, float distance) const {
  const float dx = site.x - motion_.x;
  const float dz = site.z - motion_.z;
  return dx * dx + dz * dz <= distance * distance;
}

}  // namespace nowait
