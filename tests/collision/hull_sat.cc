#include "tests/collision/hull_sat.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "src/math/double3.h"
#include "src/math/mat3.h"
#include "src/math/simd.h"

namespace nowait::test {
namespace {

constexpr std::size_t kLanes = 8;
using Lanes = Floats<kLanes>;
// A hull of 255 vertices has at most 3 * 255 - 6 edges.
constexpr std::size_t kMostRows = 96;

// Edges closer to parallel than this (the squared sine) have no axis of their own.
constexpr double kParallel = 1e-12;

Double3 Turned(const Mat3& turn, Vec3 v) {
  const Double3 of = ToDouble(v);
  return (ToDouble(turn.x) * of.x + ToDouble(turn.y) * of.y) + ToDouble(turn.z) * of.z;
}

struct Row {
  std::array<float, kLanes> x, y, z;

  void Set(std::size_t lane, Vec3 v) {
    x[lane] = v.x;
    y[lane] = v.y;
    z[lane] = v.z;
  }
  Lanes DotWith(Vec3 v) const {
    return (Lanes::Load(x.data()) * Lanes(v.x) + Lanes::Load(y.data()) * Lanes(v.y)) +
           Lanes::Load(z.data()) * Lanes(v.z);
  }
};

// Eight edges of b, in the frame of a.
struct EdgeRow {
  Row along, left, right;
};

class Search {
 public:
  Search(const Placed& a, const Placed& b, float margin)
      : placed_a_(a),
        placed_b_(b),
        a_(*a.shape->hull),
        b_(*b.shape->hull),
        turn_(Transpose(a.rotation) * b.rotation),
        place_(a.ToLocal(b.position)),
        margin_(margin) {}

  // Each is false when the hulls are apart.
  bool AskFacesOfA() {
    for (const HullPlane& plane : a_.planes()) {
      const Vec3 normal = TransposeTimes(turn_, plane.normal);
      const float beyond = Dot(normal, b_.vertices()[b_.SupportOf(ToDouble(-normal))]);
      const float of_place = Dot(plane.normal, place_) - plane.offset;
      if (!Take({SatAxis::Kind::kFaceOfA, beyond + of_place, plane.normal})) return false;
    }
    return true;
  }
  bool AskFacesOfB() {
    for (const HullPlane& plane : b_.planes()) {
      const Vec3 normal = turn_ * plane.normal;
      const Vec3 nearest = a_.vertices()[a_.SupportOf(ToDouble(-normal))];
      const float beyond = Dot(normal, nearest - place_) - plane.offset;
      if (!Take({SatAxis::Kind::kFaceOfB, beyond, -normal})) return false;
    }
    return true;
  }
  bool AskEdges(const HullEdges& edges_a, const HullEdges& edges_b) {
    PutRows(edges_b.all());
    for (const HullEdge& edge : edges_a.all()) {
      for (std::size_t i = 0; i < count_; ++i) {
        for (LaneBits bits = Crossing(edge, rows_[i]); bits != 0; bits &= bits - 1) {
          const std::size_t j = i * kLanes + static_cast<std::size_t>(std::countr_zero(bits));
          if (j < edges_b.all().size() && !AskPair(edge, edges_b.all()[j])) return false;
        }
      }
    }
    return true;
  }

  const SatAxis& best() const { return best_; }

 private:
  bool Take(const SatAxis& axis) {
    if (axis.separation > best_.separation) best_ = axis;
    return best_.separation <= margin_;
  }

  void PutRows(const std::vector<HullEdge>& edges) {
    count_ = (edges.size() + kLanes - 1) / kLanes;
    for (std::size_t i = 0; i < count_ * kLanes; ++i) {
      const HullEdge& edge = edges[i < edges.size() ? i : 0];
      EdgeRow& row = rows_[i / kLanes];
      row.along.Set(i % kLanes, turn_ * edge.along);
      row.left.Set(i % kLanes, turn_ * edge.left);
      row.right.Set(i % kLanes, turn_ * edge.right);
    }
  }

  // The edges of the row whose arc, turned to the other side, crosses that of the edge. With c and
  // d the negative normals of b's edge, the products are those of [gregorius2013].
  static LaneBits Crossing(const HullEdge& edge, const EdgeRow& row) {
    const Lanes none(0.0f);
    const Lanes c = row.left.DotWith(edge.along), d = row.right.DotWith(edge.along);
    const Lanes of_left = row.along.DotWith(edge.left), of_right = row.along.DotWith(edge.right);
    return ((c * d < none) & (of_left * of_right < none) & (c * of_right < none)).Bits();
  }

  // In doubles: rounding turns the axis of edges that are nearly parallel.
  bool AskPair(const HullEdge& of_a, const HullEdge& of_b) {
    const Double3 along_a = Turned(placed_a_.rotation, of_a.along);
    const Double3 along_b = Turned(placed_b_.rotation, of_b.along);
    const Double3 cross = Cross(along_a, along_b);
    const double squared = LengthSquared(cross);
    if (squared < kParallel * LengthSquared(along_a) * LengthSquared(along_b)) return true;
    const Double3 from_a = Turned(placed_a_.rotation, of_a.from);
    const Double3 from_b = Turned(placed_b_.rotation, of_b.from) +
                           (ToDouble(placed_b_.position) - ToDouble(placed_a_.position));
    // Outwards: the centre of mass is the origin.
    Double3 normal = cross * (1.0 / std::sqrt(squared));
    if (Dot(normal, from_a) < 0.0) normal = -normal;
    if (Dot(normal, from_b - from_a) <= double{best_.separation}) return true;
    // The normal of a needle is rounding, and its edges may seem to make a face of the difference.
    const Vec3 in_a = TransposeTimes(placed_a_.rotation, ToFloat(normal));
    const Double3 last = ToDouble(a_.vertices()[a_.SupportOf(ToDouble(in_a))]);
    const Vec3 in_b = TransposeTimes(turn_, in_a);
    const Double3 first = ToDouble(b_.vertices()[b_.SupportOf(ToDouble(-in_b))]);
    const double separation =
        Dot(ToDouble(in_b), first) + Dot(ToDouble(in_a), ToDouble(place_) - last);
    return Take({SatAxis::Kind::kEdges, static_cast<float>(separation), in_a});
  }

  const Placed& placed_a_;
  const Placed& placed_b_;
  const ConvexHull& a_;
  const ConvexHull& b_;
  const Mat3 turn_;   // b's axes in the frame of a
  const Vec3 place_;  // likewise b's centre
  const float margin_;
  std::array<EdgeRow, kMostRows> rows_;  // as many as there are
  std::size_t count_ = 0;
  SatAxis best_{.separation = -std::numeric_limits<float>::max(), .normal = {}};
};

}  // namespace

HullEdges::HullEdges(const ConvexHull& hull) {
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::size_t> face_of;
  for (std::size_t face = 0; face < hull.planes().size(); ++face) {
    const auto corners = hull.CornersOf(face);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      face_of[{corners[i], corners[(i + 1) % corners.size()]}] = face;
    }
  }
  for (const auto& [ends, face] : face_of) {
    if (ends.first > ends.second) continue;
    const Vec3 from = hull.vertices()[ends.first];
    const Vec3 along = hull.vertices()[ends.second] - from;
    const Vec3 left = hull.planes()[face].normal;
    const Vec3 right = hull.planes()[face_of.at({ends.second, ends.first})].normal;
    const bool is_turned = Dot(along, Cross(right, left)) < 0.0f;
    edges_.push_back({from, is_turned ? -along : along, left, right});
  }
}

SatAxis FindSatAxis(const Placed& a, const HullEdges& edges_a, const Placed& b,
                    const HullEdges& edges_b, float margin) {
  Search search(a, b, margin);
  if (search.AskFacesOfA() && search.AskFacesOfB()) search.AskEdges(edges_a, edges_b);
  SatAxis axis = search.best();
  axis.normal = a.rotation * axis.normal;
  return axis;
}

}  // namespace nowait::test
