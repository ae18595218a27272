// SIMD lanes: Floats<N> and its mask, the whole vocabulary of the project's kernels.
//
// Floats<4> (Float4) is a thin layer over Highway. Every other width is the plain array below it,
// which is also the reference: tests/math/simd_test.cc compares the two bit by bit.
//
// Highway was chosen because it is maintained, it is in Debian, and it has the same operations on
// every instruction set. Its static dispatch is used: the instruction set is the compiler's target.
//
// There are no reciprocal or square-root estimates: their bits differ from processor to processor,
// and nothing in a physics step may differ.
//
// Min and Max return the second operand if the operands are equal or one is NaN. Comparisons with
// NaN are false.
#ifndef NOWAIT_SRC_MATH_SIMD_H_
#define NOWAIT_SRC_MATH_SIMD_H_

#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace nowait {

// One bit per lane, lane 0 lowest.
using LaneBits = std::uint32_t;

template <int N>
class ScalarMask {
 public:
  explicit ScalarMask(LaneBits bits) : bits_(bits) {}
  LaneBits Bits() const { return bits_; }
  friend ScalarMask operator&(ScalarMask a, ScalarMask b) { return ScalarMask(a.bits_ & b.bits_); }
  friend ScalarMask operator|(ScalarMask a, ScalarMask b) { return ScalarMask(a.bits_ | b.bits_); }

 private:
  LaneBits bits_;
};

template <int N>
class ScalarFloats {
 public:
  using Array = std::array<float, N>;
  using Mask = ScalarMask<N>;

  ScalarFloats() = default;  // unspecified
  explicit ScalarFloats(float all) { lanes_.fill(all); }
  explicit ScalarFloats(const Array& lanes) : lanes_(lanes) {}

  Array ToArray() const { return lanes_; }

  friend ScalarFloats operator+(const ScalarFloats& a, const ScalarFloats& b) {
    return Map(a, b, [](float x, float y) { return x + y; });
  }
  friend ScalarFloats operator-(const ScalarFloats& a, const ScalarFloats& b) {
    return Map(a, b, [](float x, float y) { return x - y; });
  }
  friend ScalarFloats operator*(const ScalarFloats& a, const ScalarFloats& b) {
    return Map(a, b, [](float x, float y) { return x * y; });
  }
  friend ScalarFloats operator/(const ScalarFloats& a, const ScalarFloats& b) {
    return Map(a, b, [](float x, float y) { return x / y; });
  }
  friend ScalarFloats Sqrt(const ScalarFloats& a) {
    return Map(a, a, [](float x, float) { return std::sqrt(x); });
  }
  friend ScalarFloats CopySign(const ScalarFloats& magnitude, const ScalarFloats& sign) {
    return Map(magnitude, sign, [](float x, float y) { return std::copysign(x, y); });
  }
  friend ScalarFloats Min(const ScalarFloats& a, const ScalarFloats& b) {
    return Map(a, b, [](float x, float y) { return x < y ? x : y; });
  }
  friend ScalarFloats Max(const ScalarFloats& a, const ScalarFloats& b) {
    return Map(a, b, [](float x, float y) { return x > y ? x : y; });
  }
  friend Mask operator<=(const ScalarFloats& a, const ScalarFloats& b) {
    LaneBits bits = 0;
    for (int i = 0; i < N; ++i) bits |= LaneBits{a.lanes_[i] <= b.lanes_[i]} << i;
    return Mask(bits);
  }

 private:
  template <class Op>
  static ScalarFloats Map(const ScalarFloats& a, const ScalarFloats& b, Op op) {
    Array result;
    for (int i = 0; i < N; ++i) result[i] = op(a.lanes_[i], b.lanes_[i]);
    return ScalarFloats(result);
  }

  Array lanes_;
};

// Without any of Highway's instruction sets (a target with nothing newer than SSE2), the plain
// arrays are used.
#if HWY_TARGET == HWY_SCALAR

using Float4 = ScalarFloats<4>;

#else

namespace simd_internal {
namespace hn = hwy::HWY_NAMESPACE;
using Tag4 = hn::FixedTag<float, 4>;
}  // namespace simd_internal

class Mask4 {
 public:
  using Raw = simd_internal::hn::Mask<simd_internal::Tag4>;

  explicit Mask4(Raw raw) : raw_(raw) {}
  LaneBits Bits() const {
    std::uint8_t bytes[8] = {};  // Highway may write up to 8
    simd_internal::hn::StoreMaskBits(simd_internal::Tag4(), raw_, bytes);
    return bytes[0];
  }
  friend Mask4 operator&(Mask4 a, Mask4 b) { return Mask4(simd_internal::hn::And(a.raw_, b.raw_)); }
  friend Mask4 operator|(Mask4 a, Mask4 b) { return Mask4(simd_internal::hn::Or(a.raw_, b.raw_)); }

 private:
  Raw raw_;
};

class Float4 {
 public:
  using Array = std::array<float, 4>;
  using Mask = Mask4;
  using Raw = simd_internal::hn::Vec<simd_internal::Tag4>;

  Float4() = default;  // unspecified
  explicit Float4(Raw raw) : raw_(raw) {}
  explicit Float4(float all) : raw_(simd_internal::hn::Set(simd_internal::Tag4(), all)) {}
  explicit Float4(const Array& lanes)
      : raw_(simd_internal::hn::LoadU(simd_internal::Tag4(), lanes.data())) {}

  Array ToArray() const {
    Array lanes;
    simd_internal::hn::StoreU(raw_, simd_internal::Tag4(), lanes.data());
    return lanes;
  }

  friend Float4 operator+(Float4 a, Float4 b) {
    return Float4(simd_internal::hn::Add(a.raw_, b.raw_));
  }
  friend Float4 operator-(Float4 a, Float4 b) {
    return Float4(simd_internal::hn::Sub(a.raw_, b.raw_));
  }
  friend Float4 operator*(Float4 a, Float4 b) {
    return Float4(simd_internal::hn::Mul(a.raw_, b.raw_));
  }
  friend Float4 operator/(Float4 a, Float4 b) {
    return Float4(simd_internal::hn::Div(a.raw_, b.raw_));
  }
  friend Float4 Sqrt(Float4 a) { return Float4(simd_internal::hn::Sqrt(a.raw_)); }
  friend Float4 CopySign(Float4 magnitude, Float4 sign) {
    return Float4(simd_internal::hn::CopySign(magnitude.raw_, sign.raw_));
  }
  friend Float4 Min(Float4 a, Float4 b) { return Float4(simd_internal::hn::Min(a.raw_, b.raw_)); }
  friend Float4 Max(Float4 a, Float4 b) { return Float4(simd_internal::hn::Max(a.raw_, b.raw_)); }
  friend Mask operator<=(Float4 a, Float4 b) { return Mask(simd_internal::hn::Le(a.raw_, b.raw_)); }

 private:
  Raw raw_;
};

#endif

namespace simd_internal {
template <int N>
struct FloatsOf {
  using Type = ScalarFloats<N>;
};
template <>
struct FloatsOf<4> {
  using Type = Float4;
};
}  // namespace simd_internal

// N floats that are worked on together.
template <int N>
using Floats = typename simd_internal::FloatsOf<N>::Type;

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_SIMD_H_
