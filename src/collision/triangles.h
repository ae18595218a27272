// VisitTriangles: the surface of a placed shape as triangles, as far as it meets a box.
//
// The triangles go to a visitor one by one; no list of them is made. Vertices run counter-clockwise
// seen from outside. Boxes, hulls, fields and meshes are exact up to rounding. A sphere, a capsule
// and a cylinder are inside their triangles, which are never farther from the surface than
// kRoundError of the radius. A plane has no end: its triangles are the part of it in the box. A
// body's shape can be copied under its lock and taken apart without it (WorldView::Collect): data
// that it refers to outlive the world. The children of a compound are visited one after the other,
// also where they are inside each other.
//
// Thread safety: pure functions; any thread. No allocation; no libm.
// Promise: each triangle whose axis-aligned box touches `box` is visited once, and no other one, in
// an order that depends on the shape alone; of a mesh that is turned, one may be left out that does
// not touch `box` itself. A box that is inside out, or has a NaN, meets nothing.
// Complexity: of a height field, linear in the cells below the box; of a mesh, in the triangles
// around it; otherwise in the triangles of the shape.
//
// Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_COLLISION_TRIANGLES_H_
#define NOWAIT_SRC_COLLISION_TRIANGLES_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/bodies/shape.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/half_space.h"
#include "src/collision/height_field.h"
#include "src/collision/polygon.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/bounds.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// Of the radius, between a round surface and its triangles.
inline constexpr float kRoundError = 0.04f;

// Which space beside its surface a shape fills.
enum class Fill : std::uint8_t {
  kInside,   // all that the surface encloses; the shape is convex, or each of its parts is
  kBelow,    // everything below the surface
  kNothing,  // the surface is a sheet
};
// A plane that does not look up is taken for a sheet.
inline Fill FillOf(const Shape& shape, Quat rotation) {
  if (shape.kind == ShapeKind::kMesh) return Fill::kNothing;
  if (shape.kind == ShapeKind::kPlane) {
    return Rotate(rotation, shape.normal).y > 0.0f ? Fill::kBelow : Fill::kNothing;
  }
  return shape.kind == ShapeKind::kHeightField ? Fill::kBelow : Fill::kInside;
}

namespace surface {

// A circle has sixteen sides, and the arc from pole to pole eight.
inline constexpr std::uint32_t kSides = 16;
inline constexpr std::uint32_t kBands = kSides / 2;
// Around a circle of radius one: 1 / cos(pi / 16). Around a ball: its flattest band has a distance
// of 0.9627 from the centre where its vertices have one.
inline constexpr float kAroundCircle = 1.0196f;
inline constexpr float kAroundBall = 1.0389f;

// The cosine of step * 2 pi / 16.
constexpr float Cosine(std::uint32_t step) {
  constexpr std::array<float, 5> kQuarter{1.0f, 0.92387953f, 0.70710678f, 0.38268343f, 0.0f};
  step %= kSides;
  if (step > kSides / 2) step = kSides - step;
  return step <= kSides / 4 ? kQuarter[step] : -kQuarter[kSides / 2 - step];
}
constexpr float Sine(std::uint32_t step) { return Cosine(step + kSides - kSides / 4); }

// Two triangles of a quadrangle whose corners run counter-clockwise seen from outside.
template <class Emit>
void Quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Emit&& emit) {
  emit(a, b, c);
  emit(a, c, d);
}

template <class Emit>
void OfBox(Vec3 half, Emit&& emit) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto corner = [&](float side, float u, float v) {
      Vec3 at;
      at.Set(axis, side * half[axis]);
      at.Set((axis + 1) % 3, u * half[(axis + 1) % 3]);
      at.Set((axis + 2) % 3, v * half[(axis + 2) % 3]);
      return at;
    };
    Quad(corner(1, -1, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, -1, 1), emit);
    Quad(corner(-1, -1, -1), corner(-1, -1, 1), corner(-1, 1, 1), corner(-1, 1, -1), emit);
  }
}

// A sphere has a half height of zero.
template <class Emit>
void OfCapsule(float half_height, float radius, Emit&& emit) {
  const auto at = [&](std::uint32_t band, std::uint32_t side, float end) {
    // Bands run from the lower pole to the upper one.
    const float width = radius * kAroundBall * Sine(band);
    const float y = -radius * kAroundBall * Cosine(band) + end * half_height;
    return Vec3{width * Cosine(side), y, width * Sine(side)};
  };
  for (std::uint32_t side = 0; side < kSides; ++side) {
    for (std::uint32_t band = 0; band < kBands; ++band) {
      const float end = band < kBands / 2 ? -1.0f : 1.0f;
      const Vec3 a = at(band, side, end), b = at(band + 1, side, end);
      const Vec3 c = at(band + 1, side + 1, end), d = at(band, side + 1, end);
      if (band == 0) {
        emit(a, b, c);
      } else if (band + 1 == kBands) {
        emit(a, b, d);
      } else {
        Quad(a, b, c, d, emit);
      }
    }
    if (half_height == 0.0f) continue;
    constexpr std::uint32_t kEquator = kBands / 2;
    Quad(at(kEquator, side, -1), at(kEquator, side, 1), at(kEquator, side + 1, 1),
         at(kEquator, side + 1, -1), emit);
  }
}

template <class Emit>
void OfCylinder(float half_height, float radius, Emit&& emit) {
  const auto at = [&](std::uint32_t side, float end) {
    const float width = radius * kAroundCircle;
    return Vec3{width * Cosine(side), end * half_height, width * Sine(side)};
  };
  for (std::uint32_t side = 0; side < kSides; ++side) {
    Quad(at(side, -1), at(side, 1), at(side + 1, 1), at(side + 1, -1), emit);
    emit(Vec3{0, half_height, 0}, at(side + 1, 1), at(side, 1));
    emit(Vec3{0, -half_height, 0}, at(side, -1), at(side + 1, -1));
  }
}

template <class Emit>
void OfHull(const ConvexHull& hull, Emit&& emit) {
  const std::span<const Vec3> vertices = hull.vertices();
  for (std::size_t face = 0; face < hull.planes().size(); ++face) {
    const std::span<const std::uint8_t> corners = hull.CornersOf(face);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      emit(vertices[corners[0]], vertices[corners[i - 1]], vertices[corners[i]]);
    }
  }
}

// The part of the surface in `box`, as a fan of up to six corners. Along the axis that is nearest
// to the normal, the surface has a height over each corner of the box, with a slope of at most one.
// That quadrangle is cut at the two sides of the box that it may pass.
template <class Emit>
void OfPlane(const HalfSpace& space, const Bounds<3>& box, Emit&& emit) {
  const Double3& normal = space.normal();
  const Vec3 size = Abs(ToFloat(normal));
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto end = [](float at) { return std::clamp(at, -kPlaneReach, kPlaneReach); };
  const auto corner = [&](float at_u, float at_v) {
    Vec3 at;
    at.Set(u, end(at_u));
    at.Set(v, end(at_v));
    const double along = axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z;
    at.Set(axis, static_cast<float>(-space.DistanceOf(ToDouble(at)) / along));
    return at;
  };
  Polygon part;
  part.Add(corner(box.min[u], box.min[v]));
  const bool turns_left = ToFloat(normal)[axis] > 0.0f;
  part.Add(turns_left ? corner(box.max[u], box.min[v]) : corner(box.min[u], box.max[v]));
  part.Add(corner(box.max[u], box.max[v]));
  part.Add(turns_left ? corner(box.min[u], box.max[v]) : corner(box.max[u], box.min[v]));
  Vec3 outward;
  outward.Set(axis, 1.0f);
  part.Clip(outward, end(box.max[axis]), 0);
  part.Clip(-outward, -end(box.min[axis]), 1);
  for (std::uint32_t i = 2; i < part.count(); ++i) {
    emit(part[0].position, part[i - 1].position, part[i].position);
  }
}

// Only the cells below `box`, which is in the field's frame.
template <class Emit>
void OfField(const HeightField& field, const Bounds<3>& box, Emit&& emit) {
  const HeightField::CellRange cells =
      field.CellsIn(box.min[0], box.max[0], box.min[2], box.max[2]);
  if (cells.empty) return;
  for (std::uint32_t k = cells.first_k; k <= cells.last_k; ++k) {
    for (std::uint32_t i = cells.first_i; i <= cells.last_i; ++i) {
      for (std::uint32_t which = 0; which < 2 && !field.IsHole(i, k); ++which) {
        const auto triangle = field.TriangleAt(i, k, which);
        emit(triangle.vertices[0], triangle.vertices[1], triangle.vertices[2]);
      }
    }
  }
}

// Round a box of the world as it is seen from a frame, with room for the rounding.
inline Bounds<3> BoxInFrame(const Bounds<3>& box, Vec3 position, const Mat3& frame) {
  const auto finite = [](float x) { return std::clamp(x, -kLargeFloat, kLargeFloat); };
  const Vec3 low{finite(box.min[0]), finite(box.min[1]), finite(box.min[2])};
  const Vec3 high{finite(box.max[0]), finite(box.max[1]), finite(box.max[2])};
  const Vec3 middle = TransposeTimes(frame, 0.5f * low + 0.5f * high - position);
  const Vec3 half = BoxHalfExtents(Transpose(frame), 0.5f * high - 0.5f * low);
  const Vec3 size = Max(Abs(low), Abs(high)) + Abs(position) + Vec3{1.0f, 1.0f, 1.0f};
  const float room = 1e-6f * (size.x + size.y + size.z);
  const Vec3 reach = half + Vec3{room, room, room};
  return ToBounds(middle - reach, middle + reach);
}

}  // namespace surface

// Calls visit(Vec3 a, Vec3 b, Vec3 c) for the triangles of the shape, in the world's frame. shape:
// valid; position in metres; rotation of unit length; visit makes no change of the shape.
template <class Visit>
void VisitTriangles(const Shape& shape, Vec3 position, Quat rotation, const Bounds<3>& box,
                    Visit&& visit) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(box.min[axis] <= box.max[axis])) return;
  }
  const Mat3 frame = ToMatrix(rotation);
  const auto place = [&](Vec3 p) { return position + frame * p; };
  const auto emit = [&](Vec3 a, Vec3 b, Vec3 c) {
    a = place(a);
    b = place(b);
    c = place(c);
    const Vec3 low = Min(a, Min(b, c)), high = Max(a, Max(b, c));
    if (Overlaps(box, Bounds<3>{{low.x, low.y, low.z}, {high.x, high.y, high.z}})) visit(a, b, c);
  };
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return surface::OfCapsule(0.0f, shape.radius, emit);
    case ShapeKind::kCapsule:
      return surface::OfCapsule(shape.half_height, shape.radius, emit);
    case ShapeKind::kBox:
      return surface::OfBox(shape.half, emit);
    case ShapeKind::kCylinder:
      return surface::OfCylinder(shape.half_height, shape.radius, emit);
    case ShapeKind::kHull:
      return surface::OfHull(*shape.hull, emit);
    case ShapeKind::kHeightField: {
      // A field is not turned. Its cells are found with room for the rounding of the difference.
      Bounds<3> in_field = box;
      for (int axis = 0; axis < 3; ++axis) {
        const auto room = [&](float end) {
          return 1e-6f * (std::abs(position[axis]) + std::abs(end) + 1.0f);
        };
        in_field.min[axis] -= position[axis] + room(box.min[axis]);
        in_field.max[axis] -= position[axis] - room(box.max[axis]);
      }
      return surface::OfField(*shape.height_field, in_field, emit);
    }
    case ShapeKind::kCompound:
      return VisitParts(shape, position, rotation, [&](const Shape& part, Vec3 at, Quat turn) {
        VisitTriangles(part, at, turn, box, visit);
      });
    case ShapeKind::kPlane:
      return surface::OfPlane(HalfSpace(shape, position, frame, {}), box, visit);
    case ShapeKind::kMesh: {
      const Bounds<3> in_mesh = surface::BoxInFrame(box, position, frame);
      return shape.mesh->VisitTriangles(in_mesh, [&](const TriangleMesh::Triangle& triangle) {
        emit(triangle.vertices[0], triangle.vertices[1], triangle.vertices[2]);
      });
    }
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_TRIANGLES_H_
