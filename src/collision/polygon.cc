#include "src/collision/polygon.h"

namespace nowait {

void Polygon::Clip(Vec3 normal, float offset, std::uint32_t plane) {
  Polygon kept;
  // Rounding can make a needle cross a plane more often than a convex polygon may; a vertex without
  // room lies within rounding of vertices that are kept.
  const auto keep = [&](const PolygonVertex& vertex) {
    if (kept.count_ < kMaxVertices) kept.vertices_[kept.count_++] = vertex;
  };
  for (std::uint32_t i = 0; i < count_; ++i) {
    const PolygonVertex& from = vertices_[i];
    const PolygonVertex& to = vertices_[i + 1 == count_ ? 0 : i + 1];
    const float from_distance = Dot(normal, from.position) - offset;
    const float to_distance = Dot(normal, to.position) - offset;
    const bool from_inside = from_distance <= 0.0f;
    const bool to_inside = to_distance <= 0.0f;
    if (from_inside) keep(from);
    if (from_inside != to_inside) {
      const float t = from_distance / (from_distance - to_distance);
      const Vec3 cut = from.position + (to.position - from.position) * t;
      keep({cut, 16 + 4 * from.edge + plane, from_inside ? 4 + plane : from.edge});
    }
  }
  *this = kept;
}

}  // namespace nowait
