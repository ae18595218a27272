#include "src/collision/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nowait {
namespace {

constexpr float kSameNormal = 0.995f;  // cosine of about 6 degrees
constexpr std::size_t kPointsPerGroup = 4;

// Points this close to the deepest count as equally deep: rounding decides which point of a level
// side is the deepest, and only the side's corners should be chosen.
constexpr float kEquallyDeep = 0.002f;

// Swaps the point with the largest score, or the first of equals, to the front of `points`.
template <class Score>
void BringForward(std::span<ContactPoint> points, Score score) {
  std::size_t best = 0;
  float best_score = score(points[0]);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const float s = score(points[i]);
    if (s > best_score) {
      best = i;
      best_score = s;
    }
  }
  std::swap(points[0], points[best]);
}

float SignedArea(const ContactPoint& a, const ContactPoint& b, const ContactPoint& p) {
  return Dot(a.normal, Cross(b.position - a.position, p.position - a.position));
}

// Brings the chosen points to the front; points[0] is the deepest.
void ChooseFour(std::span<ContactPoint> points) {
  if (points.size() <= kPointsPerGroup) return;
  // First, of the deepest points, the one furthest from the middle.
  Vec3 middle;
  for (const ContactPoint& p : points) middle += p.position;
  middle *= 1.0f / static_cast<float>(points.size());
  const float limit = points[0].separation + kEquallyDeep;
  BringForward(points, [&](const ContactPoint& p) {
    return p.separation <= limit ? LengthSquared(p.position - middle) : -1.0f;
  });
  const ContactPoint& deepest = points[0];
  BringForward(points.subspan(1),
               [&](const ContactPoint& p) { return LengthSquared(p.position - deepest.position); });
  const ContactPoint& furthest = points[1];
  BringForward(points.subspan(2),
               [&](const ContactPoint& p) { return std::abs(SignedArea(deepest, furthest, p)); });
  // The fourth adds the most area outside the triangle: beyond the edge that it is furthest from.
  const ContactPoint& third = points[2];
  const float side = SignedArea(deepest, furthest, third) < 0.0f ? 1.0f : -1.0f;
  BringForward(points.subspan(3), [&](const ContactPoint& p) {
    return std::max({side * SignedArea(deepest, furthest, p), side * SignedArea(furthest, third, p),
                     side * SignedArea(third, deepest, p)});
  });
}

}  // namespace

void Reduce(std::span<ContactPoint> points, Manifold& manifold) {
  while (!points.empty() && manifold.count() < Manifold::kMaxPoints) {
    BringForward(points, [](const ContactPoint& p) { return -p.separation; });
    // The group of the deepest point, kept in order behind it.
    std::size_t group = 1;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (Dot(points[i].normal, points[0].normal) >= kSameNormal) {
        std::swap(points[group++], points[i]);
      }
    }
    ChooseFour(points.first(group));
    const std::size_t room = Manifold::kMaxPoints - manifold.count();
    const std::size_t chosen = std::min({group, kPointsPerGroup, room});
    for (std::size_t i = 0; i < chosen; ++i) manifold.Add(points[i]);
    points = points.subspan(group);
  }
}

}  // namespace nowait
