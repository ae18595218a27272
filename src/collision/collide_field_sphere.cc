// Sphere against height field: the points of the surface to which the centre is locally closest.
//
// Which of these points are contacts says field_features.h.
//
// Bound: the triangles near the sphere, or, if it is over more than 1,024 cells, those that
// field_blocks.h chooses.
//
// Lecture: contacts, the plain solver and the whole physics update.
#include <algorithm>
#include <array>
#include <cmath>

#include "src/collision/collide.h"
#include "src/collision/field_blocks.h"
#include "src/collision/field_features.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle.h"

namespace nowait {
namespace {

bool IsContact(const HeightField& field, const HeightField::Triangle& triangle,
               const ClosestOnTriangle<Vec3>& closest, Vec3 out) {
  const auto v = static_cast<std::size_t>(closest.index);
  switch (closest.part) {
    case TrianglePart::kFace:
      return true;
    case TrianglePart::kEdge: {
      const std::optional<Vec3> across = field.VertexAcross(triangle, closest.index);
      return !across || WhereLeads(out, triangle.vertices[v], *across) != Leads::kCloser;
    }
    case TrianglePart::kVertex:
      break;
  }
  const auto& [i, k] = triangle.samples[v];
  return WhereEdgesLead(field, i, k, out) != Leads::kCloser;
}

std::uint32_t FeatureOf(const HeightField& field, const HeightField::Triangle& triangle,
                        const ClosestOnTriangle<Vec3>& closest) {
  const auto v = static_cast<std::size_t>(closest.index);
  switch (closest.part) {
    case TrianglePart::kFace:
      return FaceFeature(triangle);
    case TrianglePart::kEdge:
      return EdgeFeature(field, triangle, closest.index);
    case TrianglePart::kVertex:
      break;
  }
  return SampleFeature(field, triangle.samples[v][0], triangle.samples[v][1]);
}

// Adds the point unless the neighbouring triangle has added it; a full manifold keeps the deepest
// points.
void AddUnlessThere(const ContactPoint& point, Manifold& manifold) {
  ContactPoint* shallowest = nullptr;
  for (ContactPoint& other : manifold.points()) {
    if (other.feature == point.feature) return;
    if (shallowest == nullptr || other.separation > shallowest->separation) shallowest = &other;
  }
  if (manifold.count() < Manifold::kMaxPoints) {
    manifold.Add(point);
  } else if (point.separation < shallowest->separation) {
    *shallowest = point;
  }
}

}  // namespace

void CollideFieldSphere(const Placed& placed, const Placed& sphere, float margin,
                        Manifold& manifold) {
  const HeightField& field = *placed.shape->height_field;
  const Vec3 centre = sphere.position - placed.position;
  const float radius = sphere.shape->radius;
  const float reach = radius + margin;
  const auto cells =
      field.CellsIn(centre.x - reach, centre.x + reach, centre.z - reach, centre.z + reach);
  if (cells.empty || centre.y - reach > field.max_height()) return;

  const bool over_field = centre.x >= 0.0f && centre.x <= field.width() && centre.z >= 0.0f &&
                          centre.z <= field.depth();
  const bool submerged = over_field && !field.IsHoleAt(centre.x, centre.z) &&
                         centre.y < field.SurfaceAt(centre.x, centre.z);
  const auto look_at = [&](std::uint32_t i, std::uint32_t k) {
    for (std::uint32_t which = 0; which < 2 && !field.IsHole(i, k); ++which) {
      const HeightField::Triangle triangle = field.TriangleAt(i, k, which);
      const float height = Dot(triangle.normal, centre - triangle.vertices[0]);
      if (height < 0.0f || height > reach) continue;
      const ClosestOnTriangle<Vec3> closest =
          FindClosest(triangle.vertices, triangle.normal, centre);
      const Vec3 out = centre - closest.point;
      const float squared = LengthSquared(out);
      if (squared > reach * reach || !IsContact(field, triangle, closest, out)) continue;
      const Vec3 normal =
          closest.part == TrianglePart::kFace ? triangle.normal : NormaliseOr(out, triangle.normal);
      const float separation = std::sqrt(squared) - radius;
      const Vec3 position = sphere.position - normal * (radius + 0.5f * separation);
      AddUnlessThere({position, normal, separation, FeatureOf(field, triangle, closest)}, manifold);
    }
  };
  if (!submerged && FieldBlocks::AreAllLookedAt(cells)) {
    for (std::uint32_t k = cells.first_k; k <= cells.last_k; ++k) {
      for (std::uint32_t i = cells.first_i; i <= cells.last_i; ++i) look_at(i, k);
    }
  } else if (!submerged) {
    const auto gap = [&](const GroundPart& part) {
      const Vec3 nearest{std::clamp(centre.x, part.min_x, part.max_x), std::min(centre.y, part.top),
                         std::clamp(centre.z, part.min_z, part.max_z)};
      return Length(centre - nearest) - radius;
    };
    FieldBlocks(field, cells, std::span(&centre, 1), margin, gap).ForEachCell(look_at);
  }
  if (!submerged) return;
  // The centre is below the surface: out along the normal of the triangle above it.
  const auto cell = field.CellsIn(centre.x, centre.x, centre.z, centre.z);
  const float u = centre.x / field.spacing() - static_cast<float>(cell.first_i);
  const float v = centre.z / field.spacing() - static_cast<float>(cell.first_k);
  const auto triangle = field.TriangleAt(cell.first_i, cell.first_k, u <= v ? 0 : 1);
  const float separation = Dot(triangle.normal, centre - triangle.vertices[0]) - radius;
  const Vec3 position = sphere.position - triangle.normal * (radius + 0.5f * separation);
  manifold.Add({position, triangle.normal, separation, triangle.id});
}

}  // namespace nowait
