// Rays against spheres, capsules, boxes and planes, and the choice by kind.
//
// Source: C. Ericson, "Real-Time Collision Detection", sections 5.3.1 (plane), 5.3.2 (sphere),
// 5.3.3 (slabs) and 5.3.7 (cylinder).
#include "src/collision/ray_cast.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/collision/convex_hull.h"
#include "src/collision/far_ray.h"
#include "src/collision/half_space.h"
#include "src/collision/ray_cast_compound.h"
#include "src/collision/ray_cast_convex.h"
#include "src/collision/ray_cast_field.h"
#include "src/collision/ray_cast_mesh.h"

namespace nowait {
namespace {

std::optional<ShapeHit> FromInside(const RayCast& ray) {
  return ShapeHit{0.0f, NormaliseOr(-ray.translation, {0, 1, 0})};
}

std::optional<ShapeHit> CastAgainstSphere(const RayCast& ray, float max_fraction, float radius,
                                          Vec3 centre) {
  const Vec3 from = ray.origin - centre;
  if (LengthSquared(from) <= radius * radius) return FromInside(ray);
  const float squared = LengthSquared(ray.translation);
  if (!(squared > 0.0f)) return std::nullopt;
  // From the point of the line that is closest to the centre: subtracting the squares of long
  // distances would lose the digits that matter.
  const float middle = -Dot(from, ray.translation) / squared;
  const Vec3 closest = from + ray.translation * middle;
  const float room = radius * radius - LengthSquared(closest);
  if (room < 0.0f) return std::nullopt;
  const float fraction = middle - std::sqrt(room / squared);
  if (!(fraction >= 0.0f && fraction <= max_fraction)) return std::nullopt;
  return ShapeHit{fraction, NormaliseOr(from + ray.translation * fraction, {0, 1, 0})};
}

// `point` in the capsule's frame.
bool IsInCapsule(Vec3 point, float half_height, float radius) {
  point.y -= std::clamp(point.y, -half_height, half_height);
  return LengthSquared(point) <= radius * radius;
}

// The side is met where the infinite cylinder is met between the ends; elsewhere the ray meets the
// ball at the end that it comes to.
std::optional<ShapeHit> CastAgainstCapsule(const RayCast& ray, float max_fraction,
                                           const Shape& capsule, Vec3 position, Quat rotation) {
  const Mat3 frame = ToMatrix(rotation);
  const float radius = capsule.radius;
  const Vec3 from = TransposeTimes(frame, ray.origin - position);
  const Vec3 along = TransposeTimes(frame, ray.translation);
  if (IsInCapsule(from, capsule.half_height, radius)) return FromInside(ray);
  // Seen along the axis the cylinder is a circle.
  const Vec3 flat_from{from.x, 0.0f, from.z}, flat_along{along.x, 0.0f, along.z};
  const float squared = LengthSquared(flat_along);
  float enter = 0.0f;  // into the cylinder; at once for a ray along the axis
  if (squared > 0.0f) {
    const float middle = -Dot(flat_from, flat_along) / squared;
    const float room = radius * radius - LengthSquared(flat_from + flat_along * middle);
    if (room < 0.0f) return std::nullopt;
    const float half = std::sqrt(room / squared);
    if (middle + half < 0.0f) return std::nullopt;  // it leads away
    enter = middle - half;
  }
  const float y = from.y + along.y * enter;
  if (enter >= 0.0f && squared > 0.0f && std::abs(y) <= capsule.half_height) {
    if (!(enter <= max_fraction)) return std::nullopt;
    const Vec3 out = flat_from + flat_along * enter;
    return ShapeHit{enter, frame * NormaliseOr(out, {1, 0, 0})};
  }
  const float beside = enter >= 0.0f ? y : from.y;
  const float end = beside > 0.0f ? capsule.half_height : -capsule.half_height;
  std::optional<ShapeHit> hit = CastAgainstSphere({from, along}, max_fraction, radius, {0, end, 0});
  if (hit) hit->normal = frame * hit->normal;
  return hit;
}

std::optional<ShapeHit> CastAgainstBox(const RayCast& ray, float max_fraction, Vec3 half,
                                       Vec3 position, Quat rotation) {
  const Mat3 frame = ToMatrix(rotation);
  const Vec3 from = TransposeTimes(frame, ray.origin - position);
  const Vec3 along = TransposeTimes(frame, ray.translation);
  float enter = -1.0f;
  float leave = max_fraction;
  int enter_axis = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const float inverse = 1.0f / along[axis];
    if (!std::isfinite(inverse)) {  // parallel, or so nearly that no way leads across
      if (std::abs(from[axis]) > half[axis]) return std::nullopt;
      continue;
    }
    float near = (-half[axis] - from[axis]) * inverse;
    float far = (half[axis] - from[axis]) * inverse;
    if (near > far) std::swap(near, far);
    if (near > enter) {
      enter = near;
      enter_axis = axis;
    }
    if (far < leave) leave = far;
    if (enter > leave || leave < 0.0f) return std::nullopt;
  }
  if (enter < 0.0f) return FromInside(ray);
  Vec3 normal;
  normal.Set(enter_axis, along[enter_axis] > 0.0f ? -1.0f : 1.0f);
  return ShapeHit{enter, frame * normal};
}

std::optional<ShapeHit> CastAgainstPlane(const RayCast& ray, float max_fraction, const Shape& plane,
                                         Vec3 position, Quat rotation) {
  const HalfSpace space(plane, position, ToMatrix(rotation), ray.origin);
  const double above = space.DistanceOf({});
  if (above <= 0.0) return FromInside(ray);
  const double rate = -Dot(space.normal(), ToDouble(ray.translation));
  if (!(rate > 0.0)) return std::nullopt;
  const auto fraction = static_cast<float>(above / rate);
  if (!(fraction <= max_fraction)) return std::nullopt;
  return ShapeHit{fraction, ToFloat(space.normal())};
}

// In the shape's frame, by `cast`, and back.
template <class Cast>
std::optional<ShapeHit> CastInFrame(const RayCast& ray, Vec3 position, Quat rotation, Cast cast) {
  const Mat3 frame = ToMatrix(rotation);
  const RayCast local{TransposeTimes(frame, ray.origin - position),
                      TransposeTimes(frame, ray.translation)};
  std::optional<ShapeHit> hit = cast(local);
  if (hit) hit->normal = frame * hit->normal;
  return hit;
}

std::optional<ShapeHit> CastFar(const RayCast& ray, float max_fraction, const Shape& shape,
                                Vec3 position, Quat rotation) {
  const FarRay far(ray);
  const double max_along = far.begin() + (far.end() - far.begin()) * max_fraction;
  const std::optional<FarRay::Hit> hit = far.Cast(max_along, shape, position, rotation);
  if (!hit) return std::nullopt;
  return ShapeHit{std::min(far.FractionAt(hit->along), max_fraction), hit->normal, hit->child,
                  hit->material};
}

}  // namespace

bool IsInside(Vec3 point, const Shape& shape, Vec3 position, Quat rotation) {
  const Vec3 from = point - position;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return LengthSquared(from) <= shape.radius * shape.radius;
    case ShapeKind::kCapsule: {
      const Vec3 local = TransposeTimes(ToMatrix(rotation), from);
      return IsInCapsule(local, shape.half_height, shape.radius);
    }
    case ShapeKind::kBox: {
      const Vec3 local = Abs(TransposeTimes(ToMatrix(rotation), from));
      return local.x <= shape.half.x && local.y <= shape.half.y && local.z <= shape.half.z;
    }
    case ShapeKind::kCylinder: {
      const Vec3 local = TransposeTimes(ToMatrix(rotation), from);
      return IsInCylinder(local, shape.half_height, shape.radius);
    }
    case ShapeKind::kHull:
      return IsInHull(TransposeTimes(ToMatrix(rotation), from), *shape.hull);
    case ShapeKind::kMesh:
      return false;
    case ShapeKind::kCompound:
      return ChildAround(TransposeTimes(ToMatrix(rotation), from), *shape.compound).has_value();
    case ShapeKind::kPlane:
      return HalfSpace(shape, position, ToMatrix(rotation), point).DistanceOf({}) <= 0.0;
    case ShapeKind::kHeightField:
      break;
  }
  return IsBelowSurface(from, *shape.height_field);
}

std::uint32_t ChildAt(Vec3 point, const Shape& shape, Vec3 position, Quat rotation) {
  if (shape.kind != ShapeKind::kCompound) return 0;
  const Vec3 local = TransposeTimes(ToMatrix(rotation), point - position);
  return ChildAround(local, *shape.compound).value_or(0);
}

std::uint8_t MaterialAt(Vec3 point, const Shape& shape, Vec3 position) {
  if (shape.kind != ShapeKind::kHeightField) return 0;
  return shape.height_field->MaterialAt(point.x - position.x, point.z - position.z);
}

std::optional<ShapeHit> CastAgainstShape(const RayCast& ray, float max_fraction, const Shape& shape,
                                         Vec3 position, Quat rotation) {
  if (FarRay::IsFar(ray)) return CastFar(ray, max_fraction, shape, position, rotation);
  return CastInFloats(ray, max_fraction, shape, position, rotation);
}

std::optional<ShapeHit> CastInFloats(const RayCast& ray, float max_fraction, const Shape& shape,
                                     Vec3 position, Quat rotation) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return CastAgainstSphere(ray, max_fraction, shape.radius, position);
    case ShapeKind::kCapsule:
      return CastAgainstCapsule(ray, max_fraction, shape, position, rotation);
    case ShapeKind::kBox:
      return CastAgainstBox(ray, max_fraction, shape.half, position, rotation);
    case ShapeKind::kCylinder:
      return CastInFrame(ray, position, rotation, [&](const RayCast& local) {
        return CastAgainstCylinder(local, max_fraction, shape.half_height, shape.radius);
      });
    case ShapeKind::kHull:
      return CastInFrame(ray, position, rotation, [&](const RayCast& local) {
        return CastAgainstHull(local, max_fraction, *shape.hull);
      });
    case ShapeKind::kMesh:
      return CastInFrame(ray, position, rotation, [&](const RayCast& local) {
        return CastAgainstMesh(local, max_fraction, *shape.mesh);
      });
    case ShapeKind::kCompound:
      return CastInFrame(ray, position, rotation, [&](const RayCast& local) {
        return CastAgainstCompound(local, max_fraction, *shape.compound);
      });
    case ShapeKind::kPlane:
      return CastAgainstPlane(ray, max_fraction, shape, position, rotation);
    case ShapeKind::kHeightField:
      break;
  }
  return CastAgainstField({ray.origin - position, ray.translation}, max_fraction,
                          *shape.height_field);
}

}  // namespace nowait
