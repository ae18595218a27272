// Box against height field: the box's lower face laid over the triangles.
//
// For each triangle below the box, the face of the box that faces the triangle is cut by the three
// vertical planes through the triangle's edges. The cut's vertices are the box's corners over the
// triangle, the crossings of their edges with the triangle's, and the triangle's own corners below
// the face: all places where the distance between two flat pieces can be least. A steep triangle is
// faced by an upright side, which is hardly over it: there the lowest face is laid over it, too, or
// a box would fall through a steep peak.
//
// Every normal is the normal of a triangle under the point, never of an edge or of a side of the
// box, so on flat ground all normals are the same and there is no internal edge to trip over. The
// separation is that from the triangle's plane and has no lower limit: a box that has sunk below
// the surface is pushed up.
//
// Bound: the triangles under the box, or, if it is over more than 1,024 cells, those that
// field_blocks.h chooses.
//
// Source: clipping as in polygon.h. Internal edges: C. Ericson, "Real-Time Collision Detection",
// and the remedies of physics engines (Bullet's btInternalEdgeUtility, Jolt's "active edges"); a
// height field, which is solid below, allows this simpler one. Lecture: contacts, the plain solver
// and the whole physics update.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "src/collision/candidates.h"
#include "src/collision/collide.h"
#include "src/collision/field_blocks.h"
#include "src/collision/height_field.h"
#include "src/collision/polygon.h"
#include "src/collision/shape_geometry.h"

namespace nowait {
namespace {

// The four corners of the face of `box` that points most against `normal`, in the field's frame.
struct LowerFace {
  std::array<Vec3, 4> corners;
  std::uint32_t number;  // 0 .. 5
};
LowerFace FaceAgainst(const Placed& box, Vec3 centre, Vec3 normal) {
  const Vec3 local = TransposeTimes(box.rotation, normal);
  const Vec3 size = Abs(local);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const float side = local[axis] > 0.0f ? -1.0f : 1.0f;
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  const Vec3 half = box.shape->half;
  const Vec3 middle = centre + box.rotation.Column(axis) * (side * half[axis]);
  const Vec3 along_u = box.rotation.Column(u) * half[u];
  const Vec3 along_v = box.rotation.Column(v) * half[v];
  return {{(middle + along_u) + along_v, (middle - along_u) + along_v, (middle - along_u) - along_v,
           (middle + along_u) - along_v},
          static_cast<std::uint32_t>(2 * axis + (side > 0.0f ? 1 : 0))};
}

void AddFaceOver(const HeightField::Triangle& triangle, const LowerFace& face, Vec3 field_position,
                 float margin, std::uint32_t feature_bits, Candidates& candidates) {
  Polygon polygon;
  for (const Vec3& corner : face.corners) polygon.Add(corner);
  for (std::uint32_t edge = 0; edge < 3 && polygon.count() > 0; ++edge) {
    const Vec3 from = triangle.vertices[edge];
    const Vec3 along = triangle.vertices[(edge + 1) % 3] - from;
    const Vec3 outward{-along.z, 0.0f, along.x};
    polygon.Clip(outward, Dot(outward, from), edge);
  }
  for (std::uint32_t i = 0; i < polygon.count(); ++i) {
    const Vec3 p = polygon[i].position;
    const float separation = Dot(triangle.normal, p - triangle.vertices[0]);
    if (separation > margin) continue;
    const Vec3 middle = p - triangle.normal * (0.5f * separation);
    // The feature leaves out the face: it changes only when the box has turned far, and then no old
    // impulse fits anyway.
    candidates.Add({field_position + middle, triangle.normal, separation,
                    feature_bits | triangle.id << 6 | polygon[i].feature});
  }
}

// A feature of the lowest face, where that is not the face against the triangle. The bits below are
// those of a triangle's id (under 2^25) and of a vertex.
constexpr std::uint32_t kLowestFace = 1u << 31;

// lowest: the face that points down most.
void AddPointsOver(const HeightField::Triangle& triangle, const Placed& box, Vec3 centre,
                   const LowerFace& lowest, Vec3 field_position, float margin,
                   Candidates& candidates) {
  // Skip a triangle when the whole box is above its plane.
  const Vec3 reach = Abs(TransposeTimes(box.rotation, triangle.normal));
  const float height = Dot(triangle.normal, centre - triangle.vertices[0]);
  if (height - Dot(reach, box.shape->half) > margin) return;

  const LowerFace face = FaceAgainst(box, centre, triangle.normal);
  AddFaceOver(triangle, face, field_position, margin, 0, candidates);
  if (face.number != lowest.number) {
    AddFaceOver(triangle, lowest, field_position, margin, kLowestFace, candidates);
  }
}

// The height below which no point of `box` over the part lies. The box is an intersection of half
// spaces, so over each place it lies above the planes of all faces that point down; over a
// rectangle such a plane is lowest at a corner.
float LowestOver(const GroundPart& part, const Placed& box, Vec3 centre, float lowest) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 column = box.rotation.Column(axis);
    const Vec3 normal = column.y < 0.0f ? column : -column;
    if (normal.y > -1e-3f) continue;  // a side; its plane says nothing
    const float x = (normal.x > 0.0f ? part.min_x : part.max_x) - centre.x;
    const float z = (normal.z > 0.0f ? part.min_z : part.max_z) - centre.z;
    const float y = (box.shape->half[axis] - (normal.x * x + normal.z * z)) / normal.y;
    lowest = std::max(lowest, centre.y + y);
  }
  return lowest;
}

std::array<Vec3, 8> CornersOf(const Placed& box, Vec3 centre) {
  std::array<Vec3, 8> corners;
  const Vec3 half = box.shape->half;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 local{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    corners[i] = centre + box.rotation * local;
  }
  return corners;
}

}  // namespace

void CollideFieldBox(const Placed& placed, const Placed& box, float margin, Manifold& manifold) {
  const HeightField& field = *placed.shape->height_field;
  const Vec3 centre = box.position - placed.position;
  const Vec3 half = BoxHalfExtents(box.rotation, box.shape->half);
  const Vec3 low = centre - half;
  const Vec3 high = centre + half;
  const auto cells = field.CellsIn(low.x, high.x, low.z, high.z);
  if (cells.empty || low.y - margin > field.max_height()) return;

  const LowerFace lowest = FaceAgainst(box, centre, {0, 1, 0});
  Candidates candidates;
  const auto look_at = [&](std::uint32_t i, std::uint32_t k) {
    const float top = std::max({field.HeightOf(i, k), field.HeightOf(i + 1, k),
                                field.HeightOf(i, k + 1), field.HeightOf(i + 1, k + 1)});
    if (low.y - margin > top || field.IsHole(i, k)) return;
    for (std::uint32_t which = 0; which < 2; ++which) {
      AddPointsOver(field.TriangleAt(i, k, which), box, centre, lowest, placed.position, margin,
                    candidates);
    }
  };
  if (FieldBlocks::AreAllLookedAt(cells)) {
    for (std::uint32_t k = cells.first_k; k <= cells.last_k; ++k) {
      for (std::uint32_t i = cells.first_i; i <= cells.last_i; ++i) look_at(i, k);
    }
  } else {
    const auto gap = [&](const GroundPart& part) {
      return LowestOver(part, box, centre, low.y) - part.top;
    };
    FieldBlocks(field, cells, CornersOf(box, centre), margin, gap).ForEachCell(look_at);
  }
  candidates.ReduceInto(manifold);
}

}  // namespace nowait
