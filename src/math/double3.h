// Double3: three doubles, for geometry that needs more digits than a Vec3 has.
//
// Determinism: as in vec3.h, each expression is a fixed sequence of IEEE operations.
#ifndef NOWAIT_SRC_MATH_DOUBLE3_H_
#define NOWAIT_SRC_MATH_DOUBLE3_H_

#include <cmath>

#include "src/math/vec3.h"

namespace nowait {

struct Double3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  friend bool operator==(const Double3&, const Double3&) = default;
};

constexpr Double3 ToDouble(Vec3 v) { return {v.x, v.y, v.z}; }
constexpr Vec3 ToFloat(const Double3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

constexpr Double3 operator+(const Double3& a, const Double3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Double3 operator-(const Double3& a, const Double3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Double3 operator-(const Double3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Double3 operator*(const Double3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }

constexpr double Dot(const Double3& a, const Double3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
constexpr Double3 Cross(const Double3& a, const Double3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double LengthSquared(const Double3& a) { return Dot(a, a); }
inline double Length(const Double3& a) { return std::sqrt(Dot(a, a)); }

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_DOUBLE3_H_
