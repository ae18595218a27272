// Any two convex shapes: the axis by GJK and EPA, the points by clipping the faces on both sides.
//
// The separating axis test of polyhedra, with the Gauss map to leave out most pairs of edges, has
// no edges to test on a cylinder. GJK and EPA find the same axis from support points alone, to the
// rounding of doubles; so one function serves hulls, cylinders, boxes, capsules and spheres against
// each other. Of hulls, too, they are faster: a little for 8 points, several times for 16 and more
// (tests/bench/hull_axis_bench.cc; docs/benchmarks.md#hull-axis). They return one pair of points,
// though, and a body that lies on a face needs several. So the axis only chooses the faces of both
// shapes:
//   - where the plane of one of them separates the shapes nearly as far as the axis does, it is the
//     reference. The other shape's face is clipped to its sides, and its normal is the normal of
//     all points: it stays the same while a body rocks on the face;
//   - two lines, the sides of cylinders and capsules, that are nearly parallel have a point at each
//     end of the part that they share;
//   - elsewhere (edges that cross, corners, round on round) the closest points are the contact.
//
// Source: [gilbert1988]; [bergen2001]; faces before edges: [gregorius2015]; clipping:
// [sutherland1974]. Lecture: the narrow phase.
#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "src/collision/clipped_face.h"
#include "src/collision/collide.h"
#include "src/collision/core_distance.h"
#include "src/collision/reduce.h"
#include "src/collision/supporting_face.h"

namespace nowait {
namespace {

// As for boxes: a face is taken for the axis when it separates less by no more than this.
constexpr float kPreference = 0.003f;

// Lines closer to parallel than this (the squared sine, 1.8 degrees) touch along a part of them.
constexpr float kParallel = 1e-3f;

constexpr float kNever = -std::numeric_limits<float>::max();

// Features: which shape has the reference face, the numbers of both faces, the corner.
constexpr std::uint32_t kOfB = 1u << 27, kOfLines = 1u << 28, kOfClosest = 1u << 29;
constexpr std::uint32_t FaceBits(const SupportingFace& reference, const SupportingFace& incident) {
  return reference.number << 18 | incident.number << 9;
}

struct Side {
  const Placed& placed;
  Core core;
  SupportingFace face;
  float radius;

  Side(const Placed& shape, Vec3 origin)
      : placed(shape), core(shape, origin), radius(static_cast<float>(core.radius())) {}
};

class ConvexPair {
 public:
  ConvexPair(const Placed& a, const Placed& b, float margin, Manifold& manifold)
      : origin_(a.position), a_(a, origin_), b_(b, origin_), margin_(margin), manifold_(manifold) {}

  void Collide() {
    const CoreDistance closest = DistanceOf(a_.core, b_.core, double{margin_});
    distance_ = static_cast<float>(closest.distance);
    if (distance_ > margin_) return;
    normal_ = ToFloat(closest.normal);
    a_.face = SupportingFaceOf(a_.placed, origin_, normal_);
    b_.face = SupportingFaceOf(b_.placed, origin_, -normal_);
    const float of_a = Separation(a_, b_), of_b = Separation(b_, a_);
    if (AddOnFace(a_, b_, of_a) || AddOnFace(b_, a_, of_b)) return;
    if (AddAlongLines()) return;
    Add((ToFloat(closest.on_a) + ToFloat(closest.on_b)) * 0.5f, normal_, distance_, kOfClosest);
  }

 private:
  // How far `other` is beyond the plane of the face.
  float Separation(const Side& reference, const Side& other) const {
    if (!reference.face.is_flat()) return kNever;
    const Double3 normal = ToDouble(reference.face.normal);
    const double beyond = Dot(normal, other.core.Support(-normal));
    const double surface = Dot(normal, ToDouble(reference.face.corners[0]));
    return static_cast<float>(beyond - surface - other.core.radius());
  }

  // False when the face is not nearly the axis, or the closest part of the other shape is not over
  // it.
  bool AddOnFace(const Side& reference, const Side& other, float separation) {
    if (separation < distance_ - kPreference) return false;
    const Vec3 normal = reference.face.normal;
    const SupportingFace incident = SupportingFaceOf(other.placed, origin_, -normal);
    ClippedFace clipped(incident, reference.face.count);
    for (std::uint32_t i = 0; i < reference.face.count; ++i) {
      const Vec3 from = reference.face.corners[i];
      const Vec3 to = reference.face.corners[i + 1 == reference.face.count ? 0 : i + 1];
      const Vec3 outward = Cross(to - from, normal);
      clipped.Clip(outward, Dot(outward, from), i);
    }
    const bool is_b = &reference == &b_;
    const float surface = Dot(normal, reference.face.corners[0]);
    const std::uint32_t feature = (is_b ? kOfB : 0u) | FaceBits(reference.face, incident);
    points_.Clear();
    float least = margin_;
    for (std::uint32_t i = 0; i < clipped.count(); ++i) {
      const Vec3 p = clipped[i].position;
      const float beyond = Dot(normal, p) - surface - other.radius;
      least = std::min(least, beyond);
      AddPoint(p - normal * (other.radius + 0.5f * beyond), is_b ? -normal : normal, beyond,
               feature | clipped[i].feature);
    }
    return Keep(least);
  }

  bool AddAlongLines() {
    if (!a_.face.is_line() || !b_.face.is_line()) return false;
    const Vec3 from = a_.face.corners[0], to = a_.face.corners[1];
    const Vec3 along = NormaliseOr(to - from, {1, 0, 0});
    const Vec3 along_b = NormaliseOr(b_.face.corners[1] - b_.face.corners[0], {1, 0, 0});
    if (LengthSquared(Cross(along, along_b)) > kParallel) return false;
    ClippedFace clipped(b_.face, 2);
    clipped.Clip(-along, -Dot(along, from), 0);
    clipped.Clip(along, Dot(along, to), 1);
    points_.Clear();
    float least = margin_;
    for (std::uint32_t i = 0; i < clipped.count(); ++i) {
      const Vec3 on_b = clipped[i].position - normal_ * b_.radius;
      const Vec3 on_a = from + along * Dot(along, on_b - from) + normal_ * a_.radius;
      const float beyond = Dot(normal_, on_b - on_a);
      least = std::min(least, beyond);
      AddPoint((on_a + on_b) * 0.5f, normal_, beyond, kOfLines | clipped[i].feature);
    }
    return Keep(least);
  }

  void AddPoint(Vec3 position, Vec3 normal, float separation, std::uint32_t feature) {
    if (separation > margin_) return;
    points_.Add({origin_ + position, normal, separation, feature});
  }

  // False, and nothing is kept, when the deepest part of the shapes is elsewhere.
  bool Keep(float least) {
    if (points_.empty() || least > distance_ + kPreference) return false;
    Reduce(points_.points(), manifold_);
    return true;
  }

  void Add(Vec3 position, Vec3 normal, float separation, std::uint32_t feature) {
    manifold_.Add({origin_ + position, normal, separation, feature});
  }

  const Vec3 origin_;
  Side a_, b_;
  const float margin_;
  Manifold& manifold_;
  float distance_ = 0.0f;
  Vec3 normal_;  // from a to b
  PointList<ClippedFace::kMaxCorners> points_;
};

}  // namespace

void CollideConvex(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  ConvexPair(a, b, margin, manifold).Collide();
}

}  // namespace nowait
