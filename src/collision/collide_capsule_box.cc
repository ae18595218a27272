// Capsule against box: the segment of the capsule against the box, in the box's frame.
//
// While the segment is outside, the closest points of both give the normal. If it points nearly as
// a face does, the segment is clipped to the sides of that face, and each end of what remains is a
// contact point: two points hold a capsule that lies on a face. A segment along an edge has two
// points likewise. Elsewhere the closest points are the only contact.
//
// Once the segment is inside, its distance has no direction. Then the separating axis test chooses
// the way out: three faces, and three products of an edge with the segment.
//
// Source: C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.9; D. Gregorius, "Robust
// Contact Creation for Physics Simulations", GDC 2015 (faces before edges). Lecture: contacts, the
// plain solver and the whole physics update.
#include <algorithm>
#include <cmath>

#include "src/collision/capsule_axis.h"
#include "src/collision/collide.h"
#include "src/collision/segment_in_box.h"

namespace nowait {
namespace {

// A normal this close to that of a face (a cosine, 2.6 degrees) is the face's.
constexpr float kAsAFace = 0.999f;

// An edge must be better than a face by this much, and a pair of ends may be worse than the closest
// points by as much.
constexpr float kPreference = 0.003f;

// The part of the radius within which the direction to the segment is rounding.
constexpr float kTooClose = 1e-4f;

// Features: where the point of the segment lies, in each coordinate below, within or above the box
// (27 regions); the low bit says which end of a clipped part.
constexpr std::uint32_t kOfFace = 1u << 8;
constexpr std::uint32_t kOfCrossing = 1u << 9;

std::uint32_t RegionOf(Vec3 beyond) {
  std::uint32_t region = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float side = beyond[axis];
    region = 3 * region + (side < 0.0f ? 0u : side > 0.0f ? 2u : 1u);
  }
  return region;
}

int LargestAxis(Vec3 v) {
  const Vec3 size = Abs(v);
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

class CapsuleOnBox {
 public:
  CapsuleOnBox(const Placed& capsule, const Placed& box, float margin, Manifold& manifold)
      : box_(box),
        segment_{box.ToLocal(capsule.position), TransposeTimes(box.rotation, capsule.rotation.y),
                 capsule.shape->half_height},
        half_(box.shape->half),
        radius_(capsule.shape->radius),
        margin_(margin),
        manifold_(manifold) {}

  void Collide() {
    const float closest = ClosestPlaceToBox(segment_, half_);
    const Vec3 beyond = Beyond(segment_.At(closest), half_);
    const float distance = Length(beyond);
    if (distance - radius_ > margin_) return;
    if (distance <= kTooClose * radius_) {
      GoOut();
    } else {
      Touch(closest, beyond, beyond * (1.0f / distance));
    }
  }

 private:
  // normal: from the box to the closest point of the segment.
  void Touch(float closest, Vec3 beyond, Vec3 normal) {
    const int face = LargestAxis(normal);
    const float most = Length(beyond) - radius_ + kPreference;
    if (std::abs(normal[face]) >= kAsAFace && AddOnFace(face, normal[face], most)) return;
    const std::uint32_t feature = RegionOf(beyond) << 1;
    const float offset = Dot(normal, segment_.At(closest) - beyond);
    if (AddAlongEdge(beyond, normal, offset, feature)) return;
    Add(closest, normal, offset, feature);
  }

  // The ends of the part of the segment that lies over the face, if they are near enough, and one
  // of them at `most` so far away: a steep segment may be nearest a little beside the face.
  bool AddOnFace(int face, float side, float most) {
    SegmentPart part{-segment_.half, segment_.half};
    for (int axis = 0; axis < 3; ++axis) {
      if (axis != face) part = ClipAlong(segment_, axis, half_[axis], part);
    }
    if (part.empty()) return false;
    Vec3 normal;
    normal.Set(face, side < 0.0f ? -1.0f : 1.0f);
    if (std::min(Separation(part.low, normal, half_[face]),
                 Separation(part.high, normal, half_[face])) > most) {
      return false;
    }
    const std::uint32_t feature =
        kOfFace | static_cast<std::uint32_t>(2 * face + (side < 0.0f ? 0 : 1)) << 1;
    Add(part.low, normal, half_[face], feature);
    Add(part.high, normal, half_[face], feature | 1u);
    return !manifold_.empty();
  }

  // The ends of the part of the segment that lies along an edge, if they are near enough.
  bool AddAlongEdge(Vec3 beyond, Vec3 normal, float offset, std::uint32_t feature) {
    const int along = LargestAxis(segment_.direction);
    const float cosine = segment_.direction[along];
    const bool is_beside_edge =
        beyond[along] == 0.0f && beyond[(along + 1) % 3] != 0.0f && beyond[(along + 2) % 3] != 0.0f;
    if (!is_beside_edge || 1.0f - cosine * cosine > kParallelSegments) return false;
    const SegmentPart part =
        ClipAlong(segment_, along, half_[along], {-segment_.half, segment_.half});
    if (part.empty()) return false;
    const float least =
        std::min(Separation(part.low, normal, offset), Separation(part.high, normal, offset));
    if (least > Length(beyond) - radius_ + kPreference) return false;
    Add(part.low, normal, offset, feature);
    Add(part.high, normal, offset, feature | 1u);
    return !manifold_.empty();
  }

  // The segment is inside: out along the axis of the least overlap.
  void GoOut() {
    int face = 0;
    float best = -1e30f;
    for (int axis = 0; axis < 3; ++axis) {
      const float reach = half_[axis] + std::abs(segment_.direction[axis]) * segment_.half;
      const float separation = std::abs(segment_.middle[axis]) - reach;
      if (separation > best) {
        best = separation;
        face = axis;
      }
    }
    Vec3 across;
    int edge = -1;
    best += kPreference;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 unit;
      unit.Set(axis, 1.0f);
      const Vec3 cross = Cross(unit, segment_.direction);
      if (LengthSquared(cross) < kParallelSegments) continue;
      Vec3 normal = cross * (1.0f / Length(cross));
      if (Dot(normal, segment_.middle) < 0.0f) normal = -normal;
      const float separation = Dot(normal, segment_.middle) - Dot(Abs(normal), half_);
      if (separation > best) {
        best = separation;
        across = normal;
        edge = axis;
      }
    }
    if (edge >= 0) return AddCrossing(edge, across);
    if (!AddOnFace(face, segment_.middle[face], margin_)) AddMiddle(face);
  }

  // The edge of the box along `axis` that lies furthest in `normal`, and the segment, cross there.
  void AddCrossing(int axis, Vec3 normal) {
    Vec3 corner = half_;
    for (int k = 0; k < 3; ++k) {
      if (normal[k] < 0.0f) corner.Set(k, -half_[k]);
    }
    Vec3 unit, middle = corner;
    unit.Set(axis, 1.0f);
    middle.Set(axis, 0.0f);
    const SegmentPair places = ClosestPlaces(segment_, {middle, unit, half_[axis]});
    Add(places.on_a, normal, Dot(normal, corner), kOfCrossing | static_cast<std::uint32_t>(axis));
  }

  // Rounding has left nothing of the segment over the face.
  void AddMiddle(int face) {
    Vec3 normal;
    normal.Set(face, segment_.middle[face] < 0.0f ? -1.0f : 1.0f);
    Add(0.0f, normal, half_[face], kOfFace | static_cast<std::uint32_t>(2 * face) << 1);
  }

  // How far the capsule below `s` is from the plane Dot(normal, p) == offset of the box.
  float Separation(float s, Vec3 normal, float offset) const {
    return Dot(normal, segment_.At(s)) - offset - radius_;
  }

  // The point of the capsule below `s` and the plane Dot(normal, p) == offset of the box.
  void Add(float s, Vec3 normal, float offset, std::uint32_t feature) {
    const Vec3 centre = segment_.At(s);
    const float separation = Separation(s, normal, offset);
    if (separation > margin_) return;
    const Vec3 point = centre - normal * (radius_ + 0.5f * separation);
    manifold_.Add({box_.ToWorld(point), -(box_.rotation * normal), separation, feature});
  }

  const Placed& box_;
  const Segment segment_;  // in the box's frame
  const Vec3 half_;
  const float radius_;
  const float margin_;
  Manifold& manifold_;
};

}  // namespace

void CollideCapsuleBox(const Placed& capsule, const Placed& box, float margin, Manifold& manifold) {
  CapsuleOnBox(capsule, box, margin, manifold).Collide();
}

}  // namespace nowait
