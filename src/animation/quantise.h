// Formats of a curve's points for any motion: a rotation in 32 or 47 bits, a position in 48.
//
//   Rotation<10>   2 bits name the largest component, 3 x 10 bits hold the others
//   Rotation<15>   the same with 3 x 15 bits
//   Position       3 x 16 bits for -10 m .. 10 m
//
// The largest component follows from the length of one, and its sign is made positive. Each other
// component then lies within +-sqrt(1/2). Zero is a code of both formats, so a bone at rest is at
// rest. Unpack takes any bits and returns a unit quaternion, or a position in the range.
//
// Errors that the bits allow; tests/animation/quantise_test.cc searches for the largest ones:
//   Position   half a step of 20 m / 65,534 on each axis, sqrt(3) of it in space: 0.265 mm
//   Rotation   a step is d = sqrt(2) / (2^Bits - 2). Rounding moves each of the three by up to
//              e = d / 2, the fourth by (x + y + z) e / w <= 3 e, the quaternion by up to
//              sqrt(3 + 9) e, and the rotation by twice that angle: 0.275 degrees with 10 bits.
//              Pack rounds each component down or up so that the rotation is nearest, which
//              leaves 0.16 degrees, and 0.005 degrees with 15 bits.
//
// Thread safety: functions of values. Complexity: constant.
// Source: [bitsquid2010], "The BitSquid low level animation system".
#ifndef NOWAIT_SRC_ANIMATION_QUANTISE_H_
#define NOWAIT_SRC_ANIMATION_QUANTISE_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "src/animation/hermite.h"

namespace nowait {

// The length of the difference of two quaternions, of which either may have the other sign. The
// angle between the rotations is 4 asin(chord / 2) radians.
inline float Chord(const CurveValue<4>& a, const CurveValue<4>& b) {
  float minus = 0.0f;
  float plus = 0.0f;
  for (int i = 0; i < 4; ++i) {
    minus += (a[i] - b[i]) * (a[i] - b[i]);
    plus += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return std::sqrt(std::min(minus, plus));
}

// The unit quaternion of which all components but one are given; that one is not negative.
inline CurveValue<4> WithLeftOut(int left_out, const std::array<float, 3>& others) {
  const float sum = (others[0] * others[0] + others[1] * others[1]) + others[2] * others[2];
  const float rest = std::sqrt(std::max(1.0f - sum, 0.0f));
  // Chosen, and not stored at a computed index: the reader wants all four at once.
  CurveValue<4> rotation{left_out == 0 ? rest : others[0],
                         left_out == 1   ? rest
                         : left_out == 0 ? others[0]
                                         : others[1],
                         left_out == 2  ? rest
                         : left_out < 2 ? others[1]
                                        : others[2],
                         left_out == 3 ? rest : others[2]};
  // Only bits that no rotation is packed into have a sum above one.
  if (sum > 1.0f) {
    const float inverse = 1.0f / std::sqrt(sum);
    for (float& component : rotation) component *= inverse;
  }
  return rotation;
}

template <int Bits>
struct Rotation {
  static constexpr int kComponents = 4;
  using Value = CurveValue<4>;

  static constexpr int bits() { return 2 + 3 * Bits; }

  // rotation: of length one.
  static std::uint64_t Pack(const Value& rotation) {
    int largest = 0;
    for (int i = 1; i < 4; ++i) {
      if (std::abs(rotation[i]) > std::abs(rotation[largest])) largest = i;
    }
    const float sign = rotation[largest] < 0.0f ? -1.0f : 1.0f;
    std::array<std::int32_t, 3> low;
    for (int i = 0; i < 3; ++i) {
      const float code = sign * rotation[Other(largest, i)] * kScale + kZero;
      low[i] = std::clamp(static_cast<std::int32_t>(code), 0, 2 * kZero - 1);
    }
    std::uint64_t nearest = 0;
    float distance = 4.0f;
    for (int corner = 0; corner < 8; ++corner) {
      std::uint64_t bits = static_cast<std::uint64_t>(largest);
      for (int i = 0; i < 3; ++i) {
        bits = bits << Bits | static_cast<std::uint32_t>(low[i] + (corner >> i & 1));
      }
      const float chord = Chord(Unpack(bits), rotation);
      if (chord < distance) {
        distance = chord;
        nearest = bits;
      }
    }
    return nearest;
  }

  static Value Unpack(std::uint64_t bits) {
    constexpr std::uint64_t kMask = (1u << Bits) - 1;
    std::array<float, 3> others;
    for (int i = 0; i < 3; ++i) {
      const auto code = static_cast<std::int32_t>(bits >> Bits * (2 - i) & kMask);
      others[i] = static_cast<float>(code - kZero) * (1.0f / kScale);
    }
    return WithLeftOut(static_cast<int>(bits >> 3 * Bits & 3), others);
  }

  static float Distance(const Value& a, const Value& b) { return Chord(a, b); }

 private:
  static constexpr std::int32_t kZero = (1 << (Bits - 1)) - 1;
  static constexpr float kScale = static_cast<float>(kZero) * 1.41421356f;

  // The i-th component beside the largest.
  static constexpr int Other(int largest, int i) { return i < largest ? i : i + 1; }
};

struct Position {
  static constexpr int kComponents = 3;
  using Value = CurveValue<3>;
  static constexpr float kRange = 10.0f;

  static constexpr int bits() { return 48; }

  // position: each coordinate within +-kRange; what lies outside becomes the nearest that does not.
  static std::uint64_t Pack(const Value& position) {
    std::uint64_t bits = 0;
    for (int i = 2; i >= 0; --i) {
      const float inside = std::clamp(position[i], -kRange, kRange);
      bits = bits << 16 | static_cast<std::uint16_t>(inside * kScale + (kZero + 0.5f));
    }
    return bits;
  }
  static Value Unpack(std::uint64_t bits) {
    Value position;
    for (int i = 0; i < 3; ++i) {
      // The code 65,535, which Pack does not make, is one step outside.
      const float code = static_cast<float>(static_cast<std::uint16_t>(bits >> 16 * i)) - kZero;
      position[i] = std::min(code * (1.0f / kScale), kRange);
    }
    return position;
  }

  static float Distance(const Value& a, const Value& b) {
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return std::sqrt((x * x + y * y) + z * z);
  }

 private:
  static constexpr float kZero = 32'767.0f;
  static constexpr float kScale = kZero / kRange;
};

// The largest Chord of rotations that differ by `degrees`. Calls libm: for limits, not for steps.
inline float ChordOfDegrees(float degrees) {
  return 2.0f * std::sin(degrees * (3.14159265f / 180.0f) / 4.0f);
}
inline float DegreesOfChord(float chord) {
  return 4.0f * std::asin(std::min(chord / 2.0f, 1.0f)) * (180.0f / 3.14159265f);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_QUANTISE_H_
