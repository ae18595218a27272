// Boxed: points of one track, in as many bits as the box that its values fill needs.
//
//   const auto box = TightBox<4>(samples, ChordOfDegrees(0.3f));
//   if (!box) ...                           no component may be left out at all of these rotations
//   Boxed<4> format(*box);
//   format.Unpack(format.Pack(samples[0]))
//
// Most bones turn by some degrees about their joint. In the formats of quantise.h nearly all codes
// stand for rotations that such a bone never has. Here a component has codes from the least to the
// largest of its values in this track, at equal distances of at most three quarters of the fit's
// limit. A component that keeps still has no bits. The box is stored with the track, once.
//
// Of a rotation the same component is left out at each point: the one whose least size is the
// largest. That component follows from the length of one, and its sign is made positive.
//
// Errors that the bits allow, with steps of at most d, for values inside of the box:
//   position   half a step on each axis: sqrt(3) d / 2
//   rotation   the stored components move by at most sqrt(3) d / 2 together, and w, which is left
//              out, by sqrt(1 - w^2) / w of that: the quaternion by sqrt(3) d / (2 w), the rotation
//              by twice that angle. w is at least 1/8; below 1/2 steps are finer in proportion.
//
// Thread safety: a value. Complexity: constant, and TightBox linear in the samples.
// Test: tests/animation/boxed_test.cc. Lecture: curves and bits.
#ifndef NOWAIT_SRC_ANIMATION_BOXED_H_
#define NOWAIT_SRC_ANIMATION_BOXED_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "src/animation/bits.h"
#include "src/animation/hermite.h"
#include "src/animation/quantise.h"

namespace nowait {

// Of up to four components; a blob has it as it is. A component has zeros if it is left out, or if
// it is that which a position does not have.
struct Box {
  static constexpr int kMostBits = 16;  // of a component

  std::array<float, 4> low{};   // of code 0
  std::array<float, 4> step{};  // from a code to the next
  std::array<std::uint8_t, 4> bits{};
  std::uint32_t left_out = 3;  // of a rotation: the component that follows from the others

  int all_bits() const { return (bits[0] + bits[1]) + (bits[2] + bits[3]); }

  // Whether a component is left out, and all codes lie within +-range: of a box from outside, asked
  // once.
  bool IsWithin(float range) const {
    for (int k = 0; k < 4; ++k) {
      if (bits[k] > kMostBits) return false;
      const float high = low[k] + step[k] * static_cast<float>(LowBits(bits[k]));
      if (!(std::abs(low[k]) <= range) || !(std::abs(high) <= range)) return false;
    }
    return left_out < 4 && bits[left_out] == 0 && low[left_out] == 0.0f && step[left_out] == 0.0f;
  }
};

template <int N>
class Boxed {
 public:
  static constexpr int kComponents = N;
  using Value = CurveValue<N>;

  Boxed() = default;  // of one value: no rotation, or 0
  explicit Boxed(const Box& box) : box_(box) {}

  const Box& box() const { return box_; }
  int bits() const { return box_.all_bits(); }

  // value: of length one if it is a rotation; what lies outside of the box becomes the nearest
  // inside.
  std::uint64_t Pack(const Value& value) const {
    float sign = 1.0f;
    if constexpr (N == 4) sign = value[box_.left_out] < 0.0f ? -1.0f : 1.0f;
    std::uint64_t bits = 0;
    for (int k = N - 1; k >= 0; --k) {
      if (box_.bits[k] == 0) continue;
      const float code = (sign * value[k] - box_.low[k]) / box_.step[k] + 0.5f;
      const auto last = static_cast<float>(LowBits(box_.bits[k]));
      bits = bits << box_.bits[k] | static_cast<std::uint64_t>(std::clamp(code, 0.0f, last));
    }
    return bits;
  }

  Value Unpack(std::uint64_t bits) const { return Unpack(box_, bits); }
  // The same of a box that lies elsewhere, for a reader of many tracks.
  static Value Unpack(const Box& box, std::uint64_t bits) {
    const auto take = [&](int k) {
      const auto code = static_cast<std::int32_t>(bits & ((1u << box.bits[k]) - 1));
      bits >>= box.bits[k];
      return box.low[k] + box.step[k] * static_cast<float>(code);
    };
    const float x = take(0), y = take(1), z = take(2);
    if constexpr (N == 4) {
      return Complete(box.left_out, x, y, z, take(3));
    } else {
      return {x, y, z};
    }
  }

  static float Distance(const Value& a, const Value& b) {
    if constexpr (N == 4) {
      return Chord(a, b);
    } else {
      return Position::Distance(a, b);
    }
  }

 private:
  // One of the components is left out, and zero.
  static Value Complete(std::uint32_t left_out, float x, float y, float z, float w) {
    const float sum = (x * x + y * y) + (z * z + w * w);
    const float rest = std::sqrt(std::max(1.0f - sum, 0.0f));
    // Chosen, and not stored at a computed index: the reader wants all four at once.
    Value value{left_out == 0 ? rest : x, left_out == 1 ? rest : y, left_out == 2 ? rest : z,
                left_out == 3 ? rest : w};
    // Only bits that no rotation is packed into have a sum above one.
    if (sum > 1.0f) [[unlikely]] {
      const float inverse = 1.0f / std::sqrt(sum);
      for (float& component : value) component *= inverse;
    }
    return value;
  }

  Box box_;
};

// The box of a track's samples for a fit within `limit`, in the units of Boxed<N>::Distance.
// Nothing if a component needs more than Box::kMostBits, or if no component of rotations is at
// least 1/8 in all of them.
template <int N>
std::optional<Box> TightBox(std::span<const CurveValue<N>> samples, float limit) {
  constexpr float kLeastLeftOut = 0.125f;
  constexpr float kMostStep = 0.75f;  // of the limit
  constexpr float kStill = 0.2f;      // of the limit: a range that needs no bits
  float most_step = kMostStep * limit;
  Box box;
  if constexpr (N == 4) {
    float largest = 0.0f;
    for (std::uint32_t k = 0; k < 4; ++k) {
      float least = 1.0f;
      for (const auto& sample : samples) least = std::min(least, std::abs(sample[k]));
      if (least <= largest) continue;
      largest = least;
      box.left_out = k;
    }
    if (largest < kLeastLeftOut) return std::nullopt;
    most_step *= std::min(1.0f, 2.0f * largest);
  }
  for (std::uint32_t k = 0; k < N; ++k) {
    if (N == 4 && k == box.left_out) continue;
    float low = 0.0f, high = 0.0f;
    for (std::size_t f = 0; f < samples.size(); ++f) {
      float component = samples[f][k];
      if constexpr (N == 4) component = samples[f][box.left_out] < 0.0f ? -component : component;
      low = f == 0 ? component : std::min(low, component);
      high = f == 0 ? component : std::max(high, component);
    }
    if (high - low <= kStill * limit) {
      box.low[k] = (low + high) / 2;
      continue;
    }
    box.low[k] = low;
    do {
      if (++box.bits[k] > Box::kMostBits) return std::nullopt;
      box.step[k] = (high - low) / static_cast<float>(LowBits(box.bits[k]));
    } while (box.step[k] > most_step);
  }
  return box;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_BOXED_H_
