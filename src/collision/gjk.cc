#include "src/collision/gjk.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

// Parts of the largest coordinate that count as rounding.
constexpr double kTouching = 1e-12;
// The part of the lengths of two vectors by which their product may be wrong, with room.
constexpr double kApart = 1e-14;
// A step that brings the distance closer by less than this part of it is the last one.
constexpr double kPrecision = 1e-10;
// Nearer than this part of the largest coordinate the difference of the points may be rounding. Its
// direction counts where it keeps the cores apart by this part of the distance.
constexpr double kDoubtful = 1e-8;
constexpr double kSure = 0.5;
// A tetrahedron whose height is a smaller part of its size than this has no inside.
constexpr double kFlat = 1e-10;

// Weights of a closest point; those of points that it does not need are zero.
using Weights = std::array<double, 4>;

Weights OfSegment(const Double3& a, const Double3& b) {
  const Double3 ab = b - a;
  const double squared = LengthSquared(ab);
  const double t = squared > 0.0 ? std::clamp(-Dot(a, ab) / squared, 0.0, 1.0) : 0.0;
  return {1.0 - t, t};
}

Double3 PointOf(const Weights& w, const Double3& a, const Double3& b, const Double3& c) {
  return (a * w[0] + b * w[1]) + c * w[2];
}

// The closest of the three sides: of a triangle without area, and where rounding has confused the
// regions.
Weights OfSides(const Double3& a, const Double3& b, const Double3& c) {
  const Weights ab = OfSegment(a, b), bc = OfSegment(b, c), ca = OfSegment(c, a);
  Weights best = ab;
  for (const Weights& other : {Weights{0.0, bc[0], bc[1]}, Weights{ca[1], 0.0, ca[0]}}) {
    if (LengthSquared(PointOf(other, a, b, c)) < LengthSquared(PointOf(best, a, b, c))) {
      best = other;
    }
  }
  return best;
}

// The origin lies over the triangle's inside when it is on the inner side of all three planes
// through a side and along the normal. Elsewhere a side is closest.
Weights OfTriangle(const Double3& a, const Double3& b, const Double3& c) {
  const Double3 normal = Cross(b - a, c - a);
  const double squared = LengthSquared(normal);
  const double size = std::max({LengthSquared(b - a), LengthSquared(c - b), LengthSquared(a - c)});
  if (!(squared > kFlat * kFlat * size * size)) return OfSides(a, b, c);
  // Twice the areas of the triangles of two corners and the origin's foot, times the normal.
  const double of_a = Dot(normal, Cross(b, c)), of_b = Dot(normal, Cross(c, a)),
               of_c = Dot(normal, Cross(a, b));
  if (of_a < 0.0 || of_b < 0.0 || of_c < 0.0) return OfSides(a, b, c);
  const double sum = (of_a + of_b) + of_c;
  return {of_a / sum, of_b / sum, of_c / sum};
}

// True when the origin is inside. Otherwise the closest face that the origin is in front of; of a
// difference that is known to be apart from the origin, the closest face.
bool OfTetrahedron(const Simplex& s, bool is_apart, Weights& weights) {
  constexpr std::array<std::array<int, 4>, 4> kFaces = {
      {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}};  // and the corner behind it
  const auto point = [&](int i) -> const Double3& {
    return s.points[static_cast<std::size_t>(i)].ab;
  };
  bool is_outside = false;
  double best = 0.0;
  for (const auto& [i, j, k, behind] : kFaces) {
    const Double3 a = point(i), b = point(j), c = point(k);
    const Double3 normal = Cross(b - a, c - a);
    const double height = Dot(normal, point(behind) - a);
    const double of_origin = -Dot(normal, a);
    const double flat = kFlat * Length(normal) * Length(point(behind) - a);
    const bool is_inner = std::abs(height) > flat && (height > 0.0) == (of_origin >= 0.0);
    if (is_inner && !is_apart) continue;
    const Weights of_face = OfTriangle(a, b, c);
    const double squared = LengthSquared(PointOf(of_face, a, b, c));
    if (is_outside && squared >= best) continue;
    is_outside = true;
    best = squared;
    weights = {};
    weights[static_cast<std::size_t>(i)] = of_face[0];
    weights[static_cast<std::size_t>(j)] = of_face[1];
    weights[static_cast<std::size_t>(k)] = of_face[2];
  }
  return !is_outside;
}

// Finds the closest point and drops the points that it does not need. True: the origin is inside.
bool Reduce(Simplex& s, bool is_apart) {
  const auto& p = s.points;
  switch (s.count) {
    case 1:
      s.weights = {1.0};
      return false;
    case 2:
      s.weights = OfSegment(p[0].ab, p[1].ab);
      break;
    case 3:
      s.weights = OfTriangle(p[0].ab, p[1].ab, p[2].ab);
      break;
    default:
      if (OfTetrahedron(s, false, s.weights)) {
        if (!is_apart) return true;
        OfTetrahedron(s, true, s.weights);
      }
  }
  int kept = 0;
  for (int i = 0; i < s.count; ++i) {
    const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(kept);
    if (s.weights[from] <= 0.0) continue;
    s.points[to] = s.points[from];
    s.weights[to] = s.weights[from];
    ++kept;
  }
  s.count = kept;
  return false;
}

bool Has(const Simplex& s, const Double3& ab) {
  return std::any_of(s.points.begin(), s.points.begin() + s.count,
                     [&](const DifferencePoint& point) { return point.ab == ab; });
}

template <class Part>
Double3 Mean(const Simplex& s, Part part) {
  Double3 sum;
  for (int i = 0; i < s.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    sum = sum + part(s.points[at]) * s.weights[at];
  }
  return sum;
}

GjkResult Overlapping(const Simplex& s) {
  GjkResult result;
  result.overlap = true;
  result.simplex = s;
  return result;
}

}  // namespace

Double3 Simplex::Closest() const {
  return Mean(*this, [](const DifferencePoint& p) { return p.ab; });
}
Double3 Simplex::ClosestOnA() const {
  return Mean(*this, [](const DifferencePoint& p) { return p.a; });
}
Double3 Simplex::ClosestOnB() const {
  return Mean(*this, [](const DifferencePoint& p) { return p.b; });
}

GjkResult Gjk(const Core& a, const Core& b, double most) {
  const Double3 between = b.middle() - a.middle();
  Simplex simplex;
  simplex.points[0] =
      SupportOfDifference(a, b, LengthSquared(between) > 0.0 ? between : Double3{0.0, 1.0, 0.0});
  simplex.count = 1;
  simplex.weights = {1.0};
  Double3 closest = simplex.points[0].ab;
  double largest = LengthSquared(closest);
  bool is_apart = false;
  bool separates = false;  // the direction of `closest`, by as much as it should
  for (int step = 0; step < kMaxGjkSteps; ++step) {
    const double squared = LengthSquared(closest);
    if (squared <= kTouching * kTouching * largest) return Overlapping(simplex);
    const DifferencePoint next = SupportOfDifference(a, b, -closest);
    largest = std::max(largest, LengthSquared(next.ab));
    // How far the next point is ahead of the origin, times the length of `closest`.
    const double ahead = Dot(closest, next.ab);
    separates = ahead >= kSure * squared;
    if (squared - ahead <= kPrecision * squared || Has(simplex, next.ab)) break;
    if (ahead > 0.0 && ahead * ahead > most * most * squared) break;
    // All of the difference lies beyond a plane through the next point. Between points that nearly
    // coincide on a round core, rounding may put the origin into a tetrahedron nevertheless.
    is_apart = is_apart || ahead > kApart * std::sqrt(squared * largest);
    Simplex larger = simplex;
    larger.points[static_cast<std::size_t>(larger.count++)] = next;
    if (Reduce(larger, is_apart)) return Overlapping(larger);
    const Double3 closer = larger.Closest();
    if (!(LengthSquared(closer) < squared)) break;
    simplex = larger;
    closest = closer;
    separates = false;
  }
  if (!separates && LengthSquared(closest) <= kDoubtful * kDoubtful * largest) {
    return Overlapping(simplex);
  }
  GjkResult result;
  result.distance = Length(closest);
  result.on_a = simplex.ClosestOnA();
  result.on_b = simplex.ClosestOnB();
  result.normal = closest * (-1.0 / result.distance);
  result.simplex = simplex;
  return result;
}

}  // namespace nowait
