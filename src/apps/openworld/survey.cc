#include "src/apps/openworld/survey.h"

#include <algorithm>

#include "src/base/assert.h"
#include "src/bodies/shape.h"
#include "src/profile/profile.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

constexpr std::uint32_t kRowsASlice = 4;
constexpr std::uint32_t kCellsAcross = 8;  // around the player
constexpr float kRadius = 0.4f;            // of the character
constexpr float kHalfHeight = 0.5f;
constexpr float kLookFrom = 40.0f;    // metres above the player
constexpr float kMinNormalY = 0.82f;  // about 35 degrees

}  // namespace

void Survey::LookAround(Vec3 player) {
  const ScopedLock lock(mutex_);
  player_ = player;
  ++frame_;
}

bool Survey::Slice() {
  const ProfileScope scope("survey");
  if (!cell_) BeginCell();
  const std::uint32_t end = std::min(cell_->row + kRowsASlice, kRows);
  constexpr float kStep = kCellSide / static_cast<float>(kRows);
  for (; cell_->row < end; ++cell_->row) {
    for (std::uint32_t column = 0; column < kRows; ++column) {
      ++report_.places;
      if (IsWalkable(cell_->corner.x + kStep * (static_cast<float>(column) + 0.5f),
                     cell_->corner.z + kStep * (static_cast<float>(cell_->row) + 0.5f))) {
        ++report_.walkable;
      }
    }
  }
  if (cell_->row < kRows) return true;
  ++report_.cells;
  {
    const ScopedLock lock(mutex_);
    report_.longest_cell = std::max(report_.longest_cell, frame_ - cell_->begun);
  }
  cell_.reset();
  return false;
}

void Survey::BeginCell() {
  Vec3 player;
  std::uint64_t frame;
  {
    const ScopedLock lock(mutex_);
    player = player_;
    frame = frame_;
  }
  const auto across = static_cast<float>(ring_ % kCellsAcross) - 0.5f * kCellsAcross;
  const auto along = static_cast<float>(ring_ / kCellsAcross % kCellsAcross) - 0.5f * kCellsAcross;
  ++ring_;
  auto guard = pin_();
  cell_.emplace(Cell{std::move(guard), world_.Read(),
                     player + Vec3{across * kCellSide, kLookFrom, along * kCellSide}, frame});
}

bool Survey::IsWalkable(float x, float z) {
  const PlacedShape walker{Shape::Capsule(kHalfHeight, kRadius), {x, cell_->corner.y, z}, {}};
  const auto landing =
      cell_->view.CastShape(walker, {0.0f, -2.0f * kLookFrom, 0.0f}, ground_, report_.wait);
  NOWAIT_ASSERT(landing.has_value(), "the character is a capsule in the world");
  return *landing && (*landing)->normal.y >= kMinNormalY;
}

}  // namespace nowait
