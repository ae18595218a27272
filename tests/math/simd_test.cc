#include "src/math/simd.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>

#include "src/math/simd_rows.h"

namespace nowait {
namespace {

template <int N>
using Bits = std::array<std::uint32_t, N>;

// Ordinary numbers of all magnitudes, and every so often one of the special ones.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : random_(seed) {}

  float Next() {
    static constexpr float kSpecial[] = {0.0f,
                                         -0.0f,
                                         1.0f,
                                         -1e30f,
                                         1e30f,
                                         std::numeric_limits<float>::infinity(),
                                         -std::numeric_limits<float>::infinity(),
                                         std::numeric_limits<float>::quiet_NaN(),
                                         std::numeric_limits<float>::denorm_min()};
    if (random_() % 4 == 0) return kSpecial[random_() % std::size(kSpecial)];
    return std::bit_cast<float>(static_cast<std::uint32_t>(random_()));
  }
  template <int N>
  std::array<float, N> NextOnes() {
    std::array<float, N> numbers;
    for (float& number : numbers) number = Next();
    return numbers;
  }

 private:
  std::mt19937 random_;
};

// The sign and payload of a NaN that an operation makes are not part of the promise.
template <std::size_t N>
Bits<N> Canonical(const std::array<float, N>& array) {
  Bits<N> bits = std::bit_cast<Bits<N>>(array);
  for (std::size_t i = 0; i < N; ++i) {
    if (array[i] != array[i]) bits[i] = 0x7fc00000u;
  }
  return bits;
}

template <int N>
void CompareWithThePlainArray(std::uint32_t seed) {
  Numbers numbers(seed);
  for (int round = 0; round < 20'000; ++round) {
    const auto a = numbers.NextOnes<N>();
    const auto b = numbers.NextOnes<N>();
    const Floats<N> x(a), y(b);
    const ScalarFloats<N> p(a), q(b);
    CAPTURE(round, a, b);
    REQUIRE(Canonical((-x).ToArray()) == Canonical((-p).ToArray()));
    REQUIRE(Canonical((x + y).ToArray()) == Canonical((p + q).ToArray()));
    REQUIRE(Canonical((x - y).ToArray()) == Canonical((p - q).ToArray()));
    REQUIRE(Canonical((x * y).ToArray()) == Canonical((p * q).ToArray()));
    REQUIRE(Canonical((x / y).ToArray()) == Canonical((p / q).ToArray()));
    REQUIRE(Canonical(Sqrt(x).ToArray()) == Canonical(Sqrt(p).ToArray()));
    REQUIRE(Canonical(CopySign(x, y).ToArray()) == Canonical(CopySign(p, q).ToArray()));
    REQUIRE(Canonical(Min(x, y).ToArray()) == Canonical(Min(p, q).ToArray()));
    REQUIRE(Canonical(Max(x, y).ToArray()) == Canonical(Max(p, q).ToArray()));
    REQUIRE((x <= y).Bits() == (p <= q).Bits());
    REQUIRE((x < y).Bits() == (p < q).Bits());
    REQUIRE(((x <= y) & (y <= x)).Bits() == ((p <= q) & (q <= p)).Bits());
    REQUIRE(((x <= y) | (y <= x)).Bits() == ((p <= q) | (q <= p)).Bits());
    const LaneBits bits = std::bit_cast<LaneBits>(a[0]) & ((1u << N) - 1);
    const typename Floats<N>::Mask mask(bits);
    REQUIRE(mask.Bits() == bits);
    REQUIRE(Canonical(Select(mask, x, y).ToArray()) ==
            Canonical(Select(ScalarMask<N>(bits), p, q).ToArray()));
  }
}

TEST_CASE("four and eight lanes of Highway give the bits of the plain array") {
  const std::uint32_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  CompareWithThePlainArray<4>(seed);
  CompareWithThePlainArray<8>(seed);
}

TEST_CASE("eight floats are loaded from anywhere and stored as they were") {
  const std::array<float, 9> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::array<float, 10> copy;
  copy.fill(-1);
  Floats<8>::Load(numbers.data() + 1).Store(copy.data() + 1);
  CHECK(copy == std::array<float, 10>{-1, 1, 2, 3, 4, 5, 6, 7, 8, -1});
}

template <class Lower>
void CheckHalves(const Lower& lower, const Lower& upper) {
  const auto joined = Join(lower, upper);
  CHECK(joined.ToArray() == std::array<float, 8>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(LowerHalf(joined).ToArray() == lower.ToArray());
  CHECK(UpperHalf(joined).ToArray() == upper.ToArray());
}

TEST_CASE("lanes are joined and halved in their order, in registers and in the plain array") {
  const std::array<float, 4> lower{1, 2, 3, 4}, upper{5, 6, 7, 8};
  CheckHalves(ScalarFloats<4>(lower), ScalarFloats<4>(upper));
#ifdef __AVX2__
  CheckHalves(Floats<4>(lower), Floats<4>(upper));
#endif
}

// Row i has 100 i + 0 .. 100 i + 3.
template <int N>
void GatherAndScatter() {
  std::array<std::array<float, 6>, N> rows;
  std::array<const float*, N> from;
  std::array<float*, N> to;
  for (int i = 0; i < N; ++i) {
    rows[i].fill(-1);
    for (int k = 0; k < 4; ++k) rows[i][1 + k] = static_cast<float>(100 * i + k);
    from[i] = to[i] = rows[i].data() + 1;
  }
  const auto before = rows;
  const Columns<N> columns = LoadColumns<N>(from);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < N; ++i) {
      REQUIRE(columns[k].ToArray()[i] == static_cast<float>(100 * i + k));
    }
  }
  for (int i = 0; i < N; ++i) std::fill_n(to[i], 4, -2.0f);
  StoreColumns<N>(columns, to);
  REQUIRE(rows == before);
}

TEST_CASE("columns are gathered from rows and scattered to them, and nothing beside them changes") {
  GatherAndScatter<4>();
  GatherAndScatter<8>();
  GatherAndScatter<2>();  // the plain array
}

TEST_CASE("lane 0 is the lowest bit, and a splat fills every lane") {
  REQUIRE((Float4(std::array<float, 4>{1, 9, 1, 9}) <= Float4(2.0f)).Bits() == 0b0101u);
  REQUIRE(Float4(3.0f).ToArray() == std::array<float, 4>{3, 3, 3, 3});
  REQUIRE((Floats<2>(std::array<float, 2>{9, 1}) <= Floats<2>(2.0f)).Bits() == 0b10u);
}

}  // namespace
}  // namespace nowait
