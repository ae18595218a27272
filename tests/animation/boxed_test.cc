#include "src/animation/boxed.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

using Rotations = std::vector<CurveValue<4>>;
using Positions = std::vector<CurveValue<3>>;

CurveValue<4> ToValue(Quat q) { return {q.x, q.y, q.z, q.w}; }

// Rotations by up to `degrees` about axes at random, behind one at random, with signs at random.
Rotations Near(Random& random, float degrees, int count) {
  const Quat middle = random.Rotation();
  Rotations samples;
  for (int i = 0; i < count; ++i) {
    const float angle = random.Between(-degrees, degrees) * 3.14159265f / 180;
    const Quat q = Normalise(middle * FromAxisAngle(random.Direction(), angle));
    const float sign = random.Below(2) == 0 ? -1.0f : 1.0f;
    samples.push_back({sign * q.x, sign * q.y, sign * q.z, sign * q.w});
  }
  return samples;
}

TEST_CASE("rotations in their box are off by what the steps allow, and by no more") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
  CAPTURE(seed);
  Random random(seed);
  const float limit = ChordOfDegrees(0.3f);
  const Rotations samples = Near(random, seed < 4 ? 10.0f : 60.0f, 2'000);
  const auto box = TightBox<4>(samples, limit);
  REQUIRE(box);
  const Boxed<4> format(*box);
  const float step = *std::ranges::max_element(box->step);
  CHECK(step <= 0.75f * limit);
  float largest = 0;
  for (const auto& sample : samples) {
    const auto kept = format.Unpack(format.Pack(sample));
    const float error = Boxed<4>::Distance(kept, sample);
    // Of first order in the step: some thousandths are left to the rest.
    const float w = std::abs(sample[box->left_out]);
    REQUIRE(error <= 1.01f * std::sqrt(3.0f) * step / (2 * w));
    REQUIRE(kept[box->left_out] > 0.0f);
    largest = std::max(largest, error);
  }
  CHECK(largest > 0.5f * step);  // there are errors as large as that
}

TEST_CASE("a narrow box takes fewer bits than any rotation") {
  Random random(7);
  const auto box = TightBox<4>(Near(random, 5.0f, 500), ChordOfDegrees(0.3f));
  REQUIRE(box);
  CHECK(Boxed<4>(*box).bits() <= 3 * 7);
  CHECK(Boxed<4>(*box).bits() < Rotation<10>::bits());
  const auto wide = TightBox<4>(Near(random, 50.0f, 500), ChordOfDegrees(0.3f));
  REQUIRE(wide);
  CHECK(wide->all_bits() > box->all_bits());
}

TEST_CASE("what keeps still has no bits, and is kept exactly") {
  Random random(8);
  const CurveValue<4> still = ToValue(random.Rotation());
  const auto box = TightBox<4>(Rotations(20, still), 0.001f);
  REQUIRE(box);
  CHECK(box->all_bits() == 0);
  const auto kept = Boxed<4>(*box).Unpack(Boxed<4>(*box).Pack(still));
  CHECK(Chord(kept, still) < 1e-6f);

  // A hinge: one component moves beside the one that is left out.
  Rotations hinge;
  for (int f = 0; f < 100; ++f) {
    hinge.push_back(ToValue(FromAxisAngle({1, 0, 0}, 0.01f * static_cast<float>(f))));
  }
  const auto hinged = TightBox<4>(hinge, ChordOfDegrees(0.3f));
  REQUIRE(hinged);
  CHECK(hinged->bits[0] > 0);
  CHECK(hinged->all_bits() == hinged->bits[0]);
  CHECK(hinged->left_out == 3);
}

TEST_CASE("rotations of which any component passes zero have no box") {
  Rotations turn;
  for (int f = 0; f < 400; ++f) {
    const float angle = 0.05f * static_cast<float>(f);
    turn.push_back(ToValue(FromAxisAngle({0.6f, 0.0f, 0.8f}, angle)));
  }
  CHECK(!TightBox<4>(turn, ChordOfDegrees(0.3f)));
  // Nor has a limit that needs more bits than a component may have.
  Random random(9);
  CHECK(!TightBox<4>(Near(random, 40.0f, 100), 1e-6f));
}

TEST_CASE("positions in their box are off by half a step on each axis") {
  Random random(10);
  Positions samples;
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 v = random.InBox({-1, 2, 0}, {3, 2.5f, 0});
    samples.push_back({v.x, v.y, v.z});
  }
  const auto box = TightBox<3>(samples, 0.0005f);
  REQUIRE(box);
  CHECK(box->bits[2] == 0);
  const Boxed<3> format(*box);
  float largest = 0;
  for (const auto& sample : samples) {
    largest = std::max(largest, Boxed<3>::Distance(format.Unpack(format.Pack(sample)), sample));
  }
  const float bound = std::hypot(box->step[0], box->step[1]) / 2;
  CHECK(largest <= 1.01f * bound);
  CHECK(largest > 0.9f * bound);
  // A place outside becomes the nearest inside.
  const auto outside = format.Unpack(format.Pack({-9, 9, 9}));
  CHECK(outside[0] == Approx(-1).margin(0.001));
  CHECK(outside[1] == Approx(2.5).margin(0.001));
  CHECK(outside[2] == 0);
}

TEST_CASE("any bits are a rotation, in any sound box") {
  Random random(11);
  int sound = 0;
  for (int round = 0; round < 20'000; ++round) {
    Box box;
    box.left_out = random.Below(4);
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (k == box.left_out) continue;
      box.low[k] = random.Between(-1.2f, 1.2f);
      box.step[k] = random.Between(-0.01f, 0.01f);
      box.bits[k] = static_cast<std::uint8_t>(random.Below(9));
    }
    if (!box.IsWithin(1.01f)) continue;
    ++sound;
    const std::uint64_t bits = std::uint64_t{random.Next()} << 32 | random.Next();
    float sum = 0;
    for (const float component : Boxed<4>::Unpack(box, bits)) sum += component * component;
    REQUIRE(sum == Approx(1.0f).margin(1e-5));
  }
  CHECK(sound > 1'000);
}

TEST_CASE("a box from outside is asked for its bounds") {
  Random random(12);
  const auto good = TightBox<4>(Near(random, 20.0f, 50), 0.002f);
  REQUIRE(good);
  CHECK(good->IsWithin(1.01f));
  const auto refused = [&](auto change) {
    Box box = *good;
    change(box);
    return !box.IsWithin(1.01f);
  };
  const std::uint32_t other = (good->left_out + 1) % 4;
  CHECK(refused([&](Box& b) { b.left_out = 4; }));
  CHECK(refused([&](Box& b) { b.left_out = other; }));  // that one has bits
  CHECK(refused([&](Box& b) { b.bits[other] = 17; }));
  CHECK(refused([&](Box& b) { b.low[other] = std::numeric_limits<float>::quiet_NaN(); }));
  CHECK(refused([&](Box& b) { b.low[other] = 1.5f; }));
  CHECK(refused([&](Box& b) { b.step[other] = std::numeric_limits<float>::infinity(); }));
  CHECK(refused([&](Box& b) { b.step[other] = 1.0f; }));
  CHECK(refused([&](Box& b) { b.low[b.left_out] = 0.5f; }));
}

}  // namespace
}  // namespace nowait
