#include <algorithm>
#include <array>
#include <utility>

#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

std::array<float, 3> ToArray(Vec3 v) { return {v.x, v.y, v.z}; }

bool Passes(const QueryFilter& filter, BodyType type) {
  return type == BodyType::kStatic ? filter.statics : filter.dynamics;
}

// What the narrow phase of a ray needs of a body.
struct Target {
  Shape shape;
  Vec3 position;
  Quat rotation;
};

// Copied under the lock; nothing when the body is gone or does not pass.
std::optional<Target> Copy(const WorldState& state, BodyId id, const QueryFilter& filter,
                           WaitTime& wait) {
  const BodyReadScope lock(state.locks, id, wait);
  // The tree may lead to a body that was removed, and its slot given away, after it was read.
  if (!state.bodies.Has(id)) return std::nullopt;
  const Body& body = state.bodies[id.slot()];
  if (!Passes(filter, body.type)) return std::nullopt;
  return Target{body.shape, body.position, body.rotation};
}

}  // namespace

std::optional<RayHit> CastRayIn(const WorldState& state, const BroadPhase::View& tree,
                                const RayCast& ray, const QueryFilter& filter, WaitTime& wait) {
  if (!IsFinite(ray.origin) || !IsFinite(ray.translation)) return std::nullopt;
  std::optional<RayHit> best;
  const Ray<3> tree_ray{ToArray(ray.origin), ToArray(ray.translation), 1.0f};
  tree.QueryRay(tree_ray, [&](BodyId id, float max_fraction) {
    if (id == filter.ignore) return max_fraction;
    const std::optional<Target> target = Copy(state, id, filter, wait);
    if (!target) return max_fraction;
    const std::optional<ShapeHit> hit =
        CastAgainstShape(ray, max_fraction, target->shape, target->position, target->rotation);
    if (!hit) return max_fraction;
    // Of two bodies at the same distance the lower id, so that the tree's shape does not matter.
    if (!best || hit->fraction < best->fraction || id < best->body) {
      best = RayHit{id, hit->fraction, ray.origin + ray.translation * hit->fraction, hit->normal};
    }
    return hit->fraction;
  });
  return best;
}

BodySnapshot SnapshotOf(const Body& body, BodyState state) {
  return {body.id,       body.type,     state == BodyState::kAsleep, body.shape,
          body.position, body.rotation, body.linear_velocity,        body.angular_velocity,
          body.island,   body.user};
}

Result<BodySnapshot> World::GetBody(BodyId id, WaitTime& wait) const {
  const WorldState& state = parts_->state;
  const BodyReadScope lock(state.locks, id, wait);
  if (!state.bodies.Has(id)) return Fail(ErrorCode::kStaleId, "body id", id.bits());
  return SnapshotOf(state.bodies[id.slot()], state.bodies.StateOf(id.slot()));
}

std::optional<RayHit> World::CastRay(const RayCast& ray, const QueryFilter& filter,
                                     WaitTime& wait) const {
  return CastRayIn(parts_->state, parts_->state.tree->Read(), ray, filter, wait);
}

WorldView World::Read() const {
  return WorldView(std::unique_ptr<const WorldView::Parts>(
      new WorldView::Parts{parts_->state, parts_->state.tree->Read()}));
}

WorldView::WorldView(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
WorldView::WorldView(WorldView&&) noexcept = default;
WorldView& WorldView::operator=(WorldView&&) noexcept = default;
WorldView::~WorldView() = default;

std::optional<RayHit> WorldView::CastRay(const RayCast& ray, const QueryFilter& filter,
                                         WaitTime& wait) const {
  return CastRayIn(parts_->state, parts_->tree, ray, filter, wait);
}

void WorldView::FindInBox(const Bounds<3>& bounds, const QueryFilter& filter,
                          std::vector<BodyId>& out, WaitTime& wait) const {
  out.clear();
  if (!bounds.IsUsable()) return;
  parts_->tree.QueryBox(bounds, [&](BodyId id) {
    if (id != filter.ignore && Copy(parts_->state, id, filter, wait)) out.push_back(id);
    return true;
  });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace nowait
