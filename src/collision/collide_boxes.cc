// Box against box: the separating axis test, then the points of the axis that separates most.
//
// For a face axis the other box's opposing face is clipped to the sides of the reference face; for
// a pair of edges there is one point, midway between them.
//
// Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996 (the 15 axes); C. Ericson,
// "Real-Time Collision Detection", sections 4.4.1 and 5.1.9 (closest points of segments); D.
// Gregorius, "Robust Contact Creation for Physics Simulations", GDC 2015 (faces before edges).
// Lecture: contacts, the plain solver and the whole physics update.
#include <algorithm>
#include <array>
#include <cmath>

#include "src/collision/collide.h"
#include "src/collision/polygon.h"
#include "src/collision/reduce.h"

namespace nowait {
namespace {

// An edge contact holds a box at one point only, and two faces at different ones: an axis must be
// better by this much than the one before it in the order faces of a, faces of b, edges.
constexpr float kPreference = 0.003f;

// Edges closer to parallel than this (squared sine) have no axis of their own; a face axis serves
// as well.
constexpr float kParallel = 1e-4f;

enum class AxisKind : std::uint8_t { kFaceA, kFaceB, kEdges };

struct Axis {
  AxisKind kind = AxisKind::kFaceA;
  int i = 0;  // the axis of a, if any
  int j = 0;  // the axis of b
  float separation = 0.0f;
  float along = 0.0f;  // how far b's centre is along it
  Vec3 direction;      // of a pair of edges, in the frame of a
};

// The boxes in the frame of a.
struct Pair {
  const Placed& a;
  const Placed& b;
  Mat3 r;  // b's axes
  Mat3 abs_r;
  Vec3 t;  // b's centre

  Pair(const Placed& box_a, const Placed& box_b) : a(box_a), b(box_b) {
    r = Transpose(a.rotation) * b.rotation;
    abs_r = {Abs(r.x), Abs(r.y), Abs(r.z)};
    t = a.ToLocal(b.position);
  }
};

Axis FaceOfA(const Pair& pair, int i) {
  const Vec3 half_b = pair.b.shape->half;
  const float reach =
      (pair.abs_r.x[i] * half_b.x + pair.abs_r.y[i] * half_b.y) + pair.abs_r.z[i] * half_b.z;
  const float along = pair.t[i];
  return {AxisKind::kFaceA, i, 0, std::abs(along) - (pair.a.shape->half[i] + reach), along, {}};
}

Axis FaceOfB(const Pair& pair, int j) {
  const float reach = Dot(pair.abs_r.Column(j), pair.a.shape->half);
  const float along = Dot(pair.t, pair.r.Column(j));
  return {AxisKind::kFaceB, 0, j, std::abs(along) - (pair.b.shape->half[j] + reach), along, {}};
}

// False when the edges are parallel.
bool EdgesOf(const Pair& pair, int i, int j, Axis& axis) {
  Vec3 unit;
  unit.Set(i, 1.0f);
  const Vec3 cross = Cross(unit, pair.r.Column(j));
  const float squared = LengthSquared(cross);
  if (squared < kParallel) return false;
  const Vec3 direction = cross * (1.0f / std::sqrt(squared));
  const float reach_a = Dot(Abs(direction), pair.a.shape->half);
  const float reach_b = Dot(Abs(TransposeTimes(pair.r, direction)), pair.b.shape->half);
  const float along = Dot(pair.t, direction);
  axis = {AxisKind::kEdges, i, j, std::abs(along) - (reach_a + reach_b), along, direction};
  return true;
}

// From a to b, in the world.
Vec3 NormalOf(const Pair& pair, const Axis& axis) {
  const Vec3 normal = axis.kind == AxisKind::kFaceA   ? pair.a.rotation.Column(axis.i)
                      : axis.kind == AxisKind::kFaceB ? pair.b.rotation.Column(axis.j)
                                                      : pair.a.rotation * axis.direction;
  return axis.along < 0.0f ? -normal : normal;
}

// The axes along which the boxes are furthest apart, or overlap least.
struct Axes {
  Axis face;
  Axis edges;
  bool edges_are_better = false;
};

// False when the boxes are further apart than `margin` along an axis.
bool FindAxes(const Pair& pair, float margin, Axes& best) {
  best.face = FaceOfA(pair, 0);
  for (int i = 0; i < 3; ++i) {
    const Axis axis = FaceOfA(pair, i);
    if (axis.separation > margin) return false;
    if (axis.separation > best.face.separation) best.face = axis;
  }
  // A face of b replaces one of a only when it is better by the preference, but the best of b's
  // faces is found without it.
  Axis best_b = FaceOfB(pair, 0);
  for (int j = 0; j < 3; ++j) {
    const Axis axis = FaceOfB(pair, j);
    if (axis.separation > margin) return false;
    if (axis.separation > best_b.separation) best_b = axis;
  }
  if (best_b.separation > best.face.separation + kPreference) best.face = best_b;
  bool has_edges = false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Axis axis;
      if (!EdgesOf(pair, i, j, axis)) continue;
      if (axis.separation > margin) return false;
      if (!has_edges || axis.separation > best.edges.separation) best.edges = axis;
      has_edges = true;
    }
  }
  best.edges_are_better = has_edges && best.edges.separation > best.face.separation + kPreference;
  return true;
}

// The face of `box` that faces `direction` most directly: its axis and its side.
struct Face {
  int axis;
  float side;
};
Face FaceAgainst(const Placed& box, Vec3 direction) {
  const Vec3 local = TransposeTimes(box.rotation, direction);
  const Vec3 size = Abs(local);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  return {axis, local[axis] > 0.0f ? -1.0f : 1.0f};
}

Polygon PolygonOf(const Placed& box, Face face) {
  const int u = (face.axis + 1) % 3;
  const int v = (face.axis + 2) % 3;
  const Vec3 half = box.shape->half;
  const Vec3 centre = box.position + box.rotation.Column(face.axis) * (face.side * half[face.axis]);
  const Vec3 along_u = box.rotation.Column(u) * half[u];
  const Vec3 along_v = box.rotation.Column(v) * half[v];
  Polygon polygon;
  polygon.Add((centre + along_u) + along_v);
  polygon.Add((centre - along_u) + along_v);
  polygon.Add((centre - along_u) - along_v);
  polygon.Add((centre + along_u) - along_v);
  return polygon;
}

std::uint32_t FaceBits(Face face) {
  return static_cast<std::uint32_t>(face.axis) << 1 | (face.side > 0.0f ? 1u : 0u);
}

// normal: out of the reference box's face. flip: the reference box is b.
void AddFacePoints(const Placed& reference, const Placed& incident, int axis, Vec3 normal,
                   bool flip, float margin, Manifold& manifold) {
  const Face incident_face = FaceAgainst(incident, normal);
  Polygon polygon = PolygonOf(incident, incident_face);
  const Vec3 half = reference.shape->half;
  for (std::uint32_t side = 0; side < 2; ++side) {
    const int other = (axis + 1 + static_cast<int>(side)) % 3;
    const Vec3 outward = reference.rotation.Column(other);
    const float centre = Dot(outward, reference.position);
    polygon.Clip(outward, centre + half[other], 2 * side);
    polygon.Clip(-outward, half[other] - centre, 2 * side + 1);
  }
  const float surface = Dot(normal, reference.position) + half[axis];
  const bool positive = Dot(normal, reference.rotation.Column(axis)) > 0.0f;
  const std::uint32_t faces = (flip ? 1u : 0u) << 6 |
                              FaceBits({axis, positive ? 1.0f : -1.0f}) << 3 |
                              FaceBits(incident_face);
  PointList<Polygon::kMaxVertices> points;
  for (std::uint32_t i = 0; i < polygon.count(); ++i) {
    const float separation = Dot(normal, polygon[i].position) - surface;
    if (separation > margin) continue;
    points.Add({polygon[i].position - normal * (0.5f * separation), flip ? -normal : normal,
                separation, faces << 6 | polygon[i].feature});
  }
  Reduce(points.points(), manifold);
}

// The middle of the edge of `box` along `axis` that lies furthest in `direction`.
Vec3 EdgeTowards(const Placed& box, int axis, Vec3 direction, std::uint32_t& bits) {
  Vec3 point = box.position;
  for (int k = 0; k < 3; ++k) {
    if (k == axis) continue;
    const Vec3 column = box.rotation.Column(k);
    const bool positive = Dot(column, direction) > 0.0f;
    point += column * (positive ? box.shape->half[k] : -box.shape->half[k]);
    bits = bits << 1 | (positive ? 1u : 0u);
  }
  return point;
}

// False when the two edges are further apart than `margin`: nearly parallel ones can be, though
// their lines pass close by beyond an end.
bool AddEdgePoint(const Pair& pair, const Axis& axis, float margin, Manifold& manifold) {
  std::uint32_t bits = 1u << 2 | static_cast<std::uint32_t>(axis.i);
  bits = bits << 2 | static_cast<std::uint32_t>(axis.j);
  const Vec3 normal = NormalOf(pair, axis);
  const Vec3 p = EdgeTowards(pair.a, axis.i, normal, bits);
  const Vec3 q = EdgeTowards(pair.b, axis.j, -normal, bits);
  const Vec3 u = pair.a.rotation.Column(axis.i);
  const Vec3 v = pair.b.rotation.Column(axis.j);
  const float half_u = pair.a.shape->half[axis.i];
  const float half_v = pair.b.shape->half[axis.j];
  // The closest points of the two lines; the edges are not parallel, so the divisor is not zero.
  const Vec3 apart = p - q;
  const float uv = Dot(u, v);
  const float divisor = 1.0f - uv * uv;
  float s = (uv * Dot(v, apart) - Dot(u, apart)) / divisor;
  float t = (Dot(v, apart) - uv * Dot(u, apart)) / divisor;
  const bool beyond = std::abs(s) > half_u || std::abs(t) > half_v;
  if (beyond) {
    s = std::clamp(s, -half_u, half_u);
    t = std::clamp(Dot(v, apart) + uv * s, -half_v, half_v);
    s = std::clamp(uv * t - Dot(u, apart), -half_u, half_u);
  }
  const Vec3 on_a = p + u * s;
  const Vec3 on_b = q + v * t;
  if (beyond && axis.separation > 0.0f && LengthSquared(on_b - on_a) > margin * margin) {
    return false;
  }
  manifold.Add({(on_a + on_b) * 0.5f, normal, axis.separation, 1u << 31 | bits});
  return true;
}

}  // namespace

void CollideBoxes(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  const Pair pair(a, b);
  Axes axes;
  if (!FindAxes(pair, margin, axes)) return;
  if (axes.edges_are_better && AddEdgePoint(pair, axes.edges, margin, manifold)) return;
  const Axis& face = axes.face;
  if (face.kind == AxisKind::kFaceA) {
    AddFacePoints(a, b, face.i, NormalOf(pair, face), false, margin, manifold);
  } else {
    AddFacePoints(b, a, face.j, -NormalOf(pair, face), true, margin, manifold);
  }
  // The part of the other box that is over the face may be farther away than an edge or a corner
  // beside it: along the axis that separates most the boxes are near, and over the face they are
  // not.
  if (manifold.empty()) CollideConvex(a, b, margin, manifold);
}

}  // namespace nowait
