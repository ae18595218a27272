// Atan2: the angle of a direction, with the same bits everywhere.
//
// A step must not call libm, whose last bit depends on the library. This is the series of the
// arctangent after one reduction: an octant is halved at tan(pi / 8), where eight terms leave an
// error below one digit of a float. The result is within 5e-7 of the angle.
#ifndef NOWAIT_SRC_MATH_ANGLE_H_
#define NOWAIT_SRC_MATH_ANGLE_H_

#include <algorithm>
#include <cmath>

namespace nowait {

inline constexpr float kPi = 3.14159265f;

// The angle from the x axis to (x, y), in -pi .. pi; 0 for a zero vector. Neither may be NaN.
inline float Atan2(float y, float x) {
  const float width = std::abs(x);
  const float height = std::abs(y);
  const float longer = std::max(width, height);
  if (longer == 0.0f) return 0.0f;
  constexpr float kTanEighth = 0.41421356f;  // tan(pi / 8)
  float t = std::min(width, height) / longer;
  float base = 0.0f;
  if (t > kTanEighth) {
    t = (t - 1.0f) / (t + 1.0f);
    base = 0.25f * kPi;
  }
  const float s = t * t;
  float series = -1.0f / 15.0f;
  series = 1.0f / 13.0f + s * series;
  series = -1.0f / 11.0f + s * series;
  series = 1.0f / 9.0f + s * series;
  series = -1.0f / 7.0f + s * series;
  series = 1.0f / 5.0f + s * series;
  series = -1.0f / 3.0f + s * series;
  float angle = base + (t + t * s * series);
  if (height > width) angle = 0.5f * kPi - angle;
  if (x < 0.0f) angle = kPi - angle;
  return y < 0.0f ? -angle : angle;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_ANGLE_H_
