#include "src/animation/quantise.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

CurveValue<4> ToValue(Quat q) { return {q.x, q.y, q.z, q.w}; }

// A rotation where rounding costs most is found by climbing: of many starts, small steps upwards.
template <class Format>
float LargestError(std::uint64_t seed, int starts, int steps, float step) {
  Random random(seed);
  float largest = 0;
  for (int start = 0; start < starts; ++start) {
    Quat q = random.Rotation();
    float here = 0;
    for (int i = 0; i < steps; ++i) {
      const Quat next =
          Normalise({q.x + random.Between(-step, step), q.y + random.Between(-step, step),
                     q.z + random.Between(-step, step), q.w + random.Between(-step, step)});
      const auto value = ToValue(next);
      const float error = Chord(Format::Unpack(Format::Pack(value)), value);
      if (error > here) {
        here = error;
        q = next;
      }
    }
    largest = std::max(largest, here);
  }
  return DegreesOfChord(largest);
}

TEST_CASE("ten bits a component keep a rotation within 0.16 degrees") {
  const std::uint64_t seed = GENERATE(1u, 2u);
  CAPTURE(seed);
  const float largest = LargestError<Rotation<10>>(seed, 100, 1'000, 0.001f);
  CHECK(largest < 0.16f);
  CHECK(largest > 0.14f);  // the search finds what the format costs
}

TEST_CASE("fifteen bits a component keep a rotation within 0.005 degrees") {
  const float largest = LargestError<Rotation<15>>(3, 50, 400, 0.00003f);
  CHECK(largest < 0.005f);
  CHECK(largest > 0.003f);
}

TEST_CASE("rounding each component for itself would cost up to 0.275 degrees") {
  // All components are equal, and each lies half a step away from a code.
  const float half_step = std::sqrt(2.0f) / 1022 / 2;
  const float code = std::floor(0.5f / (2 * half_step));
  const float part = (code + 0.499f) * 2 * half_step;
  const Quat q = Normalise({part, part, part, std::sqrt(1 - 3 * part * part)});
  const float rounded = code * 2 * half_step;
  const Quat plain{rounded, rounded, rounded, std::sqrt(1 - 3 * rounded * rounded)};
  const float cost = DegreesOfChord(Chord(ToValue(plain), ToValue(q)));
  CHECK(cost > 0.27f);
  CHECK(cost < 0.28f);
  const auto packed = Rotation<10>::Unpack(Rotation<10>::Pack(ToValue(q)));
  CHECK(DegreesOfChord(Chord(packed, ToValue(q))) < 0.16f);
}

TEST_CASE("no rotation is the same rotation after packing") {
  for (const float sign : {1.0f, -1.0f}) {
    const CurveValue<4> rest = {0, 0, 0, sign};
    CHECK(Rotation<10>::Unpack(Rotation<10>::Pack(rest)) == CurveValue<4>{0, 0, 0, 1});
    CHECK(Rotation<15>::Unpack(Rotation<15>::Pack(rest)) == CurveValue<4>{0, 0, 0, 1});
  }
}

TEST_CASE("the component that is largest is left out, with either sign") {
  for (int largest = 0; largest < 4; ++largest) {
    for (const float sign : {1.0f, -1.0f}) {
      CurveValue<4> value = {0.1f, -0.2f, 0.3f, -0.15f};
      value[largest] = 0.0f;
      float rest = 1.0f;
      for (const float component : value) rest -= component * component;
      value[largest] = sign * std::sqrt(rest);
      const auto back = Rotation<15>::Unpack(Rotation<15>::Pack(value));
      CHECK(back[largest] > 0.0f);
      CHECK(Chord(back, value) < 1e-4f);
    }
  }
}

TEST_CASE("any bits are a rotation") {
  Random random(5);
  for (int round = 0; round < 50'000; ++round) {
    std::uint64_t bits = std::uint64_t{random.Next()} << 32 | random.Next();
    if (round == 0) bits = ~std::uint64_t{0};
    for (const auto& value : {Rotation<15>::Unpack(bits), Rotation<10>::Unpack(bits)}) {
      float sum = 0;
      for (const float component : value) sum += component * component;
      REQUIRE(sum == Approx(1.0f).margin(1e-5));
    }
    for (const float coordinate : Position::Unpack(bits)) {
      REQUIRE(std::abs(coordinate) <= Position::kRange);
    }
  }
}

TEST_CASE("a position is kept within 0.265 mm") {
  Random random(6);
  float largest = 0;
  for (int round = 0; round < 200'000; ++round) {
    const Vec3 v = random.InBox({-10, -10, -10}, {10, 10, 10});
    const CurveValue<3> value = {v.x, v.y, v.z};
    largest = std::max(largest, Position::Distance(Position::Unpack(Position::Pack(value)), value));
  }
  CHECK(largest < 0.000265f);
  CHECK(largest > 0.00024f);
}

TEST_CASE("a position outside the range becomes the nearest inside") {
  const auto back = Position::Unpack(Position::Pack({-11, 10, 1e30f}));
  CHECK(back[0] == Approx(-10.0f));
  CHECK(back[1] == Approx(10.0f));
  CHECK(back[2] == Approx(10.0f));
  CHECK(Position::Unpack(Position::Pack({0, 0, 0})) == CurveValue<3>{0, 0, 0});
}

TEST_CASE("a chord is an angle") {
  const float degrees = GENERATE(0.01f, 0.3f, 20.0f, 90.0f);
  const float half = degrees * 3.14159265f / 360;
  const CurveValue<4> turned = {std::sin(half), 0, 0, std::cos(half)};
  CHECK(DegreesOfChord(Chord(turned, {0, 0, 0, 1})) == Approx(degrees).epsilon(0.001));
  CHECK(ChordOfDegrees(degrees) == Approx(Chord(turned, {0, 0, 0, -1})).epsilon(0.001));
}

}  // namespace
}  // namespace nowait
