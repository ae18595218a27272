// Hashes and random sequences, which are the same everywhere to the bit, and the mode of the
// processor that the bits depend on.
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>

#include "src/math/float_mode.h"
#include "src/math/hash.h"
#include "src/math/random.h"
#include "src/math/simd.h"

namespace nowait {
namespace {

template <class... Values>
std::uint64_t HashOf(Values... values) {
  Hash hash;
  (hash.Add(values), ...);
  return hash.value();
}

TEST_CASE("the hash of several bytes is that of the authors' test vectors") {
  Hash hash;
  CHECK(hash.value() == 0xcbf29ce484222325ull);
  for (const char c : std::string_view("foobar")) hash.AddByte(static_cast<std::uint8_t>(c));
  CHECK(hash.value() == 0x85944171f73967e8ull);
}

TEST_CASE("a word goes into the hash by its bytes from the lowest up, a float by its bits") {
  CHECK(HashOf(0x64636261u) == 0xfc179f83ee0724ddull);  // "abcd"
  CHECK(HashOf(1.0f) == HashOf(0x3f800000u));
}

TEST_CASE("each entry of a vector and of a quaternion goes into the hash, in order") {
  CHECK(HashOf(Vec3{1, 2, 3}) == 0x1de40d89811fe258ull);
  CHECK(HashOf(Vec3{1, 2, 3}) == HashOf(1.0f, 2.0f, 3.0f));
  CHECK(HashOf(Quat{1, 2, 3, 4}) == 0x8faa0a18faf0fb98ull);
  CHECK(HashOf(Quat{1, 2, 3, 4}) == HashOf(1.0f, 2.0f, 3.0f, 4.0f));
}

TEST_CASE("the generator's numbers are those of PCG-XSH-RR with its usual increment") {
  Random random(42);
  for (const std::uint32_t number : {0xc2f57bd6u, 0x6b07c4a9u, 0x72b7b29bu, 0x44215383u}) {
    CHECK(random.Next() == number);
  }
}

TEST_CASE("a number below a count is each of them in its turn, the first and the last too") {
  Random random(7);
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 300; ++i) seen.insert(random.Below(5));
  CHECK(seen == std::set<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(random.Below(1) == 0);
}

TEST_CASE("a number of the unit interval is a multiple of 2^-24, up to the last below one") {
  Random random(8);
  float least = 1, most = 0;
  for (int i = 0; i < 2000; ++i) {
    const float number = random.Unit();
    REQUIRE(number * 0x1p24f == std::floor(number * 0x1p24f));
    least = std::min(least, number);
    most = std::max(most, number);
  }
  CHECK(least < 0.01f);
  CHECK(most > 0.99f);
  CHECK(most < 1.0f);
}

TEST_CASE("random numbers lie between their limits, those of a box on each axis by its own") {
  Random random(9);
  Vec3 least{100, 100, 100}, most{-100, -100, -100};
  for (int i = 0; i < 2000; ++i) {
    const float number = random.Between(-3, 5);
    REQUIRE((number >= -3 && number < 5));
    const Vec3 place = random.InBox({1, -4, 10}, {2, -2, 40});
    least = Min(least, place);
    most = Max(most, place);
  }
  CHECK((least.x >= 1 && least.x < 1.01f && most.x < 2 && most.x > 1.99f));
  CHECK((least.y >= -4 && least.y < -3.9f && most.y < -2 && most.y > -2.1f));
  CHECK((least.z >= 10 && least.z < 11 && most.z < 40 && most.z > 39));
}

TEST_CASE("random directions and rotations are of length one and go everywhere") {
  Random random(10);
  std::array<int, 8> octants{}, turns{};
  for (int i = 0; i < 800; ++i) {
    const Vec3 d = random.Direction();
    REQUIRE(Length(d) == Approx(1.0f));
    ++octants[(d.x > 0 ? 1u : 0u) + (d.y > 0 ? 2u : 0u) + (d.z > 0 ? 4u : 0u)];
    const Quat q = random.Rotation();
    REQUIRE(LengthSquared(q) == Approx(1.0f));
    ++turns[(q.x > 0 ? 1u : 0u) + (q.y > 0 ? 2u : 0u) + (q.z * q.w > 0 ? 4u : 0u)];
  }
  for (const int count : octants) CHECK(count > 50);
  for (const int count : turns) CHECK(count > 50);
}

TEST_CASE("random directions are as dense at the corners of a cube as at its faces") {
  // A cap round each axis and one of the same size round each diagonal. All are (1 - c) / 2 of the
  // sphere, c being the cosine at their borders.
  constexpr int kCount = 40'000;
  constexpr float kBorder = 0.95f;
  Random random(11);
  int at_faces = 0, at_corners = 0;
  for (int i = 0; i < kCount; ++i) {
    const Vec3 d = Abs(random.Direction());
    if (std::max(std::max(d.x, d.y), d.z) > kBorder) ++at_faces;
    if ((d.x + d.y) + d.z > kBorder * std::sqrt(3.0f)) ++at_corners;
  }
  CHECK(at_faces == Approx(6 * kCount * (1 - kBorder) / 2).epsilon(0.05));
  CHECK(at_corners == Approx(8 * kCount * (1 - kBorder) / 2).epsilon(0.05));
}

TEST_CASE("of equal numbers, and of one that is no number, Min and Max return the second") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto check = [&](auto lanes) {
    using Lanes = decltype(lanes);
    using Array = typename Lanes::Array;
    const Lanes zero(Array{0.0f, -0.0f, nan, 3}), other(Array{-0.0f, 0.0f, 2, nan});
    for (const Array& second : {Min(zero, other).ToArray(), Max(zero, other).ToArray()}) {
      CHECK(std::signbit(second[0]));
      CHECK_FALSE(std::signbit(second[1]));
      CHECK(second[2] == 2);
      CHECK(std::isnan(second[3]));
    }
    CHECK((zero <= other).Bits() == 0b0011u);
  };
  check(Float4(0.0f));
  check(ScalarFloats<4>(0.0f));
}

// The mode of the calling thread, as it was, when the test is over.
struct KeepMode {
  ~KeepMode() { _mm_setcsr(before); }
  const unsigned before = _mm_getcsr();
};

TEST_CASE("in a float mode scope the mode is the default, whatever it was, and it comes back") {
  const KeepMode keep;
  constexpr unsigned kFlush = 0x8000, kDenormalsAreZero = 0x40, kRoundUp = 0x4000,
                     kTowardsZero = 0x6000;
  for (const unsigned mode : {kFlush, kDenormalsAreZero, kRoundUp, kTowardsZero}) {
    CAPTURE(mode);
    _mm_setcsr(0x1f80u | mode);
    CHECK_FALSE(FloatModeScope::IsDefault());
    {
      const FloatModeScope scope;
      CHECK(FloatModeScope::IsDefault());
      {
        const FloatModeScope inner;
        CHECK(FloatModeScope::IsDefault());
      }
      CHECK(FloatModeScope::IsDefault());
    }
    CHECK(_mm_getcsr() == (0x1f80u | mode));
  }
}

TEST_CASE("an exception that was raised earlier is no mode of its own") {
  const KeepMode keep;
  _mm_setcsr(0x1f80u | 0x3f);
  CHECK(FloatModeScope::IsDefault());
  _mm_setcsr(0x1f80u);
  CHECK(FloatModeScope::IsDefault());
}

}  // namespace
}  // namespace nowait
