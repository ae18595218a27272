#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/base/assert.h"
#include "src/bodies/guarded_body.h"
#include "src/broadphase/shape_probes.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

std::array<float, 3> ToArray(Vec3 v) { return {v.x, v.y, v.z}; }

bool Passes(const QueryFilter& filter, BodyType type) {
  return type == BodyType::kStatic ? filter.statics : filter.dynamics;
}

// Calls f(body) under the body's lock, if there has to be one. False when the body is gone or does not
// pass: the tree may lead to a body that was removed, and its slot given away, after it was read.
template <class F>
bool WithBody(const Reading& reading, BodyId id, const QueryFilter& filter, WaitTime& wait, F&& f) {
  if (id == filter.ignore) return false;
  const BodyStorage& bodies = reading.state.bodies;
  bool passes = false;
  const auto look = [&](const Body& body) {
    passes = Passes(filter, body.type);
    if (passes) f(body);
  };
  if (reading.bodies == Reading::Bodies::kMayChange) {
    ReadBody(reading.state.locks, bodies, id, wait, look);
  } else if (bodies.Has(id)) {
    look(bodies[id.slot()]);
  }
  return passes;
}

// What the narrow phase of a ray needs of a body.
struct Target {
  Shape shape;
  Vec3 position;
  Quat rotation;
};

std::optional<RayHit> CastRayIn(const Reading& reading, const RayCast& ray,
                                const QueryFilter& filter, WaitTime& wait) {
  if (!IsFinite(ray.origin) || !IsFinite(ray.translation)) return std::nullopt;
  std::optional<RayHit> best;
  const Ray<3> tree_ray{ToArray(ray.origin), ToArray(ray.translation), 1.0f};
  reading.tree.QueryRay(tree_ray, [&](BodyId id, float max_fraction) {
    Target target;
    if (!WithBody(reading, id, filter, wait, [&](const Body& body) {
          target = {body.shape, body.position, body.rotation};
        })) {
      return max_fraction;
    }
    const std::optional<ShapeHit> hit =
        CastAgainstShape(ray, max_fraction, target.shape, target.position, target.rotation);
    if (!hit) return max_fraction;
    // Of two bodies at the same distance the lower id, so that the tree's shape does not matter.
    if (!best || hit->fraction < best->fraction || id < best->body) {
      best = RayHit{id, hit->fraction, ray.origin + ray.translation * hit->fraction, hit->normal};
    }
    return hit->fraction;
  });
  return best;
}

// A probe for each kind of area.
BoxProbe<3> ProbeOf(const Bounds<3>& box) {
  return BoxProbe<3>(box.IsUsable() ? box : Bounds<3>::Empty());
}
BallProbe<3> ProbeOf(const Ball& ball) { return {ToArray(ball.centre), ball.radius}; }
OrientedBoxProbe ProbeOf(const OrientedBox& box) { return {box.centre, box.half, box.rotation}; }
SweptBoxProbe<3> ProbeOf(const SweptBox& box) {
  return {Ray<3>{ToArray(box.centre), ToArray(box.translation), 1.0f}, ToArray(box.half)};
}

// Calls f(id, body) under the body's lock for the bodies whose box, with the tree's margin, the probe
// hits. The tree's own box of a body that was moved is wide until the next rebuild (query.h), so what
// it leads to is looked at again where the body says that it is.
template <class Probe, class F>
void ForEachTouched(const Reading& reading, Probe probe, const QueryFilter& filter, WaitTime& wait,
                    F&& f) {
  reading.tree.Query(probe, [&](BodyId id) {
    WithBody(reading, id, filter, wait, [&](const Body& body) {
      BoxRows<3, 1>::Row nearest;
      if (probe.Hits(BoxRows<3, 1>(body.tree_box), nearest) != 0) f(id, body);
    });
    return true;
  });
}

float SquaredDistance(const Bounds<3>& box, Vec3 point) {
  const Vec3 nearest = Max(MinOf(box), Min(point, MaxOf(box)));
  return LengthSquared(nearest - point);
}

}  // namespace

BodySnapshot SnapshotOf(const Body& body, BodyState state) {
  return {body.id,       body.type,     state == BodyState::kAsleep, body.shape,
          body.position, body.rotation, body.linear_velocity,        body.angular_velocity,
          body.island,   body.user};
}

Result<BodySnapshot> World::GetBody(BodyId id, WaitTime& wait) const {
  const WorldState& state = parts_->state;
  BodySnapshot snapshot;
  if (!ReadBody(state.locks, state.bodies, id, wait, [&](const Body& body) {
        snapshot = SnapshotOf(body, state.bodies.StateOf(id.slot()));
      })) {
    return Fail(ErrorCode::kStaleId, "body id", id.bits());
  }
  return snapshot;
}

std::optional<RayHit> World::CastRay(const RayCast& ray, const QueryFilter& filter,
                                     WaitTime& wait) const {
  return CastRayIn(Reading(parts_->state), ray, filter, wait);
}

WorldView World::Read() const {
  return WorldView(
      std::unique_ptr<const WorldView::Parts>(new WorldView::Parts{Reading(parts_->state)}));
}

WorldView World::ReadStill() const {
  return WorldView(std::unique_ptr<const WorldView::Parts>(
      new WorldView::Parts{Reading(parts_->state, Reading::Bodies::kStill)}));
}

WorldView::WorldView(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
WorldView::WorldView(WorldView&&) noexcept = default;
WorldView& WorldView::operator=(WorldView&&) noexcept = default;
WorldView::~WorldView() = default;

std::optional<RayHit> WorldView::CastRay(const RayCast& ray, const QueryFilter& filter,
                                         WaitTime& wait) const {
  return CastRayIn(parts_->reading, ray, filter, wait);
}

void WorldView::CastRays(std::span<const RayCast> rays, const QueryFilter& filter,
                         std::span<std::optional<RayHit>> hits, WaitTime& wait) const {
  NOWAIT_ASSERT(rays.size() == hits.size(), "there is a place for each ray's hit");
  for (std::size_t i = 0; i < rays.size(); ++i) {
    hits[i] = CastRayIn(parts_->reading, rays[i], filter, wait);
  }
}

void WorldView::FindInBox(const Bounds<3>& bounds, const QueryFilter& filter,
                          std::vector<BodyId>& out, WaitTime& wait) const {
  out.clear();
  if (!bounds.IsUsable()) return;
  ForEachTouched(parts_->reading, BoxProbe<3>(bounds), filter, wait,
                 [&](BodyId id, const Body&) { out.push_back(id); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void WorldView::Collect(const QueryArea& area, const QueryFilter& filter,
                        std::vector<BodySnapshot>& out, WaitTime& wait) const {
  const Reading& reading = parts_->reading;
  out.clear();
  std::visit(
      [&](const auto& of_kind) {
        ForEachTouched(reading, ProbeOf(of_kind), filter, wait, [&](BodyId id, const Body& body) {
          out.push_back(SnapshotOf(body, reading.state.bodies.StateOf(id.slot())));
        });
      },
      area);
  // A body that was removed and put back meanwhile may be there twice.
  std::sort(out.begin(), out.end(),
            [](const BodySnapshot& a, const BodySnapshot& b) { return a.id < b.id; });
  const auto rest =
      std::unique(out.begin(), out.end(),
                  [](const BodySnapshot& a, const BodySnapshot& b) { return a.id == b.id; });
  out.erase(rest, out.end());
}

std::optional<NearBody> WorldView::FindNearest(Vec3 point, float distance,
                                               const QueryFilter& filter, WaitTime& wait) const {
  std::optional<NearBody> best;
  NearestProbe<3> probe(ToArray(point), distance);
  parts_->reading.tree.Query(probe, [&](BodyId id) {
    float squared = 0.0f;
    if (!WithBody(parts_->reading, id, filter, wait,
                  [&](const Body& body) { squared = SquaredDistance(body.box, point); }) ||
        squared > probe.squared_limit()) {
      return true;
    }
    if (!best || squared < probe.squared_limit() || id < best->body) {
      best = NearBody{id, std::sqrt(squared)};
    }
    probe.set_squared_limit(squared);
    return true;
  });
  return best;
}

}  // namespace nowait
