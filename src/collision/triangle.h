// The point of a triangle that is closest to a place, and the part of the triangle it lies on.
//
// Thread safety: a pure function; any thread. Constant time.
// Source: [ericson2005], section 5.1.5.
#ifndef NOWAIT_SRC_COLLISION_TRIANGLE_H_
#define NOWAIT_SRC_COLLISION_TRIANGLE_H_

#include <array>
#include <cstdint>

#include "src/math/vec3.h"

namespace nowait {

enum class TrianglePart : std::uint8_t { kFace, kEdge, kVertex };

// V: Vec3 or Double3. With floats, rounding decides between the face and the edges of a needle;
// with doubles it does so only below a height of 1e-7 of its length.
template <class V>
struct ClosestOnTriangle {
  V point;
  TrianglePart part = TrianglePart::kFace;
  int index = 0;  // of the vertex, or of the edge from the vertex of this number to the next
};

// normal: of the triangle, of length one.
template <class V>
ClosestOnTriangle<V> FindClosest(const std::array<V, 3>& vertices, const V& normal, const V& p) {
  using enum TrianglePart;
  // The divisor is the square of an edge. Rounding reduces a small edge seen from far away to zero;
  // then every place on the edge is equally near.
  const auto share = [](auto part, auto whole) { return whole > 0 ? part / whole : 0; };
  const V a = vertices[0], b = vertices[1], c = vertices[2];
  const V ab = b - a, ac = c - a;
  const V ap = p - a;
  const auto d1 = Dot(ab, ap), d2 = Dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {a, kVertex, 0};
  const V bp = p - b;
  const auto d3 = Dot(ab, bp), d4 = Dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {b, kVertex, 1};
  const auto vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + ab * share(d1, d1 - d3), kEdge, 0};
  const V cp = p - c;
  const auto d5 = Dot(ab, cp), d6 = Dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {c, kVertex, 2};
  const auto vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + ac * share(d2, d2 - d6), kEdge, 2};
  const auto va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return {b + (c - b) * share(d4 - d3, (d4 - d3) + (d5 - d6)), kEdge, 1};
  }
  return {p - normal * Dot(normal, ap), kFace, 0};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_TRIANGLE_H_
