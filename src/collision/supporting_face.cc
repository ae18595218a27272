#include "src/collision/supporting_face.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "src/collision/convex_hull.h"

namespace nowait {
namespace {

constexpr std::uint32_t kDiscCorners = 12;

// Twelve corners of a circle, counter-clockwise seen from its axis.
constexpr float kHalf = 0.5f, kRoot = 0.8660254f;
constexpr std::array<std::array<float, 2>, kDiscCorners> kCircle = {{{1, 0},
                                                                     {kRoot, kHalf},
                                                                     {kHalf, kRoot},
                                                                     {0, 1},
                                                                     {-kHalf, kRoot},
                                                                     {-kRoot, kHalf},
                                                                     {-1, 0},
                                                                     {-kRoot, -kHalf},
                                                                     {-kHalf, -kRoot},
                                                                     {0, -1},
                                                                     {kHalf, -kRoot},
                                                                     {kRoot, -kHalf}}};

// A disc that is tilted less (the sine) has no furthest point worth a corner.
constexpr float kTilted = 0.02f;

// A furthest point nearer to a corner (the cosine of two degrees) is that corner.
constexpr float kSameCorner = 0.9994f;

// A direction nearer to the axis of a capsule than this (the cosine) points at its end.
constexpr float kAtEnd = 0.70710678f;

SupportingFace OfBox(const Placed& box, Vec3 at, Vec3 local) {
  const Vec3 size = Abs(local), half = box.shape->half;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const float side = local[axis] < 0.0f ? -1.0f : 1.0f;
  const Vec3 normal = box.rotation.Column(axis) * side;
  const Vec3 middle = at + normal * half[axis];
  // On the lower side the other two axes change places, so that the corners turn the other way.
  const int u = (axis + (side > 0.0f ? 1 : 2)) % 3, v = (axis + (side > 0.0f ? 2 : 1)) % 3;
  const Vec3 along_u = box.rotation.Column(u) * half[u];
  const Vec3 along_v = box.rotation.Column(v) * half[v];
  SupportingFace face;
  face.normal = normal;
  face.number = static_cast<std::uint32_t>(2 * axis + (side > 0.0f ? 1 : 0));
  face.Add((middle + along_u) + along_v);
  face.Add((middle - along_u) + along_v);
  face.Add((middle - along_u) - along_v);
  face.Add((middle + along_u) - along_v);
  return face;
}

SupportingFace OfHull(const Placed& placed, Vec3 at, Vec3 local) {
  const ConvexHull& hull = *placed.shape->hull;
  const std::size_t number = hull.FaceTowards(local);
  const auto corners = hull.CornersOf(number);
  SupportingFace face;
  face.normal = placed.rotation * hull.planes()[number].normal;
  face.number = static_cast<std::uint32_t>(number);
  const std::size_t count = std::min<std::size_t>(corners.size(), kDiscCorners);
  for (std::size_t i = 0; i < count; ++i) {
    face.Add(at + placed.rotation * hull.vertices()[corners[i * corners.size() / count]]);
  }
  return face;
}

// Between which two corners of the circle a direction lies: behind the one of this number.
std::size_t CornerBefore(Vec3 across, float side) {
  std::size_t best = 0;
  float most = -1e30f;
  for (std::size_t k = 0; k < kDiscCorners; ++k) {
    const auto& from = kCircle[k];
    const auto& to = kCircle[(k + 1) % kDiscCorners];
    const float here = across.x * (from[0] + to[0]) + side * across.z * (from[1] + to[1]);
    if (here > most) {
      most = here;
      best = k;
    }
  }
  return best;
}

// local: of length one.
SupportingFace OfDisc(const Placed& cylinder, Vec3 at, Vec3 local) {
  const float radius = cylinder.shape->radius, height = cylinder.shape->half_height;
  // Seen from outside, z points the other way on the upper disc.
  const float end = local.y < 0.0f ? -1.0f : 1.0f, side = -end;
  const auto corner = [&](float x, float z) {
    return at + cylinder.rotation * Vec3{radius * x, end * height, radius * z};
  };
  SupportingFace face;
  face.normal = cylinder.rotation.y * end;
  face.number = end > 0.0f ? 1 : 0;
  const Vec3 across{local.x, 0.0f, local.z};
  const float sine = Length(across);
  const std::size_t before = sine > kTilted ? CornerBefore(across, side) : kDiscCorners;
  for (std::size_t k = 0; k < kDiscCorners; ++k) {
    face.Add(corner(kCircle[k][0], side * kCircle[k][1]));
    if (k != before) continue;
    const float x = across.x / sine, z = across.z / sine;
    const auto is_beside = [&](const std::array<float, 2>& other) {
      return x * other[0] + side * z * other[1] > kSameCorner;
    };
    if (is_beside(kCircle[k]) || is_beside(kCircle[(k + 1) % kDiscCorners])) continue;
    face.Add(corner(x, z));
  }
  return face;
}

void AddLine(const Placed& shape, Vec3 middle, SupportingFace& face) {
  const Vec3 half = shape.rotation.y * shape.shape->half_height;
  face.Add(middle - half);
  face.Add(middle + half);
}

SupportingFace OfCylinder(const Placed& cylinder, Vec3 at, Vec3 local) {
  if (std::abs(local.y) >= kAtEnd) return OfDisc(cylinder, at, local);
  SupportingFace face;
  face.number = 2;
  const Vec3 out = cylinder.rotation * NormaliseOr({local.x, 0.0f, local.z}, {1, 0, 0});
  AddLine(cylinder, at + out * cylinder.shape->radius, face);
  return face;
}

SupportingFace OfCapsule(const Placed& capsule, Vec3 at, Vec3 local) {
  SupportingFace face;
  if (std::abs(local.y) < kAtEnd) {
    AddLine(capsule, at, face);
  } else {
    const float end = local.y < 0.0f ? -1.0f : 1.0f;
    face.number = end > 0.0f ? 2 : 1;
    face.Add(at + capsule.rotation.y * (end * capsule.shape->half_height));
  }
  return face;
}

}  // namespace

SupportingFace SupportingFaceOf(const Placed& shape, Vec3 origin, Vec3 direction) {
  const Vec3 at = shape.position - origin;
  const Vec3 local = NormaliseOr(TransposeTimes(shape.rotation, direction), {0, 1, 0});
  switch (shape.shape->kind) {
    case ShapeKind::kBox:
      return OfBox(shape, at, local);
    case ShapeKind::kHull:
      return OfHull(shape, at, local);
    case ShapeKind::kCylinder:
      return OfCylinder(shape, at, local);
    case ShapeKind::kCapsule:
      return OfCapsule(shape, at, local);
    case ShapeKind::kSphere:
    case ShapeKind::kHeightField:
    case ShapeKind::kMesh:
    case ShapeKind::kCompound:
    case ShapeKind::kPlane:
      break;
  }
  SupportingFace point;
  point.Add(at);
  return point;
}

}  // namespace nowait
