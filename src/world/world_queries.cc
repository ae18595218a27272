// Queries with an area, with a point and for the nearest bodies.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/broadphase/shape_probes.h"
#include "src/collision/ray_cast.h"
#include "src/world/query_bodies.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

// The part of `box` that is within LargeFloat, where all bodies are; nothing if it is not finite or
// inside out.
Bounds<3> Searched(const Bounds<3>& box) {
  constexpr float kEnd = 0.99f * kLargeFloat;
  Bounds<3> part;
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(box.min[axis]) || !std::isfinite(box.max[axis])) return Bounds<3>::Empty();
    if (box.min[axis] > box.max[axis]) return Bounds<3>::Empty();
    part.min[axis] = std::clamp(box.min[axis], -kEnd, kEnd);
    part.max[axis] = std::clamp(box.max[axis], -kEnd, kEnd);
  }
  return part;
}

// A probe for each kind of area.
BoxProbe<3> ProbeOf(const Bounds<3>& box) { return BoxProbe<3>(Searched(box)); }
BallProbe<3> ProbeOf(const Ball& ball) { return {ToArray(ball.centre), ball.radius}; }
OrientedBoxProbe ProbeOf(const OrientedBox& box) { return {box.centre, box.half, box.rotation}; }
RayProbe<3> ProbeOf(const RayCast& ray) {
  return RayProbe<3>(Ray<3>{ToArray(ray.origin), ToArray(ray.translation), 1.0f});
}
SweptBoxProbe<3> ProbeOf(const SweptBox& box) {
  return {Ray<3>{ToArray(box.centre), ToArray(box.translation), 1.0f}, ToArray(box.half)};
}

// Calls begin() for a walk that begins anew, and then meet(id) for the bodies that pass and whose
// box, with the tree's margin, the probe hits, and copy(body) before that, under the body's lock;
// until meet returns false. The tree's box of a moved body stays wide until the next rebuild
// (query.h), so the body is tested again at its own place.
template <class Probe, class Begin, class Copy, class Meet>
void ForEachTouched(Search search, Probe probe, Begin&& begin, Copy&& copy, Meet&& meet) {
  const auto look = [&](const Body& body) {
    BoxRows<3, 1>::Row nearest;
    if (probe.Hits(BoxRows<3, 1>(body.tree_box), nearest) == 0) return false;
    copy(body);
    return true;
  };
  const auto found = [&](ProxyId proxy) {
    const auto id = search.Copy(proxy, look);
    return !id || meet(*id);
  };
  const auto walk = [&](LayerSet layers, const auto& each) {
    begin();
    search.reading().tree.Query(probe, each, layers);
  };
  search.LookAtAll(walk, found);
}

float SquaredDistance(const Bounds<3>& box, Vec3 point) {
  const Vec3 nearest = Max(MinOf(box), Min(point, MaxOf(box)));
  return LengthSquared(nearest - point);
}

}  // namespace

BodySnapshot SnapshotOf(const Body& body, BodyState state) {
  return {body.id,
          body.type,
          state == BodyState::kAsleep,
          body.layer,
          body.shape,
          body.position,
          body.rotation,
          body.linear_velocity,
          body.angular_velocity,
          body.island,
          body.user,
          body.inverse_mass,
          body.sensor,
          body.lane,
          body.form};
}

Result<BodySnapshot> World::GetBody(BodyId id, WaitTime& wait) const {
  const WorldState& state = parts_->state;
  BodySnapshot snapshot;
  if (!ReadBody(state.locks, state.present(), id, wait, [&](const Body& body) {
        snapshot = SnapshotOf(body, state.bodies.StateOf(id.slot()));
      })) {
    return NoBody(id, state);
  }
  return snapshot;
}

WorldView World::Read() const {
  return WorldView(
      std::unique_ptr<const WorldView::Parts>(new WorldView::Parts{Reading(parts_->state)}));
}

WorldView World::ReadNoLock() const {
  // No thread takes locks while it lives, so no batch may be left to settle.
  WaitTime wait;
  parts_->state.SettleBatches(wait);
  return WorldView(std::unique_ptr<const WorldView::Parts>(
      new WorldView::Parts{Reading(parts_->state, Reading::Bodies::kStill)}));
}

WorldView::WorldView(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
WorldView::WorldView(WorldView&&) noexcept = default;
WorldView& WorldView::operator=(WorldView&&) noexcept = default;
WorldView::~WorldView() = default;

void WorldView::FindInBox(const Bounds<3>& bounds, const QueryFilter& filter,
                          std::vector<BodyId>& out, WaitTime& wait) const {
  ForEachTouched(
      Search(parts_->reading, filter, wait), ProbeOf(bounds), [&] { out.clear(); },
      [](const Body&) {},
      [&](BodyId id) {
        out.push_back(id);
        return true;
      });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void WorldView::Collect(const QueryArea& area, const QueryFilter& filter,
                        std::vector<BodySnapshot>& out, WaitTime& wait, std::size_t limit) const {
  const Reading& reading = parts_->reading;
  out.clear();
  if (limit == 0) return;
  BodySnapshot found;
  const auto collect = [&](const auto& of_kind) {
    ForEachTouched(
        Search(reading, filter, wait), ProbeOf(of_kind), [&] { out.clear(); },
        [&](const Body& body) {
          found = SnapshotOf(body, reading.state.bodies.StateOf(body.id.slot()));
        },
        [&](BodyId) {
          out.push_back(found);
          return out.size() < limit;
        });
  };
  std::visit(collect, area);
  // A body that was removed and put back meanwhile may be there twice.
  std::sort(out.begin(), out.end(),
            [](const BodySnapshot& a, const BodySnapshot& b) { return a.id < b.id; });
  const auto rest =
      std::unique(out.begin(), out.end(),
                  [](const BodySnapshot& a, const BodySnapshot& b) { return a.id == b.id; });
  out.erase(rest, out.end());
}

void WorldView::FindAt(Vec3 point, const QueryFilter& filter, std::vector<BodyAt>& out,
                       WaitTime& wait, std::size_t limit) const {
  out.clear();
  if (limit == 0) return;
  Search search(parts_->reading, filter, wait);
  BoxProbe<3> probe(Searched({ToArray(point), ToArray(point)}));
  const auto meet = [&](ProxyId proxy) {
    Target target;
    const auto id = search.Copy(proxy, target);
    if (!id || !IsInside(point, target.shape, target.position, target.rotation)) return true;
    out.push_back({*id, ChildAt(point, target.shape, target.position, target.rotation),
                   MaterialAt(point, target.shape, target.position)});
    return out.size() < limit;
  };
  const auto walk = [&](LayerSet layers, const auto& each) {
    out.clear();
    search.reading().tree.Query(probe, each, layers);
  };
  search.LookAtAll(walk, meet);
  // A body that was removed and put back meanwhile may be there twice.
  std::sort(out.begin(), out.end(),
            [](const BodyAt& a, const BodyAt& b) { return a.body < b.body; });
  const auto rest = std::unique(out.begin(), out.end(),
                                [](const BodyAt& a, const BodyAt& b) { return a.body == b.body; });
  out.erase(rest, out.end());
}

std::optional<NearBody> WorldView::FindNearest(Vec3 point, float distance,
                                               const QueryFilter& filter, WaitTime& wait) const {
  Search search(parts_->reading, filter, wait);
  std::optional<NearBody> best;
  const NearestProbe<3> whole(ToArray(point), distance);
  NearestProbe<3> probe = whole;
  const auto meet = [&](ProxyId proxy) {
    float squared = 0.0f;
    const auto copy = [&](const Body& body) {
      squared = SquaredDistance(body.box, point);
      return true;
    };
    const auto id = search.Copy(proxy, copy);
    if (!id || squared > probe.squared_limit()) return true;
    if (!best || squared < probe.squared_limit() || *id < best->body) {
      best = NearBody{*id, std::sqrt(squared)};
    }
    probe.set_squared_limit(squared);
    return true;
  };
  const auto walk = [&](LayerSet layers, const auto& each) {
    best.reset();
    probe = whole;
    search.reading().tree.Query(probe, each, layers);
  };
  search.LookAtAll(walk, meet);
  return best;
}

void WorldView::CollectNearest(Vec3 point, float distance, std::size_t count,
                               const QueryFilter& filter, std::vector<NearSnapshot>& out,
                               WaitTime& wait) const {
  Search search(parts_->reading, filter, wait);
  out.clear();
  if (count == 0) return;
  // By distance, squared until the end, so that it compares as the probe's limit does; then by id.
  const auto is_nearer = [](const NearSnapshot& a, const NearSnapshot& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.body.id < b.body.id);
  };
  const NearestProbe<3> whole(ToArray(point), distance);
  NearestProbe<3> probe = whole;
  NearSnapshot found;
  const auto meet = [&](ProxyId proxy) {
    const auto copy = [&](const Body& body) {
      found.body = SnapshotOf(body, search.reading().state.bodies.StateOf(proxy.slot()));
      found.distance = SquaredDistance(body.box, point);
      return true;
    };
    if (!search.Copy(proxy, copy) || found.distance > probe.squared_limit()) return true;
    // A body that was removed and put back meanwhile is met twice.
    const auto is_found = [&](const NearSnapshot& near) { return near.body.id == found.body.id; };
    if (std::ranges::any_of(out, is_found)) return true;
    if (out.size() == count) {
      if (!is_nearer(found, out.back())) return true;
      out.pop_back();
    }
    out.insert(std::upper_bound(out.begin(), out.end(), found, is_nearer), found);
    if (out.size() == count) probe.set_squared_limit(out.back().distance);
    return true;
  };
  const auto walk = [&](LayerSet layers, const auto& each) {
    out.clear();
    probe = whole;
    search.reading().tree.Query(probe, each, layers);
  };
  search.LookAtAll(walk, meet);
  for (NearSnapshot& near : out) near.distance = std::sqrt(near.distance);
}

}  // namespace nowait
