#include "src/collision/shape_geometry.h"

#include <algorithm>
#include <cmath>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/half_space.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

constexpr float kPi = 3.14159265f;
constexpr float kMinSize = 1e-3f;
constexpr float kMaxSize = 1e4f;
constexpr float kMaxDistance = 1e6f;

bool InRange(float size) { return size >= kMinSize && size <= kMaxSize; }  // false for NaN

MassProperties MassOfSphere(float r, float density) {
  const float mass = density * (4.0f / 3.0f) * kPi * (r * r * r);
  const float inertia = 0.4f * mass * (r * r);
  return {mass, {inertia, inertia, inertia}};
}

// A cylinder between two halves of a ball. The centre of mass of a half lies 3/8 of the radius
// beyond its end of the segment; its inertia across is moved there and on to the middle (Steiner).
MassProperties MassOfCapsule(float h, float r, float density) {
  const float cylinder = density * kPi * (r * r) * (2.0f * h);
  const MassProperties ball = MassOfSphere(r, density);
  const float along = 0.5f * cylinder * (r * r) + ball.inertia.y;
  const float across = cylinder * (0.25f * (r * r) + (h * h) / 3.0f) + ball.inertia.x +
                       ball.mass * (h * h + 0.75f * (h * r));
  return {cylinder + ball.mass, {across, along, across}};
}

MassProperties MassOfCylinder(float h, float r, float density) {
  const float mass = density * kPi * (r * r) * (2.0f * h);
  const float across = mass * (0.25f * (r * r) + (h * h) / 3.0f);
  return {mass, {across, 0.5f * mass * (r * r), across}};
}

MassProperties MassOfBox(Vec3 h, float density) {
  const float mass = density * 8.0f * (h.x * h.y * h.z);
  const float third = mass / 3.0f;
  return {mass,
          {third * (h.y * h.y + h.z * h.z), third * (h.x * h.x + h.z * h.z),
           third * (h.x * h.x + h.y * h.y)}};
}

Bounds<3> BoundsOfHull(const ConvexHull& hull, Vec3 position, const Mat3& frame) {
  Vec3 low = frame * hull.vertices()[0], high = low;
  for (const Vec3& vertex : hull.vertices().subspan(1)) {
    const Vec3 turned = frame * vertex;
    low = Min(low, turned);
    high = Max(high, turned);
  }
  return ToBounds(position + low, position + high);
}

Bounds<3> BoundsOfCompound(const CompoundShape& compound, Vec3 position, const Mat3& frame) {
  Bounds<3> all = Bounds<3>::Empty();
  for (const CompoundShape::Child& child : compound.children()) {
    all.Include(BoundsIn(child.shape, position + frame * child.position, frame * child.frame));
  }
  return all;
}

Radii RadiiOfHull(const ConvexHull& hull) {
  float inner = hull.radius();
  for (const HullPlane& plane : hull.planes()) inner = std::min(inner, plane.offset);
  return {inner, hull.radius(), hull.radius()};
}

Result<void> CheckSize(float size, const char* name) {
  if (InRange(size)) return {};
  return Fail(ErrorCode::kInvalidArgument, name, 0, "0.001 .. 10000 metres");
}

// Shape::Plane has left a normal at zero or at NaN that has no direction in floats.
Result<void> CheckPlane(const Shape& plane) {
  if (!(std::abs(LengthSquared(plane.normal) - 1.0f) <= 1e-5f)) {
    return Fail(ErrorCode::kInvalidArgument, "plane normal", 0, "it has no direction");
  }
  if (!(std::abs(plane.distance) <= kMaxDistance)) {
    return Fail(ErrorCode::kInvalidArgument, "plane distance", 0, "not within 1e6 metres");
  }
  return {};
}

}  // namespace

Bounds<3> BoundsOf(const Shape& shape, Vec3 position, Quat rotation) {
  return BoundsIn(shape, position, ToMatrix(rotation));
}

Bounds<3> BoundsIn(const Shape& shape, Vec3 position, const Mat3& frame) {
  switch (shape.kind) {
    case ShapeKind::kSphere: {
      const Vec3 half{shape.radius, shape.radius, shape.radius};
      return ToBounds(position - half, position + half);
    }
    case ShapeKind::kCapsule: {
      const Vec3 half =
          Abs(frame.y) * shape.half_height + Vec3{shape.radius, shape.radius, shape.radius};
      return ToBounds(position - half, position + half);
    }
    case ShapeKind::kBox: {
      const Vec3 half = BoxHalfExtents(frame, shape.half);
      return ToBounds(position - half, position + half);
    }
    case ShapeKind::kCylinder: {
      // A disc reaches as far along an axis as the sine of the angle between its own axis and that.
      const auto reach = [&](float cosine) {
        return shape.radius * std::sqrt(std::max(1.0f - cosine * cosine, 0.0f));
      };
      const Vec3 half = Abs(frame.y) * shape.half_height +
                        Vec3{reach(frame.y.x), reach(frame.y.y), reach(frame.y.z)};
      return ToBounds(position - half, position + half);
    }
    case ShapeKind::kHull:
      return BoundsOfHull(*shape.hull, position, frame);
    case ShapeKind::kMesh: {
      const Bounds<3>& own = shape.mesh->bounds();
      const Vec3 centre = (MinOf(own) + MaxOf(own)) * 0.5f;
      const Vec3 half = BoxHalfExtents(frame, MaxOf(own) - centre);
      return ToBounds(position + frame * centre - half, position + frame * centre + half);
    }
    case ShapeKind::kCompound:
      return BoundsOfCompound(*shape.compound, position, frame);
    case ShapeKind::kPlane:
      return HalfSpace(shape, position, frame, {}).BoundsOf();
    case ShapeKind::kHeightField:
      break;
  }
  const HeightField& field = *shape.height_field;
  return ToBounds(position + Vec3{0.0f, field.min_height() - kGroundDepth, 0.0f},
                  position + Vec3{field.width(), field.max_height(), field.depth()});
}

Radii RadiiOf(const Shape& shape) {
  const float h = shape.half_height, r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return {r, r, 0.0f};
    case ShapeKind::kCapsule:
      return {r, h + r, h};
    case ShapeKind::kBox: {
      const float outer = Length(shape.half);
      return {std::min({shape.half.x, shape.half.y, shape.half.z}), outer, outer};
    }
    case ShapeKind::kCylinder: {
      const float outer = std::sqrt(h * h + r * r);
      return {std::min(h, r), outer, outer};
    }
    case ShapeKind::kHull:
      return RadiiOfHull(*shape.hull);
    case ShapeKind::kCompound:
      return shape.compound->radii();
    case ShapeKind::kHeightField:
    case ShapeKind::kMesh:
    case ShapeKind::kPlane:
      break;
  }
  return {};
}

MassProperties MassOf(const Shape& shape, float density) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return MassOfSphere(shape.radius, density);
    case ShapeKind::kCapsule:
      return MassOfCapsule(shape.half_height, shape.radius, density);
    case ShapeKind::kBox:
      return MassOfBox(shape.half, density);
    case ShapeKind::kCylinder:
      return MassOfCylinder(shape.half_height, shape.radius, density);
    case ShapeKind::kHull:
      return {density * shape.hull->volume(), shape.hull->inertia() * density};
    case ShapeKind::kCompound:
      return {density * shape.compound->mass(), shape.compound->inertia() * density};
    case ShapeKind::kHeightField:
    case ShapeKind::kMesh:
    case ShapeKind::kPlane:
      break;
  }
  return {};  // it does not move
}

Result<void> Validate(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return CheckSize(shape.radius, "radius");
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      if (Result<void> valid = CheckSize(shape.half_height, "half height"); !valid) return valid;
      return CheckSize(shape.radius, "radius");
    case ShapeKind::kBox:
      for (int axis = 0; axis < 3; ++axis) {
        if (Result<void> valid = CheckSize(shape.half[axis], "half extents"); !valid) return valid;
      }
      return {};
    case ShapeKind::kHull:
      if (shape.hull == nullptr) return Fail(ErrorCode::kInvalidArgument, "hull", 0, "it is null");
      return {};
    case ShapeKind::kMesh:
      if (shape.mesh == nullptr) return Fail(ErrorCode::kInvalidArgument, "mesh", 0, "it is null");
      return {};
    case ShapeKind::kCompound:
      if (shape.compound == nullptr) {
        return Fail(ErrorCode::kInvalidArgument, "compound", 0, "it is null");
      }
      return {};
    case ShapeKind::kPlane:
      return CheckPlane(shape);
    case ShapeKind::kHeightField:
      if (shape.height_field == nullptr) {
        return Fail(ErrorCode::kInvalidArgument, "height field", 0, "it is null");
      }
      return {};
  }
  return Fail(ErrorCode::kInvalidArgument, "shape kind");
}

}  // namespace nowait
