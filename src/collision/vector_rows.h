// VectorRows: vectors in rows of eight, searched for the one that is furthest in a direction.
//
//   const VectorRows rows(vertices);
//   const std::size_t furthest = rows.FurthestIn(direction);      vertices[furthest]
//
// GJK asks a hull for its furthest vertex in each step, and the clipping for the face that looks in
// a direction. Both are a scan of all products; here it makes eight at once. The result is that of
// a scan one after the other, also among products that are equal or differ in their last bit.
//
// Thread safety: immutable; any thread. Memory: 12 bytes a vector, and the rest of the last row.
// Complexity: linear, an eighth of a scan's steps. Test: tests/collision/vector_rows_test.cc.
#ifndef NOWAIT_SRC_COLLISION_VECTOR_ROWS_H_
#define NOWAIT_SRC_COLLISION_VECTOR_ROWS_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

// Eight vectors.
struct VectorRow {
  std::array<float, 8> x, y, z;
};

class VectorRows {
 public:
  static constexpr std::size_t kMostRows = 64;  // a hull of 255 vertices has up to 506 faces

  VectorRows() = default;
  // vectors: 1 .. 8 * kMostRows, finite.
  explicit VectorRows(std::span<const Vec3> vectors);

  // The first of the vectors whose product with `direction` is the largest, in floats. direction:
  // finite; of one that is not a number, the first of all.
  std::size_t FurthestIn(Vec3 direction) const;
  // Likewise in doubles.
  std::size_t FurthestIn(const Double3& direction) const;

 private:
  static constexpr std::size_t kLanes = 8;

  std::vector<VectorRow> rows_;  // the last one is filled up with the first vector
  float largest_ = 0.0f;         // coordinate
};

// Implementation: why the search in doubles is right
//
// It makes the products in floats first. Their directions are scaled to a largest coordinate of
// one, so that a product differs from the exact one by less than kRounding times the largest
// coordinate of all. A vector whose product is smaller than the largest one by more than twice that
// is not the furthest. Those that are left, one nearly always, are compared in doubles, in their
// order.

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_VECTOR_ROWS_H_
