#include "src/math/simd.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>

namespace nowait {
namespace {

using Array = std::array<float, 4>;
using Bits = std::array<std::uint32_t, 4>;

Bits BitsOf(const Array& array) { return std::bit_cast<Bits>(array); }

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
  Array NextFour() { return {Next(), Next(), Next(), Next()}; }

 private:
  std::mt19937 random_;
};

// The sign and payload of a NaN that an operation makes are not part of the promise.
Bits Canonical(const Array& array) {
  Bits bits = BitsOf(array);
  for (int i = 0; i < 4; ++i) {
    if (array[i] != array[i]) bits[i] = 0x7fc00000u;
  }
  return bits;
}

TEST_CASE("the four lanes of Highway give the bits of the plain array") {
  const std::uint32_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  Numbers numbers(seed);
  for (int round = 0; round < 20'000; ++round) {
    const Array a = numbers.NextFour();
    const Array b = numbers.NextFour();
    const Float4 x(a), y(b);
    const ScalarFloats<4> p(a), q(b);
    CAPTURE(round, a, b);
    REQUIRE(Canonical((x + y).ToArray()) == Canonical((p + q).ToArray()));
    REQUIRE(Canonical((x - y).ToArray()) == Canonical((p - q).ToArray()));
    REQUIRE(Canonical((x * y).ToArray()) == Canonical((p * q).ToArray()));
    REQUIRE(Canonical((x / y).ToArray()) == Canonical((p / q).ToArray()));
    REQUIRE(Canonical(Sqrt(x).ToArray()) == Canonical(Sqrt(p).ToArray()));
    REQUIRE(Canonical(CopySign(x, y).ToArray()) == Canonical(CopySign(p, q).ToArray()));
    REQUIRE(Canonical(Min(x, y).ToArray()) == Canonical(Min(p, q).ToArray()));
    REQUIRE(Canonical(Max(x, y).ToArray()) == Canonical(Max(p, q).ToArray()));
    REQUIRE((x <= y).Bits() == (p <= q).Bits());
    REQUIRE(((x <= y) & (y <= x)).Bits() == ((p <= q) & (q <= p)).Bits());
    REQUIRE(((x <= y) | (y <= x)).Bits() == ((p <= q) | (q <= p)).Bits());
  }
}

TEST_CASE("lane 0 is the lowest bit, and a splat fills every lane") {
  REQUIRE((Float4(Array{1, 9, 1, 9}) <= Float4(2.0f)).Bits() == 0b0101u);
  REQUIRE(Float4(3.0f).ToArray() == Array{3, 3, 3, 3});
  REQUIRE((Floats<2>(std::array<float, 2>{9, 1}) <= Floats<2>(2.0f)).Bits() == 0b10u);
}

}  // namespace
}  // namespace nowait
