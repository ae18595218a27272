// Features of a height field: faces, edges and samples, their numbers, and whether a way out of one
// is a contact.
//
// A point that is closest within its own triangle may not be closest on the surface: on flat ground
// a neighbouring triangle's edge is nearer than the rest of that triangle, and a contact there
// would stop a rolling ball (an "internal edge"). So a point on an edge counts only when the
// surface behind the edge leads away from the body, and a point at a sample only when all its edges
// do. The remaining points are the local minima of the distance, which are the true contacts.
//
// Thread safety: pure functions; any thread. Constant time.
//
// Source: C. Ericson, "Real-Time Collision Detection", 2005, section 5.1 (Voronoi regions).
#ifndef NOWAIT_SRC_COLLISION_FIELD_FEATURES_H_
#define NOWAIT_SRC_COLLISION_FIELD_FEATURES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "src/collision/height_field.h"
#include "src/math/vec3.h"

namespace nowait {

// Where a way along the surface leads, seen from a body in some direction.
enum class Leads : std::uint8_t { kCloser, kLevel, kAway };

// Rounding may put the closest point on an edge for one triangle and inside for the other; with
// this much slack (a cosine) the edge counts when in doubt, because a duplicate point does no harm.
inline constexpr float kSurfaceSlack = 1e-4f;

// The way from `corner` to `end`, for a body in direction `out` of `corner`.
inline Leads WhereLeads(Vec3 out, Vec3 corner, Vec3 end) {
  const Vec3 way = end - corner;
  const float along = Dot(out, way);
  const float slack = kSurfaceSlack * std::sqrt(LengthSquared(out) * LengthSquared(way));
  return along > slack ? Leads::kCloser : along < -slack ? Leads::kAway : Leads::kLevel;
}

// The edges of the surface at sample (i, k): kCloser if any leads closer to a body in direction
// `out`; kAway if none does and one leads away.
Leads WhereEdgesLead(const HeightField& field, std::uint32_t i, std::uint32_t k, Vec3 out);

// Numbers of features, below 2^26 beside their two highest bits: a face by its triangle, a sample,
// an edge by its lower sample and its direction.
inline std::uint32_t FaceFeature(const HeightField::Triangle& triangle) { return triangle.id; }
inline std::uint32_t SampleFeature(const HeightField& field, std::uint32_t i, std::uint32_t k) {
  return 1u << 30 | (k * field.columns() + i);
}
// The edge of the triangle from vertex `edge` to the next one.
std::uint32_t EdgeFeature(const HeightField& field, const HeightField::Triangle& triangle,
                          int edge);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_FIELD_FEATURES_H_
