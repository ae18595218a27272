// LoadColumns and StoreColumns: four neighbouring floats of each of N rows, as four Floats<N>.
//
// A row is memory of one object, such as a body; lane i of all columns belongs to row i. Loading is
// a gather, storing a scatter, and both are a transposition in registers: each row is one access
// of 16 bytes, and four columns of any number of lanes take eight shuffles within blocks of four.
//
// Rows need no alignment. Rows that are stored to do not overlap.
//
// Thread safety: as plain accesses of the rows that are read or written. Test:
// tests/math/simd_test.cc.
//
// Source: the network is the usual one for a 4 x 4 matrix in SSE registers.
#ifndef NOWAIT_SRC_MATH_SIMD_ROWS_H_
#define NOWAIT_SRC_MATH_SIMD_ROWS_H_

#include <array>
#include <cstddef>

#include "src/math/simd.h"

namespace nowait {

template <int N>
using Columns = std::array<Floats<N>, 4>;

inline namespace HWY_NAMESPACE {
namespace simd_internal {

#if HWY_TARGET != HWY_SCALAR

// Lanes 4 k .. 4 k + 3 of the result are row i + 4 k, where Rows are rows i, i + 4, i + 8, ...
template <int N, class Rows>
hn::Vec<Tag<N>> JoinRows(const Rows& rows, std::size_t i) {
  if constexpr (N == 4) {
    return hn::LoadU(Tag<4>(), rows[i]);
  } else {
    return hn::Combine(Tag<N>(), JoinRows<N / 2>(rows, i + N / 2), JoinRows<N / 2>(rows, i));
  }
}

template <int N, class Rows>
void SplitRows(hn::Vec<Tag<N>> joined, const Rows& rows, std::size_t i) {
  if constexpr (N == 4) {
    hn::StoreU(joined, Tag<4>(), rows[i]);
  } else {
    SplitRows<N / 2>(hn::LowerHalf(Tag<N / 2>(), joined), rows, i);
    SplitRows<N / 2>(hn::UpperHalf(Tag<N / 2>(), joined), rows, i + N / 2);
  }
}

// Of each block of four lanes. The transpose of the transpose is the first matrix.
template <int N>
std::array<hn::Vec<Tag<N>>, 4> TransposeBlocks(const std::array<hn::Vec<Tag<N>>, 4>& v) {
  const Tag<N> floats;
  const hn::FixedTag<double, N / 2> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(floats, v[0], v[1]));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(floats, v[2], v[3]));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(floats, v[0], v[1]));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(floats, v[2], v[3]));
  return {hn::BitCast(floats, hn::InterleaveLower(pairs, low01, low23)),
          hn::BitCast(floats, hn::InterleaveUpper(pairs, low01, low23)),
          hn::BitCast(floats, hn::InterleaveLower(pairs, high01, high23)),
          hn::BitCast(floats, hn::InterleaveUpper(pairs, high01, high23))};
}

#endif

}  // namespace simd_internal

template <int N>
Columns<N> LoadColumns(const std::array<const float*, N>& rows) {
  Columns<N> columns;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (simd_internal::kHasRegister<N>) {
    const auto transposed = simd_internal::TransposeBlocks<N>(
        {simd_internal::JoinRows<N>(rows, 0), simd_internal::JoinRows<N>(rows, 1),
         simd_internal::JoinRows<N>(rows, 2), simd_internal::JoinRows<N>(rows, 3)});
    for (std::size_t k = 0; k < 4; ++k) columns[k] = Floats<N>(transposed[k]);
    return columns;
  }
#endif
  for (std::size_t k = 0; k < 4; ++k) {
    std::array<float, N> lanes;
    for (std::size_t i = 0; i < N; ++i) lanes[i] = rows[i][k];
    columns[k] = Floats<N>(lanes);
  }
  return columns;
}

template <int N>
void StoreColumns(const Columns<N>& columns, const std::array<float*, N>& rows) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (simd_internal::kHasRegister<N>) {
    const auto joined = simd_internal::TransposeBlocks<N>(
        {columns[0].raw(), columns[1].raw(), columns[2].raw(), columns[3].raw()});
    for (std::size_t i = 0; i < 4; ++i) simd_internal::SplitRows<N>(joined[i], rows, i);
    return;
  }
#endif
  for (std::size_t k = 0; k < 4; ++k) {
    const std::array<float, N> lanes = columns[k].ToArray();
    for (std::size_t i = 0; i < N; ++i) rows[i][k] = lanes[i];
  }
}

// Twice as many lanes, and their halves.
template <int N>
ScalarFloats<2 * N> Join(const ScalarFloats<N>& lower, const ScalarFloats<N>& upper) {
  std::array<float, 2 * N> lanes;
  lower.Store(lanes.data());
  upper.Store(lanes.data() + N);
  return ScalarFloats<2 * N>(lanes);
}
template <int N>
ScalarFloats<N / 2> LowerHalf(const ScalarFloats<N>& lanes) {
  return ScalarFloats<N / 2>::Load(lanes.ToArray().data());
}
template <int N>
ScalarFloats<N / 2> UpperHalf(const ScalarFloats<N>& lanes) {
  return ScalarFloats<N / 2>::Load(lanes.ToArray().data() + N / 2);
}

#if HWY_TARGET != HWY_SCALAR

template <int N>
HighwayFloats<2 * N> Join(HighwayFloats<N> lower, HighwayFloats<N> upper) {
  return HighwayFloats<2 * N>(
      simd_internal::hn::Combine(simd_internal::Tag<2 * N>(), upper.raw(), lower.raw()));
}
template <int N>
HighwayFloats<N / 2> LowerHalf(HighwayFloats<N> lanes) {
  return HighwayFloats<N / 2>(
      simd_internal::hn::LowerHalf(simd_internal::Tag<N / 2>(), lanes.raw()));
}
template <int N>
HighwayFloats<N / 2> UpperHalf(HighwayFloats<N> lanes) {
  return HighwayFloats<N / 2>(
      simd_internal::hn::UpperHalf(simd_internal::Tag<N / 2>(), lanes.raw()));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_SIMD_ROWS_H_
