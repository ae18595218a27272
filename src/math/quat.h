// Quat: a rotation as a unit quaternion.
//
// A step turns bodies with +, * and sqrt only (see Integrate); FromAxisAngle calls libm: it is for
// making scenes, not for steps.
#ifndef NOWAIT_SRC_MATH_QUAT_H_
#define NOWAIT_SRC_MATH_QUAT_H_

#include <cmath>

#include "src/math/mat3.h"
#include "src/math/vec3.h"

namespace nowait {

struct Quat {
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float w = 1.0f;

  friend bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat operator*(Quat a, Quat b) {
  return {((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
          ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w,
          ((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z};
}

constexpr Quat Conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }

constexpr float LengthSquared(Quat q) { return ((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w; }

inline bool IsFinite(Quat q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

// Length one; the identity if there is no direction to keep.
inline Quat Normalise(Quat q) {
  const float length = std::sqrt(LengthSquared(q));
  if (!(length > 1e-12f)) return {};
  const float inverse = 1.0f / length;
  return {q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

// The rotation's matrix less the identity: by how much the rotation moves a point. Exact digits for
// a small turn, whose matrix would lose them beside the ones of its diagonal.
constexpr Mat3 Displacement(Quat q) {
  const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{-2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy)},
          {2.0f * (xy - wz), -2.0f * (xx + zz), 2.0f * (yz + wx)},
          {2.0f * (xz + wy), 2.0f * (yz - wx), -2.0f * (xx + yy)}};
}

constexpr Mat3 ToMatrix(Quat q) {
  Mat3 matrix = Displacement(q);
  matrix.x.x += 1.0f;
  matrix.y.y += 1.0f;
  matrix.z.z += 1.0f;
  return matrix;
}

constexpr Vec3 Rotate(Quat q, Vec3 v) {
  const Vec3 axis{q.x, q.y, q.z};
  const Vec3 t = 2.0f * Cross(axis, v);
  return (v + q.w * t) + Cross(axis, t);
}

// The rotation after turning with the angular velocity `omega` for `dt`: one explicit step of the
// quaternion's differential equation, normalised. For small omega * dt it turns by atan(|omega| dt
// / 2) * 2, which needs no libm.
inline Quat Integrate(Quat q, Vec3 omega, float dt) {
  const float half = 0.5f * dt;
  const Quat d = Quat{omega.x * half, omega.y * half, omega.z * half, 0.0f} * q;
  return Normalise({q.x + d.x, q.y + d.y, q.z + d.z, q.w + d.w});
}

// axis: unit length; angle: radians. Uses libm.
inline Quat FromAxisAngle(Vec3 axis, float angle) {
  const float s = std::sin(0.5f * angle);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(0.5f * angle)};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_QUAT_H_
