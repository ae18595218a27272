// Mat3: a 3 x 3 matrix by columns; rotations and inertia tensors.
#ifndef NOWAIT_SRC_MATH_MAT3_H_
#define NOWAIT_SRC_MATH_MAT3_H_

#include <algorithm>

#include "src/math/vec3.h"

namespace nowait {

struct Mat3 {
  Vec3 x{1, 0, 0};  // the columns: the images of the axes
  Vec3 y{0, 1, 0};
  Vec3 z{0, 0, 1};

  constexpr Vec3 Column(int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

constexpr Vec3 operator*(const Mat3& m, Vec3 v) { return (m.x * v.x + m.y * v.y) + m.z * v.z; }
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) { return {a * b.x, a * b.y, a * b.z}; }
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

// The product of the transpose and `v`; for a rotation, the way back.
constexpr Vec3 TransposeTimes(const Mat3& m, Vec3 v) {
  return {Dot(m.x, v), Dot(m.y, v), Dot(m.z, v)};
}

constexpr Mat3 Transpose(const Mat3& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

// r * diag(d) * transpose(r): a diagonal tensor of the body's frame in the world's frame.
constexpr Mat3 RotateDiagonal(const Mat3& r, Vec3 d) {
  return Mat3{r.x * d.x, r.y * d.y, r.z * d.z} * Transpose(r);
}

// x with m * x == b, by Cramer's rule; zero if the determinant is zero, so that an infinite inertia
// on every side gives no motion instead of NaN.
constexpr Vec3 Solve(const Mat3& m, Vec3 b) {
  const Vec3 yz = Cross(m.y, m.z);
  const float det = Dot(m.x, yz);
  if (det == 0.0f) return {};
  const float inverse = 1.0f / det;
  return {inverse * Dot(b, yz), inverse * Dot(m.x, Cross(b, m.z)),
          inverse * Dot(m.x, Cross(m.y, b))};
}

// Zero for a singular matrix. The matrix is scaled to a size near one first: the determinant of the
// tensor of a very small or large body would leave the range of a float.
inline Mat3 Inverse(const Mat3& m) {
  const Vec3 size = Max(Max(Abs(m.x), Abs(m.y)), Abs(m.z));
  const float largest = std::max(std::max(size.x, size.y), size.z);
  if (largest == 0.0f) return {{}, {}, {}};
  const float scale = 1.0f / largest;
  const Mat3 unit{m.x * scale, m.y * scale, m.z * scale};
  return {Solve(unit, {1, 0, 0}) * scale, Solve(unit, {0, 1, 0}) * scale,
          Solve(unit, {0, 0, 1}) * scale};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_MAT3_H_
