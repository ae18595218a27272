#include "src/live/sights.h"

#include <algorithm>
#include <array>

#include "src/base/assert.h"
#include "src/broadphase/frustum_probe.h"
#include "src/collision/shape_geometry.h"
#include "src/math/bounds.h"

namespace nowait {
namespace {

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

Result<void> Sights::Find(const World& world, std::span<const BodySnapshot> bodies,
                          std::span<const LiveLight> lights, TaskPool& pool,
                          std::vector<LiveSight>& out) {
  NOWAIT_ASSERT(lights.size() <= kMostLights, "a scene has so many lights at most");
  const auto cameras = static_cast<std::uint32_t>(cameras_.size());
  const auto count = static_cast<std::uint32_t>(lights.size());
  const auto all = static_cast<std::uint32_t>(bodies.size());
  out.resize(cameras);
  if (cameras == 0) return {};
  const std::size_t pieces = (all + kPiece - 1) / kPiece;
  seen_.resize(std::max(seen_.size(), cameras * pieces));
  for (auto& slots : seen_) slots.clear();
  lit_.resize(std::max<std::size_t>(lit_.size(), count));
  auto collect = [&](std::uint32_t begin, std::uint32_t end) {
    CollectPiece(bodies.subspan(begin, end - begin), &seen_[begin / kPiece * cameras]);
  };
  auto light = [&](std::uint32_t number) { CollectLit(world, lights[number], number); };
  auto merge = [&](std::uint32_t camera) { Merge(camera, lights, out[camera]); };
  auto done = batch_.AddLoop(all, kPiece, collect);
  if (done) done = batch_.AddEach(count, light);
  if (done) done = batch_.AddSyncPoint();
  if (done) done = batch_.AddEach(cameras, merge);
  if (done) done = batch_.Run(pool);
  if (!done) out.clear();
  return done;
}

// seen: a list for each camera.
void Sights::CollectPiece(std::span<const BodySnapshot> piece,
                          std::vector<std::uint32_t>* seen) const {
  std::array<Bounds<3>, kPiece> boxes;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    boxes[i] = BoundsOf(piece[i].shape, piece[i].position, piece[i].rotation);
  }
  for (const LiveCamera& camera : cameras_) {
    const FrustumProbe probe(camera.camera);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (IsHit(probe, boxes[i])) seen->push_back(piece[i].id.slot());
    }
    ++seen;
  }
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
  for (std::size_t list = camera; list < seen_.size(); list += cameras_.size()) {
    sight.slots.insert(sight.slots.end(), seen_[list].begin(), seen_[list].end());
  }

  sight.lights.clear();
  for (std::uint32_t i = 0; i < lights.size(); ++i) {
    const bool shines = std::ranges::any_of(lit_[i], [&](const BodySnapshot& body) {
      return std::ranges::binary_search(sight.slots, body.id.slot());
    });
    if (shines && IsInView(lights[i], cameras_[camera].camera)) sight.lights.push_back(i);
  }
}

}  // namespace nowait
