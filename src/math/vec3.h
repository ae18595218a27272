// Vec3: three floats, and the operations on them written so that every compiler rounds alike.
//
// Determinism: each expression below is a fixed sequence of IEEE operations in the order in which
// it is written (the build sets -ffp-contract=off and -mno-fma, see float_mode.h, and nothing here
// reassociates). So a step gives the same bits with every compiler, optimisation level and thread
// count. Only +, -, *, / and sqrt are used, which IEEE 754 rounds exactly; no function of libm,
// whose last bit depends on the library.
#ifndef NOWAIT_SRC_MATH_VEC3_H_
#define NOWAIT_SRC_MATH_VEC3_H_

#include <algorithm>
#include <cmath>

#include "src/math/bounds.h"

namespace nowait {

struct Vec3 {
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;

  // axis: 0, 1 or 2.
  constexpr float operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  constexpr void Set(int axis, float value) { (axis == 0 ? x : axis == 1 ? y : z) = value; }

  constexpr Vec3& operator+=(Vec3 b) { return *this = {x + b.x, y + b.y, z + b.z}; }
  constexpr Vec3& operator-=(Vec3 b) { return *this = {x - b.x, y - b.y, z - b.z}; }
  constexpr Vec3& operator*=(float s) { return *this = {x * s, y * s, z * s}; }

  friend bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return a += b; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return a -= b; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return a *= s; }
constexpr Vec3 operator*(float s, Vec3 a) { return a *= s; }

constexpr float Dot(Vec3 a, Vec3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
constexpr Vec3 Cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr Vec3 Multiply(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

constexpr float LengthSquared(Vec3 a) { return Dot(a, a); }
inline float Length(Vec3 a) { return std::sqrt(Dot(a, a)); }
inline Vec3 Abs(Vec3 a) { return {std::abs(a.x), std::abs(a.y), std::abs(a.z)}; }
constexpr Vec3 Min(Vec3 a, Vec3 b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
constexpr Vec3 Max(Vec3 a, Vec3 b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

inline bool IsFinite(Vec3 a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// `a` scaled to length one, or `fallback` where its length is too small to divide by.
inline Vec3 NormaliseOr(Vec3 a, Vec3 fallback) {
  const float length = Length(a);
  return length > 1e-12f ? a * (1.0f / length) : fallback;
}

// Two unit vectors perpendicular to the unit vector `n` and to each other: Cross(first, second) ==
// n up to rounding. The axis in which `n` is smallest is the one furthest from being parallel to
// it.
struct Tangents {
  Vec3 first;
  Vec3 second;
};
inline Tangents TangentsOf(Vec3 n) {
  const Vec3 size = Abs(n);
  const Vec3 axis = size.x <= size.y && size.x <= size.z ? Vec3{1, 0, 0}
                    : size.y <= size.z                   ? Vec3{0, 1, 0}
                                                         : Vec3{0, 0, 1};
  const Vec3 first = NormaliseOr(Cross(n, axis), axis);
  return {first, Cross(n, first)};
}

constexpr Bounds<3> ToBounds(Vec3 min, Vec3 max) {
  return {{min.x, min.y, min.z}, {max.x, max.y, max.z}};
}
constexpr Vec3 MinOf(const Bounds<3>& b) { return {b.min[0], b.min[1], b.min[2]}; }
constexpr Vec3 MaxOf(const Bounds<3>& b) { return {b.max[0], b.max[1], b.max[2]}; }

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_VEC3_H_
