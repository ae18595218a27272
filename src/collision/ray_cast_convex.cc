#include "src/collision/ray_cast_convex.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

// The part of a ray that lies in an intersection, as fractions, and the side by which it came in.
struct Inside {
  float enter = -1.0f;
  float leave;
  Vec3 normal;

  // With the half space where distance + fraction * along <= 0. False when nothing remains.
  bool Cut(float distance, float along, Vec3 side) {
    if (along == 0.0f) return distance <= 0.0f;
    const float fraction = -distance / along;
    if (along > 0.0f) {
      leave = std::min(leave, fraction);
    } else if (fraction > enter) {
      enter = fraction;
      normal = side;
    }
    return enter <= leave && leave >= 0.0f;
  }
};

// Metres that a ray may go across an axis and still be parallel to it: less than floats show beside
// a cylinder's radius, and the square of less would lose its digits, its inverse overflow.
constexpr float kParallel = 1e-10f;

ShapeHit FromInside(const RayCast& ray) { return {0.0f, NormaliseOr(-ray.translation, {0, 1, 0})}; }

}  // namespace

bool IsInCylinder(Vec3 point, float half_height, float radius) {
  return std::abs(point.y) <= half_height &&
         point.x * point.x + point.z * point.z <= radius * radius;
}

bool IsInHull(Vec3 point, const ConvexHull& hull) {
  return std::ranges::all_of(hull.planes(), [&](const HullPlane& plane) {
    return Dot(plane.normal, point) <= plane.offset;
  });
}

std::optional<ShapeHit> CastAgainstCylinder(const RayCast& ray, float max_fraction,
                                            float half_height, float radius) {
  if (IsInCylinder(ray.origin, half_height, radius)) return FromInside(ray);
  Inside inside{.leave = max_fraction, .normal = {}};
  const float y = ray.origin.y, along_y = ray.translation.y;
  if (!inside.Cut(y - half_height, along_y, {0, 1, 0})) return std::nullopt;
  if (!inside.Cut(-y - half_height, -along_y, {0, -1, 0})) return std::nullopt;
  // Seen along the axis the cylinder is a circle; from the point of the line closest to its middle.
  const Vec3 from{ray.origin.x, 0.0f, ray.origin.z};
  const Vec3 along{ray.translation.x, 0.0f, ray.translation.z};
  const float squared = LengthSquared(along);
  if (squared < kParallel * kParallel) {
    if (LengthSquared(from) > radius * radius) return std::nullopt;
  } else {
    const float middle = -Dot(from, along) / squared;
    const float room = radius * radius - LengthSquared(from + along * middle);
    if (room < 0.0f) return std::nullopt;
    const float half = std::sqrt(room / squared);
    inside.leave = std::min(inside.leave, middle + half);
    if (middle - half > inside.enter) {
      inside.enter = middle - half;
      inside.normal = NormaliseOr(from + along * inside.enter, {1, 0, 0});
    }
  }
  if (!(inside.enter >= 0.0f && inside.enter <= inside.leave)) return std::nullopt;
  return ShapeHit{inside.enter, inside.normal};
}

std::optional<ShapeHit> CastAgainstHull(const RayCast& ray, float max_fraction,
                                        const ConvexHull& hull) {
  if (IsInHull(ray.origin, hull)) return FromInside(ray);
  Inside inside{.leave = max_fraction, .normal = {}};
  for (const HullPlane& plane : hull.planes()) {
    const float distance = Dot(plane.normal, ray.origin) - plane.offset;
    if (!inside.Cut(distance, Dot(plane.normal, ray.translation), plane.normal)) {
      return std::nullopt;
    }
  }
  if (!(inside.enter >= 0.0f)) return std::nullopt;
  return ShapeHit{inside.enter, inside.normal};
}

}  // namespace nowait
