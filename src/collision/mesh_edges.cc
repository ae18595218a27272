#include "src/collision/mesh_edges.h"

#include <algorithm>
#include <compare>
#include <cstddef>

#include "src/math/double3.h"

namespace nowait {
namespace {

struct Side {
  std::uint32_t low, high;  // the vertices
  std::uint32_t triangle;
  std::uint8_t edge;

  friend auto operator<=>(const Side&, const Side&) = default;
};

}  // namespace

std::vector<std::uint8_t> ActiveEdges(std::span<const MeshCorners> triangles,
                                      std::span<const Vec3> vertices) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (std::uint8_t e = 0; e < 3; ++e) {
      const auto [low, high] = std::minmax(triangles[t][e], triangles[t][(e + 1u) % 3]);
      sides.push_back({low, high, t, e});
    }
  }
  std::sort(sides.begin(), sides.end());

  const auto place = [&](std::uint32_t triangle, std::size_t corner) {
    return ToDouble(vertices[triangles[triangle][corner % 3]]);
  };
  const auto is_inner = [&](const Side& a, const Side& b) {
    // Of one front, the triangles run along their common edge in opposite directions.
    if (triangles[a.triangle][a.edge] == triangles[b.triangle][b.edge]) return false;
    const Double3 from = place(a.triangle, 0);
    const Double3 normal = Cross(place(a.triangle, 1) - from, place(a.triangle, 2) - from);
    // The third corner of b may be at the far end of a long edge; the bend is seen across it.
    const Double3 start = place(a.triangle, a.edge);
    const Double3 edge = place(a.triangle, a.edge + 1u) - start;
    const Double3 to_corner = place(b.triangle, b.edge + 2u) - start;
    const double across = Length(Cross(edge, to_corner)) / Length(edge);
    return Dot(normal, to_corner) >= -kLevelEdge * Length(normal) * across;
  };
  std::vector<std::uint8_t> active(triangles.size(), 7);
  for (std::size_t first = 0, end = 0; first < sides.size(); first = end) {
    while (end < sides.size() && sides[end].low == sides[first].low &&
           sides[end].high == sides[first].high) {
      ++end;
    }
    if (end - first != 2 || !is_inner(sides[first], sides[first + 1])) continue;
    for (const Side& side : {sides[first], sides[first + 1]}) {
      active[side.triangle] &= static_cast<std::uint8_t>(~(1u << side.edge));
    }
  }
  return active;
}

}  // namespace nowait
