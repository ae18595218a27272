// Source: a line by its direction and moment: J. Pluecker, "On a New Geometry of Space",
// Philosophical Transactions 155, 1865.
#include "src/collision/far_ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/half_space.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast_field.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

// Metres. A float at this distance is rounded by half a metre.
constexpr float kFar = 1e7f;
// Metres. A cast in floats is off by 3e-7 of the way between the origin and the shape.
constexpr float kLong = 1e4f;

bool IsWithin(Vec3 v, float size) {
  return std::abs(v.x) <= size && std::abs(v.y) <= size && std::abs(v.z) <= size;
}

// A ball around the shape, with room for rounding.
struct Around {
  Vec3 centre;
  double radius;
};
Around AroundOf(const Shape& shape, Vec3 position, Quat rotation) {
  constexpr double kRoom = 1.001;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return {position, kRoom * shape.radius};
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      return {position, kRoom * (double{shape.half_height} + shape.radius)};
    case ShapeKind::kHull:
      return {position, kRoom * shape.hull->radius()};
    case ShapeKind::kBox:
      return {position, kRoom * Length(ToDouble(shape.half))};
    case ShapeKind::kMesh: {
      const Vec3 low = MinOf(shape.mesh->bounds()), high = MaxOf(shape.mesh->bounds());
      return {position + ToMatrix(rotation) * ((low + high) * 0.5f),
              kRoom * 0.5 * Length(ToDouble(high - low))};
    }
    case ShapeKind::kCompound:
      return {position, kRoom * shape.compound->radii().outer};
    case ShapeKind::kPlane:  // without end
    case ShapeKind::kHeightField:
      break;
  }
  const HeightField& field = *shape.height_field;
  const Vec3 low{0.0f, field.min_height(), 0.0f};
  const Vec3 high{field.width(), field.max_height(), field.depth()};
  return {position + (low + high) * 0.5f,
          kRoom * 0.5 * Length(ToDouble(high - low)) + field.spacing()};
}

}  // namespace

bool FarRay::IsFar(const RayCast& ray) {
  return !IsWithin(ray.origin, kFar) || !IsWithin(ray.translation, kLong);
}

// The moment is made from the translation first and divided afterwards: products of floats are
// exact; those of a rounded direction would not be.
FarRay::FarRay(const RayCast& ray) : ray_(ray), length_(Length(ToDouble(ray.translation))) {
  const Double3 origin = ToDouble(ray.origin);
  const Double3 translation = ToDouble(ray.translation);
  const double inverse = length_ > 0.0 ? 1.0 / length_ : 0.0;
  direction_ = translation * inverse;
  moment_ = Cross(origin, translation) * inverse;
  begin_ = Dot(origin, translation) * inverse;
}

std::optional<FarRay::Hit> FarRay::Cast(double max_along, const Shape& shape, Vec3 position,
                                        Quat rotation) const {
  if (IsInside(ray_.origin, shape, position, rotation)) {
    return Hit{begin_, length_ == 0.0 ? Vec3{0, 1, 0} : ToFloat(-direction_),
               ChildAt(ray_.origin, shape, position, rotation),
               MaterialAt(ray_.origin, shape, position)};
  }
  if (length_ == 0.0) return std::nullopt;
  if (shape.kind == ShapeKind::kPlane) return CastAtPlane(max_along, shape, position, rotation);
  const Around around = AroundOf(shape, position, rotation);
  const Double3 centre = ToDouble(around.centre);
  // From the centre to the closest point of the line: direction x (moment - centre x direction).
  const Double3 closest = Cross(direction_, moment_ - Cross(centre, direction_));
  const double room = around.radius * around.radius - Dot(closest, closest);
  if (room < 0.0) return std::nullopt;
  const double middle = Dot(centre, direction_);
  const double half = std::sqrt(room);
  const double enter = std::max(-half, begin_ - middle);
  const double leave = std::min(half, std::min(max_along, end()) - middle);
  if (enter > leave) return std::nullopt;
  // The part that is near, as a ray of its own. Relative to the centre its numbers are small.
  const RayCast part{ToFloat(closest + direction_ * enter), ToFloat(direction_ * (leave - enter))};
  const Vec3 shape_at = position - around.centre;
  const std::optional<ShapeHit> hit =
      shape.kind == ShapeKind::kHeightField
          ? CastAgainstSurface({part.origin - shape_at, part.translation}, 1.0f,
                               *shape.height_field)
          : CastInFloats(part, 1.0f, shape, shape_at, rotation);
  if (!hit) return std::nullopt;
  return Hit{middle + (enter + hit->fraction * (leave - enter)), hit->normal, hit->child,
             hit->material};
}

// Where a line with direction d and moment m meets the points n p = e: (e d + n x m) / (n d).
std::optional<FarRay::Hit> FarRay::CastAtPlane(double max_along, const Shape& plane, Vec3 position,
                                               Quat rotation) const {
  const HalfSpace space(plane, position, ToMatrix(rotation), {});
  const double rate = Dot(space.normal(), direction_);
  if (!(rate < 0.0)) return std::nullopt;
  const Double3 across = Cross(space.normal(), moment_);
  const double along = std::max((space.offset() + Dot(across, direction_)) / rate, begin_);
  if (!(along <= std::min(max_along, end()))) return std::nullopt;
  return Hit{along, ToFloat(space.normal())};
}

float FarRay::FractionAt(double along) const {
  if (length_ == 0.0) return 0.0f;
  const double fraction = std::clamp((along - begin_) / length_, 0.0, 1.0);
  const auto rounded = static_cast<float>(fraction);
  return rounded >= fraction ? rounded : std::nextafter(rounded, 2.0f);
}

Vec3 FarRay::PointAt(double along) const {
  if (along == begin_) return ray_.origin;
  return ToFloat(Cross(direction_, moment_) + direction_ * along);
}

}  // namespace nowait
