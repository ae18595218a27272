// Plane against any convex shape: a closed form for each kind.
//
// A plane has no edges that could cut a shape's face, and its normal is the axis of least
// penetration, however deep the shape is. So nothing is searched and nothing is clipped: the
// contacts are the corners of the shape that lie within the margin. Those of a box are the corners
// of one face, of a capsule its two ends, of a hull all its vertices. A disc has no corners. It has
// four places on its rim, which stay where they are on the disc. While it leans, the lowest place
// of the rim is there in place of the nearest one, and stays one feature while the disc rolls.
//
// Features number the corners of the shape, not of a face: a hull that rocks from one face to the
// next keeps the impulses at their common edge.
//
// Source: [ericson2005], sections 5.2.2 to 5.2.6. Lecture: the narrow phase.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "src/collision/collide.h"
#include "src/collision/convex_hull.h"
#include "src/collision/half_space.h"
#include "src/collision/reduce.h"

namespace nowait {
namespace {

// A disc leans if its lowest place lies lower than its middle by more, in metres. The corners of
// one that stands are at most 0.3 of it higher than the lowest place.
constexpr double kLeans = 1e-3;

// Of a vertex's height in floats, as a part of its distance from the hull's place.
constexpr double kRoundingOfHeight = 1e-6;

// A cylinder whose axis is nearer to the normal than this (the cosine of 45 degrees) stands on a
// disc; another one lies on its side.
constexpr double kStands = 0.70710678;

class PlaneContacts {
 public:
  PlaneContacts(const Placed& plane, const Placed& convex, float margin)
      : convex_(convex),
        space_(plane, convex.position),
        normal_(ToFloat(space_.normal())),
        margin_(margin) {
    const Double3& n = space_.normal();
    const Mat3& axes = convex.rotation;
    local_ = {Dot(n, ToDouble(axes.x)), Dot(n, ToDouble(axes.y)), Dot(n, ToDouble(axes.z))};
  }

  void OfSphere(Manifold& manifold) const { AddEnd(0.0, 0, manifold); }

  void OfCapsule(Manifold& manifold) const {
    const double half = convex_.shape->half_height;
    // The lower end first.
    const bool is_up = local_.y > 0.0;
    AddEnd(is_up ? -half : half, is_up ? 0 : 1, manifold);
    AddEnd(is_up ? half : -half, is_up ? 1 : 0, manifold);
  }

  // The corners of the face that looks most at the plane.
  void OfBox(Manifold& manifold) const {
    const Vec3 half = convex_.shape->half;
    const Vec3 low{local_.x > 0.0 ? -half.x : half.x, local_.y > 0.0 ? -half.y : half.y,
                   local_.z > 0.0 ? -half.z : half.z};
    // By how much the other end of an edge is higher than the lowest corner.
    const double x = -2.0 * low.x * local_.x, y = -2.0 * low.y * local_.y,
                 z = -2.0 * low.z * local_.z;
    const double lowest = AboveOf(-0.5 * ((x + y) + z));
    if (lowest > margin_) return;
    const Double3 size{std::abs(local_.x), std::abs(local_.y), std::abs(local_.z)};
    const bool is_x = size.x >= size.y && size.x >= size.z, is_y = !is_x && size.y >= size.z;
    const auto add = [&](bool turn_x, bool turn_y, bool turn_z, double above) {
      if (above > margin_) return;
      const Vec3 corner{turn_x ? -low.x : low.x, turn_y ? -low.y : low.y, turn_z ? -low.z : low.z};
      const std::uint32_t feature =
          (corner.x > 0.0f) | (corner.y > 0.0f) << 1 | (corner.z > 0.0f) << 2;
      Add(InWorld(corner), above, feature, manifold);
    };
    const double u = is_x ? y : x, v = is_x || is_y ? z : y;
    add(false, false, false, lowest);
    add(!is_x, is_x, false, lowest + u);
    add(!is_x, !is_y, is_x || is_y, lowest + (u + v));
    add(false, !is_x && !is_y, is_x || is_y, lowest + v);
  }

  void OfCylinder(Manifold& manifold) const {
    const Shape& shape = *convex_.shape;
    const double sine = std::sqrt(local_.x * local_.x + local_.z * local_.z);
    const float end = local_.y > 0.0 ? -shape.half_height : shape.half_height;
    const double lowest = local_.y * double{end} - sine * double{shape.radius};
    if (AboveOf(lowest) > margin_) return;
    // Out from the axis, downwards; of a disc that lies level, all places are as low.
    const double out = sine > 0.0 ? -double{shape.radius} / sine : 0.0;
    const auto down_x = static_cast<float>(out * local_.x);
    const auto down_z = static_cast<float>(out * local_.z);
    const std::uint32_t disc = end > 0.0f ? 8 : 0;
    if (std::abs(local_.y) < kStands) {
      AddCorner({down_x, end, down_z}, kSide + (end > 0.0f), manifold);
      AddCorner({down_x, -end, down_z}, kSide + (end < 0.0f), manifold);
      return;
    }
    const bool leans = sine * double{shape.radius} > kLeans;
    const bool is_x = std::abs(local_.x) >= std::abs(local_.z);
    const std::uint32_t nearest = is_x ? (down_x > 0.0f ? 0 : 2) : (down_z > 0.0f ? 1 : 3);
    const float r = shape.radius;
    const std::array<Vec3, 4> corners = {{{r, end, 0}, {0, end, r}, {-r, end, 0}, {0, end, -r}}};
    for (std::uint32_t i = 0; i < corners.size(); ++i) {
      if (leans && i == nearest) {
        AddCorner({down_x, end, down_z}, disc + 4, manifold);
      } else {
        AddCorner(corners[i], disc + i, manifold);
      }
    }
  }

  void OfHull(Manifold& manifold) const {
    const ConvexHull& hull = *convex_.shape->hull;
    const auto vertices = hull.vertices();
    // In floats first, without a branch, so that many are looked at in the time of one; `limit` has
    // room for their rounding.
    const Vec3 local = ToFloat(local_);
    const double limit = (margin_ + space_.offset()) + kRoundingOfHeight * hull.radius();
    const auto least = static_cast<float>(limit + 1e-7 * std::abs(limit));
    std::array<float, kMaxHullVertices> along;
    for (std::size_t i = 0; i < vertices.size(); ++i) along[i] = Dot(local, vertices[i]);
    PointList<kMaxHullVertices> points;
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
      if (along[i] <= least) AddCorner(vertices[i], i, points);
    }
    Reduce(points.points(), manifold);
  }

 private:
  // Features of a cylinder that lies on its side: of its two ends.
  static constexpr std::uint32_t kSide = 16;

  // Of a point of the shape whose place along the normal, from the shape's own, is given.
  double AboveOf(double along_normal) const { return along_normal - space_.offset(); }

  template <std::uint32_t kMost>
  void Add(const Double3& from_shape, double above, std::uint32_t feature,
           PointList<kMost>& points) const {
    const Double3 midway = from_shape - space_.normal() * (0.5 * above);
    points.Add({convex_.position + ToFloat(midway), normal_, static_cast<float>(above), feature});
  }

  // A corner of the shape, in its frame, if it is within the margin.
  template <std::uint32_t kMost>
  void AddCorner(Vec3 corner, std::uint32_t feature, PointList<kMost>& points) const {
    const double above = AboveOf(Dot(local_, ToDouble(corner)));
    if (above > margin_) return;
    Add(InWorld(corner), above, feature, points);
  }

  // From the shape's place. Half of a floats' step is less than what a position in the world has.
  Double3 InWorld(Vec3 corner) const { return ToDouble(convex_.rotation * corner); }

  // The lowest point of the ball at this place of the y axis.
  void AddEnd(double y, std::uint32_t feature, Manifold& manifold) const {
    const double radius = convex_.shape->radius;
    const double above = AboveOf(local_.y * y - radius);
    if (above > margin_) return;
    Add(ToDouble(convex_.rotation.y) * y - space_.normal() * radius, above, feature, manifold);
  }

  const Placed& convex_;
  const HalfSpace space_;  // from the shape's place
  const Vec3 normal_;
  const double margin_;
  Double3 local_;  // the normal, in the shape's frame
};

}  // namespace

void CollidePlaneConvex(const Placed& plane, const Placed& convex, float margin,
                        Manifold& manifold) {
  const PlaneContacts contacts(plane, convex, margin);
  switch (convex.shape->kind) {
    case ShapeKind::kSphere:
      return contacts.OfSphere(manifold);
    case ShapeKind::kCapsule:
      return contacts.OfCapsule(manifold);
    case ShapeKind::kBox:
      return contacts.OfBox(manifold);
    case ShapeKind::kCylinder:
      return contacts.OfCylinder(manifold);
    case ShapeKind::kHull:
      return contacts.OfHull(manifold);
    case ShapeKind::kHeightField:
    case ShapeKind::kMesh:
    case ShapeKind::kCompound:
    case ShapeKind::kPlane:
      break;  // no convex shape: not of the pair table
  }
}

}  // namespace nowait
