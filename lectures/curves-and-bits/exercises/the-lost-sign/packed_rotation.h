// A rotation in 32 bits: 2 that name its largest component, and 10 for each of the others.
#ifndef NOWAIT_LECTURES_THE_LOST_SIGN_PACKED_ROTATION_H_
#define NOWAIT_LECTURES_THE_LOST_SIGN_PACKED_ROTATION_H_

#include <array>
#include <cmath>
#include <cstdint>

namespace nowait {

// x, y, z, w; of length one.
using Quaternion = std::array<float, 4>;

// The three smaller components lie within +-sqrt(1/2): 1,023 codes, with 0 in their middle.
inline constexpr float kZeroCode = 511.0f;
inline constexpr float kCodesPerUnit = 511.0f * 1.41421356f;

inline std::uint32_t PackRotation(const Quaternion& q) {
  std::uint32_t largest = 0;
  for (std::uint32_t i = 1; i < 4; ++i) {
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  }
  std::uint32_t bits = largest;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    bits = bits << 10 | static_cast<std::uint32_t>(q[i] * kCodesPerUnit + kZeroCode);
  }
  return bits;
}

inline Quaternion UnpackRotation(std::uint32_t bits) {
  const std::uint32_t largest = bits >> 30;
  Quaternion q{};
  float rest = 1.0f;
  int shift = 20;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    const std::uint32_t code = bits >> shift & 1023;
    q[i] = (static_cast<float>(code) - kZeroCode) / kCodesPerUnit;
    rest -= q[i] * q[i];
    shift -= 10;
  }
  q[largest] = std::sqrt(rest > 0.0f ? rest : 0.0f);
  return q;
}

}  // namespace nowait

#endif  // NOWAIT_LECTURES_THE_LOST_SIGN_PACKED_ROTATION_H_
