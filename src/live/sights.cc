#include "src/live/sights.h"

#include <algorithm>
#include <array>

#include "src/base/assert.h"
#include "src/broadphase/frustum_probe.h"
#include "src/collision/shape_geometry.h"
#include "src/math/bounds.h"
namespace nowait {
namespace {

// One of the cells of a view: a quarter of it across, and in depth four times as long as the one
// before. A small cell has a small box, and most of the view is far away.
Bounds<3> BoxAround(const ViewFrustum& view, std::uint32_t cell) {
  constexpr std::array<float, 5> kDepths = {0, 1.0f / 64, 1.0f / 16, 1.0f / 4, 1};
  const float x = 0.5f * (view.left + view.right);
  const float y = 0.5f * (view.bottom + view.top);
  const std::array<float, 2> sides =
      cell % 2 == 0 ? std::array{view.left, x} : std::array{x, view.right};
  const std::array<float, 2> heights =
      cell / 2 % 2 == 0 ? std::array{view.bottom, y} : std::array{y, view.top};
  Bounds<3> box = Bounds<3>::Empty();
  for (const float depth : {kDepths[cell / 4] * view.far, kDepths[cell / 4 + 1] * view.far}) {
    for (const float side : sides) {
      for (const float height : heights) {
        const Vec3 corner =
            view.eye + (view.forward + view.across() * side + view.up * height) * depth;
        box.Include(ToBounds(corner, corner));
        box.Include(ToBounds(corner - view.reach, corner - view.reach));
      }
    }
  }
  return box;
}

bool IsHit(const FrustumProbe& probe, const Bounds<3>& box) {
  BoxRows<3, 1>::Row nearest;
  return probe.Hits(BoxRows<3, 1>(box), nearest) != 0;
}

// Of the box around its reach. The way of the sun's rays does not count: bodies on it are not lit
// in the picture.
bool IsInView(const LiveLight& light, ViewFrustum view) {
  view.reach = {};
  const Vec3 half = {light.reach, light.reach, light.reach};
  return IsHit(FrustumProbe(view), ToBounds(light.position - half, light.position + half));
}

}  // namespace

void Sights::Look(const LiveCamera& camera) {
  const auto known = std::ranges::find(cameras_, camera.viewer, &LiveCamera::viewer);
  if (known != cameras_.end()) {
    *known = camera;
  } else if (cameras_.size() < kMostCameras) {
    cameras_.push_back(camera);
  }
}

void Sights::LookAway(std::uint64_t viewer) {
  std::erase_if(cameras_, [viewer](const LiveCamera& it) { return it.viewer == viewer; });
}

Result<void> Sights::Find(const World& world, std::span<const LiveLight> lights, TaskPool& pool,
                          std::vector<LiveSight>& out) {
  NOWAIT_ASSERT(lights.size() <= kMostLights, "a scene has so many lights at most");
  const auto cameras = static_cast<std::uint32_t>(cameras_.size());
  const auto count = static_cast<std::uint32_t>(lights.size());
  out.resize(cameras);
  if (cameras == 0) return {};
  cells_.resize(std::max<std::size_t>(cells_.size(), cameras * kCells));
  lit_.resize(std::max<std::size_t>(lit_.size(), count));
  auto collect = [&](std::uint32_t cell) { CollectCell(world, cell); };
  auto light = [&](std::uint32_t number) { CollectLit(world, lights[number], number); };
  auto merge = [&](std::uint32_t camera) { Merge(camera, lights, out[camera]); };
  auto done = batch_.AddEach(cameras * kCells, collect);
  if (done) done = batch_.AddEach(count, light);
  if (done) done = batch_.AddSyncPoint();
  if (done) done = batch_.AddEach(cameras, merge);
  if (done) done = batch_.Run(pool);
  if (!done) out.clear();
  return done;
}

void Sights::CollectCell(const World& world, std::uint32_t cell) {
  const ViewFrustum& view = cameras_[cell / kCells].camera;
  std::vector<BodySnapshot>& bodies = cells_[cell];
  WaitTime wait;
  world.ReadNoLock().Collect(BoxAround(view, cell % kCells), {.sensors = true}, bodies, wait);
  const FrustumProbe probe(view);
  std::erase_if(bodies, [&probe](const BodySnapshot& body) {
    return !IsHit(probe, BoundsOf(body.shape, body.position, body.rotation));
  });
}

void Sights::CollectLit(const World& world, const LiveLight& light, std::uint32_t number) {
  WaitTime wait;
  world.ReadNoLock().Collect(Ball{light.position, light.reach}, {.sensors = true}, lit_[number],
                             wait);
}

void Sights::Merge(std::uint32_t camera, std::span<const LiveLight> lights,
                   LiveSight& sight) const {
  sight.viewer = cameras_[camera].viewer;
  sight.slots.clear();
  for (std::uint32_t cell = 0; cell < kCells; ++cell) {
    for (const BodySnapshot& body : cells_[camera * kCells + cell]) {
      sight.slots.push_back(body.id.slot());
    }
  }
  // A body may be in several cells.
  std::ranges::sort(sight.slots);
  const auto rest = std::ranges::unique(sight.slots);
  sight.slots.erase(rest.begin(), rest.end());

  sight.lights.clear();
  for (std::uint32_t i = 0; i < lights.size(); ++i) {
    const bool shines = std::ranges::any_of(lit_[i], [&](const BodySnapshot& body) {
      return std::ranges::binary_search(sight.slots, body.id.slot());
    });
    if (shines && IsInView(lights[i], cameras_[camera].camera)) sight.lights.push_back(i);
  }
}

}  // namespace nowait
