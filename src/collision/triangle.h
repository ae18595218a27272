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

struct ClosestOnTriangle {
  Vec3 point;
  TrianglePart part = TrianglePart::kFace;
  int index = 0;  // of the vertex, or of the edge from the vertex of this number to the next
};

// normal: of the triangle, of length one.
inline ClosestOnTriangle FindClosest(const std::array<Vec3, 3>& vertices, Vec3 normal, Vec3 p) {
  using enum TrianglePart;
  // The divisor is the square of an edge. Rounding reduces a small edge seen from far away to zero;
  // then every place on the edge is equally near.
  const auto share = [](float part, float whole) { return whole > 0.0f ? part / whole : 0.0f; };
  const Vec3 a = vertices[0], b = vertices[1], c = vertices[2];
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 ap = p - a;
  const float d1 = Dot(ab, ap), d2 = Dot(ac, ap);
  if (d1 <= 0.0f && d2 <= 0.0f) return {a, kVertex, 0};
  const Vec3 bp = p - b;
  const float d3 = Dot(ab, bp), d4 = Dot(ac, bp);
  if (d3 >= 0.0f && d4 <= d3) return {b, kVertex, 1};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) return {a + ab * share(d1, d1 - d3), kEdge, 0};
  const Vec3 cp = p - c;
  const float d5 = Dot(ab, cp), d6 = Dot(ac, cp);
  if (d6 >= 0.0f && d5 <= d6) return {c, kVertex, 2};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) return {a + ac * share(d2, d2 - d6), kEdge, 2};
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f) {
    return {b + (c - b) * share(d4 - d3, (d4 - d3) + (d5 - d6)), kEdge, 1};
  }
  return {p - normal * Dot(normal, ap), kFace, 0};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_TRIANGLE_H_
