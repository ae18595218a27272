// SIMD lanes: Floats<N> and its mask, the whole vocabulary of the project's kernels.
//
// Floats<4> (Float4), and Floats<8> and <16> where the target has such registers, are a thin layer
// over Highway. Every other width is the plain array below it, which is also the reference:
// tests/math/simd_test.cc compares the two bit by bit.
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

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace nowait {

// One bit per lane, lane 0 lowest.
using LaneBits = std::uint32_t;

template <int N>
class ScalarMask {
 public:
  explicit ScalarMask(LaneBits bits) : bits_(bits) {}  // those of lanes that are there
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

  // N neighbouring floats.
  static ScalarFloats Load(const float* from) {
    Array lanes;
    std::copy_n(from, N, lanes.begin());
    return ScalarFloats(lanes);
  }
  void Store(float* to) const { std::ranges::copy(lanes_, to); }

  friend ScalarFloats operator-(const ScalarFloats& a) {
    return Map(a, a, [](float x, float) { return -x; });
  }
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
  friend Mask operator<(const ScalarFloats& a, const ScalarFloats& b) {
    LaneBits bits = 0;
    for (int i = 0; i < N; ++i) bits |= LaneBits{a.lanes_[i] < b.lanes_[i]} << i;
    return Mask(bits);
  }
  // Lane by lane, `yes` where the mask is set.
  friend ScalarFloats Select(Mask mask, const ScalarFloats& yes, const ScalarFloats& no) {
    Array result;
    for (int i = 0; i < N; ++i) result[i] = mask.Bits() >> i & 1 ? yes.lanes_[i] : no.lanes_[i];
    return ScalarFloats(result);
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

// Names that depend on the instruction set contain its name: a unit that is compiled for a newer
// one shares no function with the others.
inline namespace HWY_NAMESPACE {

namespace simd_internal {

// Without any of Highway's instruction sets (a target with nothing newer than SSE2), the plain
// arrays are used.
template <int N>
inline constexpr bool kHasRegister = (HWY_TARGET != HWY_SCALAR) && N >= 4 &&
                                     (N * sizeof(float) <= HWY_MAX_BYTES);

}  // namespace simd_internal

#if HWY_TARGET != HWY_SCALAR

namespace simd_internal {
namespace hn = hwy::HWY_NAMESPACE;
template <int N>
using Tag = hn::FixedTag<float, N>;
}  // namespace simd_internal

template <int N>
class HighwayMask {
 public:
  using Raw = simd_internal::hn::Mask<simd_internal::Tag<N>>;

  explicit HighwayMask(Raw raw) : raw_(raw) {}
  explicit HighwayMask(LaneBits bits) {
    std::uint8_t bytes[8] = {};  // Highway may read up to 8
    std::memcpy(bytes, &bits, sizeof bits);
    raw_ = simd_internal::hn::LoadMaskBits(simd_internal::Tag<N>(), bytes);
  }
  LaneBits Bits() const {
    std::uint8_t bytes[8] = {};  // Highway may write up to 8
    simd_internal::hn::StoreMaskBits(simd_internal::Tag<N>(), raw_, bytes);
    LaneBits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return bits;
  }
  Raw raw() const { return raw_; }
  friend HighwayMask operator&(HighwayMask a, HighwayMask b) {
    return HighwayMask(simd_internal::hn::And(a.raw_, b.raw_));
  }
  friend HighwayMask operator|(HighwayMask a, HighwayMask b) {
    return HighwayMask(simd_internal::hn::Or(a.raw_, b.raw_));
  }

 private:
  Raw raw_;
};

template <int N>
class HighwayFloats {
 public:
  using Array = std::array<float, N>;
  using Mask = HighwayMask<N>;
  using Raw = simd_internal::hn::Vec<simd_internal::Tag<N>>;

  HighwayFloats() = default;  // unspecified
  explicit HighwayFloats(Raw raw) : raw_(raw) {}
  explicit HighwayFloats(float all) : raw_(simd_internal::hn::Set(Tag(), all)) {}
  explicit HighwayFloats(const Array& lanes)
      : raw_(simd_internal::hn::LoadU(Tag(), lanes.data())) {}

  Raw raw() const { return raw_; }
  Array ToArray() const {
    Array lanes;
    Store(lanes.data());
    return lanes;
  }
  static HighwayFloats Load(const float* from) {
    return HighwayFloats(simd_internal::hn::LoadU(Tag(), from));
  }
  void Store(float* to) const { simd_internal::hn::StoreU(raw_, Tag(), to); }

  friend HighwayFloats operator-(HighwayFloats a) {
    return HighwayFloats(simd_internal::hn::Neg(a.raw_));
  }
  friend HighwayFloats operator+(HighwayFloats a, HighwayFloats b) {
    return HighwayFloats(simd_internal::hn::Add(a.raw_, b.raw_));
  }
  friend HighwayFloats operator-(HighwayFloats a, HighwayFloats b) {
    return HighwayFloats(simd_internal::hn::Sub(a.raw_, b.raw_));
  }
  friend HighwayFloats operator*(HighwayFloats a, HighwayFloats b) {
    return HighwayFloats(simd_internal::hn::Mul(a.raw_, b.raw_));
  }
  friend HighwayFloats operator/(HighwayFloats a, HighwayFloats b) {
    return HighwayFloats(simd_internal::hn::Div(a.raw_, b.raw_));
  }
  friend HighwayFloats Sqrt(HighwayFloats a) {
    return HighwayFloats(simd_internal::hn::Sqrt(a.raw_));
  }
  friend HighwayFloats CopySign(HighwayFloats magnitude, HighwayFloats sign) {
    return HighwayFloats(simd_internal::hn::CopySign(magnitude.raw_, sign.raw_));
  }
  friend HighwayFloats Min(HighwayFloats a, HighwayFloats b) {
    return HighwayFloats(simd_internal::hn::Min(a.raw_, b.raw_));
  }
  friend HighwayFloats Max(HighwayFloats a, HighwayFloats b) {
    return HighwayFloats(simd_internal::hn::Max(a.raw_, b.raw_));
  }
  friend Mask operator<=(HighwayFloats a, HighwayFloats b) {
    return Mask(simd_internal::hn::Le(a.raw_, b.raw_));
  }
  friend Mask operator<(HighwayFloats a, HighwayFloats b) {
    return Mask(simd_internal::hn::Lt(a.raw_, b.raw_));
  }
  friend HighwayFloats Select(Mask mask, HighwayFloats yes, HighwayFloats no) {
    return HighwayFloats(simd_internal::hn::IfThenElse(mask.raw(), yes.raw_, no.raw_));
  }

 private:
  using Tag = simd_internal::Tag<N>;

  Raw raw_;
};

#endif

namespace simd_internal {
template <int N, bool has_register = kHasRegister<N>>
struct FloatsOf {
  using Type = ScalarFloats<N>;
};
#if HWY_TARGET != HWY_SCALAR
template <int N>
struct FloatsOf<N, true> {
  using Type = HighwayFloats<N>;
};
#endif
}  // namespace simd_internal

// N floats that are worked on together.
template <int N>
using Floats = typename simd_internal::FloatsOf<N>::Type;

using Float4 = Floats<4>;

}  // namespace HWY_NAMESPACE

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_SIMD_H_
