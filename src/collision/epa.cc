#include "src/collision/epa.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace nowait {
namespace {

// Parts of the size of the difference: an extent that is rounding, and a step that ends the search.
constexpr double kFlat = 1e-9;
constexpr double kPrecision = 1e-7;
// A face sees a point that is above it by more than this part. One in its plane stays beside it:
// rounding would let some faces of a plane see the point and others not, and fold the surface.
constexpr double kInPlane = 1e-12;
// The normals of two faces of one plane (the cosine); that of a needle is anything.
constexpr double kSamePlane = 1.0 - 1e-9;

Double3 Unit(const Double3& v) { return v * (1.0 / Length(v)); }

// A unit vector perpendicular to `v`.
Double3 Across(const Double3& v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  const Double3 axis = x <= y && x <= z ? Double3{1.0, 0.0, 0.0}
                       : y <= z         ? Double3{0.0, 1.0, 0.0}
                                        : Double3{0.0, 0.0, 1.0};
  return Unit(Cross(v, axis));
}

// Grows what GJK has found to a tetrahedron, by asking across what is there already.
class FirstTetrahedron {
 public:
  FirstTetrahedron(const Core& a, const Core& b, const Simplex& simplex) : a_(a), b_(b) {
    for (int i = 0; i < simplex.count; ++i) Take(simplex.points[static_cast<std::size_t>(i)]);
    if (count_ == 0) Take(SupportOfDifference(a, b, {1.0, 0.0, 0.0}));
    for (const Double3& axis :
         {Double3{1.0, 0.0, 0.0}, Double3{0.0, 1.0, 0.0}, Double3{0.0, 0.0, 1.0}}) {
      Ask(axis, 1);
    }
    if (count_ == 2) {
      const Double3 across = Across(Unit(points_[1].ab - points_[0].ab));
      Ask(across, 2);
      Ask(Unit(Cross(points_[1].ab - points_[0].ab, across)), 2);
    }
    if (count_ == 3) Ask(Unit(Normal()), 3);
  }

  int count() const { return count_; }
  const std::array<DifferencePoint, 4>& points() const { return points_; }

  // Perpendicular to the points that there are, of length one.
  Double3 Out(const Double3& towards) const {
    Double3 out = LengthSquared(towards) > 0.0 ? Unit(towards) : Double3{0.0, 1.0, 0.0};
    if (count_ == 2) {
      const Double3 along = Unit(points_[1].ab - points_[0].ab);
      const Double3 rest = out - along * Dot(out, along);
      out = Length(rest) > 1e-6 ? Unit(rest) : Across(along);
    } else if (count_ == 3) {
      out = Unit(Normal());
    }
    return Dot(out, towards) < 0.0 ? -out : out;
  }

 private:
  Double3 Normal() const {
    return Cross(points_[1].ab - points_[0].ab, points_[2].ab - points_[0].ab);
  }

  // How far the point is from the point, line or plane of the others.
  double Height(const Double3& ab) const {
    const Double3 from = ab - points_[0].ab;
    if (count_ == 1) return Length(from);
    if (count_ == 2) return Length(Cross(from, Unit(points_[1].ab - points_[0].ab)));
    return std::abs(Dot(from, Unit(Normal())));
  }

  void Take(const DifferencePoint& point) {
    size_ = std::max(size_, Length(point.ab));
    if (count_ > 0 && !(Height(point.ab) > kFlat * size_)) return;
    points_[static_cast<std::size_t>(count_++)] = point;
  }

  // Both ways along the direction, as long as there are only `count` points.
  void Ask(const Double3& direction, int count) {
    for (const double sign : {1.0, -1.0}) {
      if (count_ == count) Take(SupportOfDifference(a_, b_, direction * sign));
    }
  }

  const Core& a_;
  const Core& b_;
  std::array<DifferencePoint, 4> points_;
  int count_ = 0;
  double size_ = 0.0;
};

// Indices of three points, counter-clockwise seen from outside.
struct Face {
  std::array<std::uint8_t, 3> corners;
  Double3 normal;
  double distance;  // of its plane from the origin
};

class Polytope {
 public:
  explicit Polytope(const std::array<DifferencePoint, 4>& points) {
    for (const DifferencePoint& point : points) points_[point_count_++] = point;
    const Double3 a = points_[0].ab;
    const Double3 normal = Cross(points_[1].ab - a, points_[2].ab - a);
    if (Dot(normal, points_[3].ab - a) > 0.0) std::swap(points_[1], points_[2]);
    AddFace(0, 1, 2);
    AddFace(0, 3, 1);
    AddFace(0, 2, 3);
    AddFace(1, 3, 2);
  }

  std::size_t Closest() const {
    const auto closest =
        std::min_element(faces_.begin(), faces_.begin() + face_count_,
                         [](const Face& x, const Face& y) { return x.distance < y.distance; });
    return static_cast<std::size_t>(closest - faces_.begin());
  }
  const Face& operator[](std::size_t face) const { return faces_[face]; }

  // The face that looks most in the direction.
  const Face& Towards(const Double3& direction) const {
    return *std::max_element(faces_.begin(), faces_.begin() + face_count_,
                             [&](const Face& x, const Face& y) {
                               return Dot(x.normal, direction) < Dot(y.normal, direction);
                             });
  }

  bool IsFull() const { return point_count_ == points_.size(); }

  // The point sees the face `first`. False, without a change, when the new faces would be too thin
  // to have a normal.
  bool Expand(const DifferencePoint& point, std::size_t first) {
    FindHole(point.ab, first);
    if (edge_count_ < 3) return false;
    // The fan around the point, behind the faces that there are.
    const auto index = static_cast<std::uint8_t>(point_count_);
    points_[point_count_] = point;
    const std::size_t before = face_count_;
    for (std::size_t i = 0; i < edge_count_; ++i) {
      if (AddFace(edges_[i][0], edges_[i][1], index)) continue;
      face_count_ = before;
      return false;
    }
    ++point_count_;
    // The faces that stay move up: their order decides between equals.
    std::size_t kept = first_gone_;
    for (std::size_t i = kept; i < face_count_; ++i) {
      if (i < before && is_gone_[i]) continue;
      faces_[kept++] = faces_[i];
    }
    face_count_ = kept;
    return true;
  }

  // Several faces of one plane may be the closest, and the origin's foot lies on one of them.
  Penetration AnswerOf(const Face& closest) const {
    Face best = closest;
    Weights best_weights = WeightsOf(closest);
    const double size = Length(points_[closest.corners[0]].ab);
    for (std::size_t i = 0; i < face_count_; ++i) {
      if (faces_[i].distance > closest.distance + kPrecision * size) continue;
      if (!(Dot(faces_[i].normal, closest.normal) > kSamePlane)) continue;
      const Weights weights = WeightsOf(faces_[i]);
      if (std::ranges::min(weights) <= std::ranges::min(best_weights)) continue;
      best = faces_[i];
      best_weights = weights;
    }
    Penetration answer;
    answer.depth = std::max(best.distance, 0.0);
    answer.normal = best.normal;
    for (std::size_t k = 0; k < 3; ++k) {
      answer.on_a = answer.on_a + points_[best.corners[k]].a * best_weights[k];
    }
    answer.on_b = answer.on_a - best.normal * answer.depth;
    return answer;
  }

 private:
  using Weights = std::array<double, 3>;

  // With which the corners make the origin's foot, by areas; one is negative where the foot lies
  // beside the face.
  Weights WeightsOf(const Face& face) const {
    const Double3 foot = face.normal * face.distance;
    const auto area = [&](std::size_t i, std::size_t j) {
      return Dot(face.normal,
                 Cross(points_[face.corners[i]].ab - foot, points_[face.corners[j]].ab - foot));
    };
    const double of_0 = area(1, 2), of_1 = area(2, 0), of_2 = area(0, 1);
    const double sum = (of_0 + of_1) + of_2;
    return {of_0 / sum, of_1 / sum, of_2 / sum};
  }

  bool AddFace(std::uint8_t i, std::uint8_t j, std::uint8_t k) {
    if (face_count_ == faces_.size()) return false;
    const Double3 a = points_[i].ab;
    const Double3 cross = Cross(points_[j].ab - a, points_[k].ab - a);
    const double length = Length(cross);
    if (!(length > 0.0)) return false;
    const Double3 normal = cross * (1.0 / length);
    faces_[face_count_++] = {{i, j, k}, normal, Dot(normal, a)};
    return true;
  }

  // The faces that see the place, and the edges around them. Only faces beside one that is gone
  // are asked. On a round core the polytope has faces so thin that the direction of their normal is
  // rounding: one that seems to see the place from afar would leave a second hole, and the fan
  // around the point would fold the surface.
  void FindHole(const Double3& ab, std::size_t first) {
    const double in_plane = kInPlane * Length(ab);
    std::fill_n(is_gone_.begin(), face_count_, false);
    edge_count_ = 0;
    first_gone_ = first;
    Remove(first);
    // Few faces see the place; only they are asked again.
    std::array<std::uint8_t, 3 * kMaxEpaPoints> seeing;
    std::size_t count = 0;
    for (std::size_t i = 0; i < face_count_; ++i) {
      const Face& face = faces_[i];
      if (i == first || !(Dot(face.normal, ab) - face.distance > in_plane)) continue;
      seeing[count++] = static_cast<std::uint8_t>(i);
    }
    for (bool has_grown = true; has_grown;) {
      has_grown = false;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = seeing[k];
        if (is_gone_[i] || !IsBesideHole(faces_[i])) continue;
        Remove(i);
        first_gone_ = std::min(first_gone_, i);
        has_grown = true;
      }
    }
  }

  bool IsBesideHole(const Face& face) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint8_t from = face.corners[k], to = face.corners[(k + 1) % 3];
      for (std::size_t i = 0; i < edge_count_; ++i) {
        if (edges_[i][0] == to && edges_[i][1] == from) return true;
      }
    }
    return false;
  }

  void Remove(std::size_t face) {
    is_gone_[face] = true;
    const auto& corners = faces_[face].corners;
    for (std::size_t k = 0; k < 3; ++k) ToggleEdge(corners[k], corners[(k + 1) % 3]);
  }

  // An edge between two removed faces is there twice, once in each direction.
  void ToggleEdge(std::uint8_t from, std::uint8_t to) {
    for (std::size_t i = 0; i < edge_count_; ++i) {
      if (edges_[i][0] == to && edges_[i][1] == from) {
        edges_[i] = edges_[--edge_count_];
        return;
      }
    }
    if (edge_count_ < edges_.size()) edges_[edge_count_++] = {from, to};
  }

  std::array<DifferencePoint, kMaxEpaPoints> points_;
  std::size_t point_count_ = 0;
  std::array<Face, 3 * kMaxEpaPoints> faces_;  // the last third while a fan is added
  std::array<bool, 3 * kMaxEpaPoints> is_gone_;
  static_assert(3 * kMaxEpaPoints <= 256, "a byte numbers a face");
  std::size_t face_count_ = 0;
  std::size_t first_gone_ = 0;  // the lowest number of a face that is gone
  std::array<std::array<std::uint8_t, 2>, 2 * kMaxEpaPoints> edges_;
  std::size_t edge_count_ = 0;
};

// The turns that are tried about a cylinder's axis, the largest first (the tangent), and how much
// smaller the next one is.
constexpr double kFirstTurn = 1.0, kNextTurn = 0.7;
constexpr int kTurns = 40;

// A shorter way out of a difference that is too round for so few points, if there is one. The
// points have gone to where the surface is nearly equally far in many directions, all around a
// cylinder's axis. Other faces were not asked, and no face looks exactly away from the axis. So the
// way is asked along the axis, away from it, and in turns about it.
WayOut Shorten(const Core& a, const Core& b, WayOut out) {
  const auto ask = [&](const Double3& direction) {
    const double length = Length(direction);
    if (!(length > 0.0)) return;
    const Double3 normal = direction * (1.0 / length);
    const double depth = Dot(normal, SupportOfDifference(a, b, normal).ab);
    if (depth < out.depth) out = {depth, normal};
  };
  const std::array axes = {a.Axis(), b.Axis()};
  for (const auto& axis : axes) {
    if (!axis) continue;
    const auto away = [&](const Double3& v) {
      return v - *axis * (Dot(*axis, v) / LengthSquared(*axis));
    };
    ask(away(b.middle() - a.middle()));
    ask(away(out.normal));
    ask(*axis);
    ask(-*axis);
  }
  double turn = kFirstTurn;
  for (int i = 0; i < kTurns; ++i, turn *= kNextTurn) {
    for (const auto& axis : axes) {
      if (!axis) continue;
      const Double3 normal = out.normal, aside = Cross(*axis, normal);
      ask(normal + aside * turn);
      ask(normal - aside * turn);
    }
  }
  return out;
}

}  // namespace

Penetration Epa(const Core& a, const Core& b, const Simplex& simplex) {
  const FirstTetrahedron first(a, b, simplex);
  if (first.count() < 4) {
    Penetration flat;
    flat.normal = first.Out(b.middle() - a.middle());
    flat.on_a = simplex.ClosestOnA();
    flat.on_b = flat.on_a;
    return flat;
  }
  Polytope polytope(first.points());
  Face nearest{};  // of the faces that were asked, the one whose direction is the shortest way out
  double reach = std::numeric_limits<double>::max();
  for (;;) {
    const std::size_t at = polytope.Closest();
    const Face closest = polytope[at];
    const DifferencePoint next = SupportOfDifference(a, b, closest.normal);
    const double along = Dot(closest.normal, next.ab), beyond = along - closest.distance;
    if (beyond <= kPrecision * std::max(Length(next.ab), closest.distance)) {
      return polytope.AnswerOf(closest);
    }
    if (along < reach) {
      reach = along;
      nearest = closest;
    }
    if (polytope.IsFull() || !polytope.Expand(next, at)) break;
  }
  // No face lies on the surface, but `reach` along `nearest` is a way out.
  const WayOut out = Shorten(a, b, {reach, nearest.normal});
  const bool is_shorter = out.depth < reach;
  Penetration answer = polytope.AnswerOf(is_shorter ? polytope.Towards(out.normal) : nearest);
  answer.normal = out.normal;
  answer.depth = std::max(out.depth, 0.0);
  answer.on_b = answer.on_a - answer.normal * answer.depth;
  return answer;
}

}  // namespace nowait
