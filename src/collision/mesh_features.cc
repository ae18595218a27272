#include "src/collision/mesh_features.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace nowait {
namespace {

// A way that leads closer by less than this part of its length is level.
constexpr float kLevel = 1e-4f;

// Computations of one point, one by this module and one by GJK, may differ by some roundings.
constexpr float kSamePoint = 4.0f;

bool IsOnActiveEdge(const TriangleMesh::Triangle& triangle, Vec3 point, float same) {
  bool is_on_edge = false;
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const Vec3 from = triangle.vertices[edge];
    const Vec3 outward =
        NormaliseOr(Cross(triangle.vertices[(edge + 1) % 3] - from, triangle.normal), {});
    if (Dot(outward, point - from) < -same) continue;
    if ((triangle.edges >> edge & 1u) != 0) return true;
    is_on_edge = true;
  }
  return !is_on_edge;  // where rounding has moved it inside, the triangles at the point decide
}

// point: of the triangle. Of all ways in its plane the steepest one leads closest if it stays in
// the triangle; otherwise one of the edges at the point does.
bool LeadsCloserIn(const TriangleMesh::Triangle& triangle, Vec3 point, Vec3 out, float same) {
  const Vec3 steepest = out - triangle.normal * Dot(triangle.normal, out);
  bool stays_inside = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 from = triangle.vertices[i], to = triangle.vertices[(i + 1) % 3];
    const Vec3 edge = NormaliseOr(to - from, {}), outward = Cross(edge, triangle.normal);
    if (Dot(outward, point - from) < -same) continue;  // not at the point
    stays_inside = stays_inside && Dot(outward, steepest) <= 0.0f;
    const float closer = Dot(edge, steepest);
    const Vec3 end = closer > 0.0f ? to : from;
    if (std::abs(closer) > kLevel && LengthSquared(end - point) > same * same) return true;
  }
  return stays_inside && LengthSquared(steepest) > kLevel * kLevel;
}

}  // namespace

ClosestOnTriangle<Double3> FindClosest(const TriangleMesh::Triangle& triangle, Vec3 place) {
  const auto& [a, b, c] = triangle.vertices;
  return FindClosest(std::array{ToDouble(a), ToDouble(b), ToDouble(c)}, ToDouble(triangle.normal),
                     ToDouble(place));
}

// The walk ends at the first triangle that has such a way.
bool MeshFeatures::FindWayCloser(Vec3 point, Vec3 out) const {
  const float same = kSamePoint * mesh_.rounding();
  const Vec3 around{same, same, same};
  const Bounds<3> box = ToBounds(point - around, point + around);
  constexpr float kBeside = 1.0f, kHere = 0.0f, kFound = -1.0f;
  float least = kBeside;
  const auto look = [&](std::uint32_t id) {
    const std::array<Vec3, 3> places = mesh_.PlacesOf(id);
    const auto& [a, b, c] = places;
    if (!Overlaps(box, ToBounds(Min(Min(a, b), c), Max(Max(a, b), c)))) return;
    const TriangleMesh::Triangle triangle = mesh_.TriangleAt(id);
    const Double3 nearest = FindClosest(triangle, point).point;
    if (LengthSquared(nearest - ToDouble(point)) > double{same} * same) return;
    if (LeadsCloserIn(triangle, point, out, same)) least = kFound;
  };
  mesh_.tree().VisitLowest(
      least, [&](const Bounds<3>& part) { return Overlaps(box, part) ? kHere : kBeside; },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t id = first; id < first + count && least != kFound; ++id) look(id);
        return least;
      });
  return least == kFound;
}

bool MeshFeatures::LeadsCloser(Vec3 point, Vec3 out) {
  if (!last_ || last_->point != point || last_->out != out) {
    last_ = Answer{point, out, FindWayCloser(point, out)};
  }
  return last_->leads_closer;
}

bool MeshFeatures::IsContact(const TriangleMesh::Triangle& triangle, Vec3 point, Vec3 out) {
  return IsOnActiveEdge(triangle, point, kSamePoint * mesh_.rounding()) && !LeadsCloser(point, out);
}

}  // namespace nowait
