#include "src/collision/ray_cast_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "src/collision/ray_triangle.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

// Of the mesh's diagonal: the ray is followed this far beyond the mesh's box, so that a flat mesh
// has a part of the ray too.
constexpr double kBeside = 0.01;

// In steps of the tree, of which a mesh has 65,535 along each axis. A triangle is met beside its
// box by at most two kSeam of its size, which is 1.32 steps; and places are rounded.
constexpr float kBoxRoom = 1.5f;
static_assert(2.0 * kSeam * 65535.0 < 1.4);

// Of the part of a ray: room for the rounding of a limit, which is compared exactly at the end.
constexpr double kLimitRoom = 1e-5;

// The part of a ray within a box: it begins and ends at these fractions. Empty: begin > end.
struct Part {
  double begin, end;
};
Part PartIn(const Bounds<3>& box, double beside, const Double3& from, const Double3& along) {
  Part part{0.0, 1.0};
  const std::array<double, 3> origin = {from.x, from.y, from.z}, way = {along.x, along.y, along.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = box.min[axis] - beside, high = box.max[axis] + beside;
    if (way[axis] == 0.0) {
      if (origin[axis] < low || origin[axis] > high) return {1.0, 0.0};
      continue;
    }
    double near = (low - origin[axis]) / way[axis], far = (high - origin[axis]) / way[axis];
    if (near > far) std::swap(near, far);
    part.begin = std::max(part.begin, near);
    part.end = std::min(part.end, far);
  }
  return part;
}

// The walk of a ray that begins and ends near the mesh, up to `max_fraction` of it.
class Walk {
 public:
  Walk(const TriangleMesh& mesh, const RayCast& ray, float max_fraction)
      : mesh_(mesh), ray_(ray), fraction_(max_fraction) {
    const MeshTree& tree = mesh.tree();
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const float step = tree.step()[axis];
      const float from = (ray.origin[axis] - tree.low()[axis]) / step;
      const float along = ray.translation[axis] / step;
      // So large that it decides, and so small that no product with it is infinite.
      constexpr float kParallel = 1e30f;
      inverse_[a] = std::abs(along) > 1.0f / kParallel ? 1.0f / along : kParallel;
      is_down_[a] = inverse_[a] < 0.0f;
      const float room = is_down_[a] ? -kBoxRoom : kBoxRoom;
      enters_from_[a] = from + room;
      leaves_from_[a] = from - room;
    }
  }

  std::optional<ShapeHit> Cast() {
    KeptChildren kept;
    kept.Push({0.0f, MeshChild::Node(0)});
    while (!kept.empty()) {
      const KeptChildren::Entry entry = kept.Pop();
      if (entry.bound > fraction_) continue;
      if (entry.child.is_leaf()) {
        LookAt(entry.child);
      } else {
        LookInto(mesh_.tree().nodes()[entry.child.node()], kept);
      }
    }
    if (hit_ == kNothing) return std::nullopt;
    return ShapeHit{fraction_, mesh_.TriangleAt(hit_).normal, 0, mesh_.materials().NumberOf(hit_)};
  }

 private:
  static constexpr std::uint32_t kNothing = ~0u;
  static constexpr std::size_t kChildren = MeshNode::kChildren;

  void LookInto(const MeshNode& node, KeptChildren& kept) {
    std::array<float, kChildren> enter{}, leave;
    leave.fill(fraction_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto& first = is_down_[axis] ? node.max[axis] : node.min[axis];
      const auto& last = is_down_[axis] ? node.min[axis] : node.max[axis];
      for (std::size_t c = 0; c < kChildren; ++c) {
        enter[c] = std::max(enter[c],
                            (static_cast<float>(first[c]) - enters_from_[axis]) * inverse_[axis]);
        leave[c] =
            std::min(leave[c], (static_cast<float>(last[c]) - leaves_from_[axis]) * inverse_[axis]);
      }
    }
    std::array<KeptChildren::Entry, kChildren> found;
    std::size_t count = 0;
    for (std::size_t c = 0; c < kChildren; ++c) {
      // A box that is inside out is no child; a parallel ray could be in it.
      if (enter[c] <= leave[c] && node.min[0][c] <= node.max[0][c]) {
        found[count++] = {enter[c], node.children[c]};
      }
    }
    kept.PushSorted(std::span(found).first(count));
  }

  void LookAt(MeshChild leaf) {
    for (std::uint32_t id = leaf.first(); id < leaf.first() + leaf.count(); ++id) {
      const auto fraction = CastAgainstTriangle(ray_, mesh_.PlacesOf(id));
      if (!fraction || !(*fraction <= fraction_) || (hit_ != kNothing && *fraction == fraction_)) {
        continue;
      }
      fraction_ = *fraction;
      hit_ = id;
    }
  }

  const TriangleMesh& mesh_;
  const RayCast ray_;
  std::array<float, 3> enters_from_, leaves_from_, inverse_;  // in steps of the tree
  std::array<bool, 3> is_down_;
  float fraction_;
  std::uint32_t hit_ = kNothing;
};

}  // namespace

std::optional<ShapeHit> CastAgainstMesh(const RayCast& ray, float max_fraction,
                                        const TriangleMesh& mesh) {
  const Double3 from = ToDouble(ray.origin), along = ToDouble(ray.translation);
  const Bounds<3>& box = mesh.bounds();
  const double beside = kBeside * Length(ToDouble(MaxOf(box)) - ToDouble(MinOf(box)));
  // Triangles meet the same part of the ray whatever the limit is. A limited part would be rounded
  // in another way, and a ray that grazes the mesh's border would meet it or not by the limit.
  const Part part = PartIn(box, beside, from, along);
  if (!(part.begin <= part.end && part.begin <= max_fraction)) return std::nullopt;
  const double length = part.end - part.begin;
  const double limit = length > 0.0 ? (max_fraction - part.begin) / length + kLimitRoom : 1.0;
  auto hit = Walk(mesh, {ToFloat(from + along * part.begin), ToFloat(along * length)},
                  static_cast<float>(std::min(limit, 1.0)))
                 .Cast();
  if (!hit) return std::nullopt;
  hit->fraction = static_cast<float>(part.begin + hit->fraction * length);
  if (!(hit->fraction <= max_fraction)) return std::nullopt;
  return hit;
}

}  // namespace nowait
