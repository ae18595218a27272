#include "src/apps/demo/background_query.h"

#include <algorithm>
#include <utility>

#include "src/base/assert.h"
#include "src/bodies/shape.h"
#include "src/sync/scoped_lock.h"

namespace nowait {
namespace {

constexpr float kCell = 0.5f;    // metres
constexpr float kWalker = 0.4f;  // the radius of the character
constexpr float kWalkerHeight = 1.8f;
constexpr float kRoom = 0.1f;         // from the nearest body
constexpr float kLookFrom = 5.0f;     // above the ground
constexpr float kMinNormalY = 0.82f;  // about 35 degrees

}  // namespace

Result<void> BackgroundQuery::Start() {
  auto started = EngineSync::thread::Start("background", [this] { Work(); });
  if (!started) return std::unexpected(started.error());
  thread_ = std::move(*started);
  return {};
}

void BackgroundQuery::BeginFrame() {
  const ScopedLock lock(mutex_);
  ++frame_;
}

std::uint64_t BackgroundQuery::Frame() {
  const ScopedLock lock(mutex_);
  return frame_;
}

void BackgroundQuery::Stop() {
  {
    const ScopedLock lock(mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

bool BackgroundQuery::Stopping() {
  const ScopedLock lock(mutex_);
  return stopping_;
}

void BackgroundQuery::Work() {
  const LaneScope lane(lane_);
  while (Pass()) {
  }
}

bool BackgroundQuery::Pass() {
  const ProfileScope scope("find walkable ground");
  const std::uint64_t first = Frame();
  const WorldView view = world_.Read();
  const float reach = ground_.terrain.half_size();
  const auto side = static_cast<std::uint32_t>(2.0f * reach / kCell);
  std::uint64_t walkable = 0;
  for (std::uint32_t row = 0; row < side; ++row) {
    if (Stopping()) return false;
    const float z = (static_cast<float>(row) + 0.5f) * kCell - reach;
    for (std::uint32_t column = 0; column < side; ++column) {
      const float x = (static_cast<float>(column) + 0.5f) * kCell - reach;
      if (IsWalkable(view, x, z)) ++walkable;
    }
  }
  const std::uint64_t frames = Frame() - first;
  ++report_.passes;
  report_.frames_of_passes += frames;
  report_.longest_pass = std::max(report_.longest_pass, frames);
  report_.cells = std::uint64_t{side} * side;
  report_.walkable = walkable;
  return true;
}

bool BackgroundQuery::IsWalkable(const WorldView& view, float x, float z) {
  // From below the movers, which are also static bodies.
  const Vec3 from{x, ground_.HeightAt(x, z) + kLookFrom, z};
  const Vec3 down{0.0f, -2.0f * kLookFrom, 0.0f};
  PlacedShape walker{Shape::Capsule(0.5f * kWalkerHeight - kWalker, kWalker), from, {}};
  const auto landing =
      view.CastShape(walker, down, {.dynamics = false, .ignore = {}}, report_.wait);
  NOWAIT_ASSERT(landing.has_value(), "the character is a capsule near the ground");
  if (!*landing || (*landing)->normal.y < kMinNormalY) return false;
  walker.position += down * (*landing)->fraction;
  const auto closest =
      view.FindClosest(walker, kRoom, {.statics = false, .ignore = {}}, report_.wait);
  NOWAIT_ASSERT(closest.has_value(), "the character is a capsule near the ground");
  return !*closest;
}

}  // namespace nowait
