#include "src/animation/two_bones.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "src/math/random.h"

namespace nowait {
namespace {

// A thigh of 3 and a shin of 2, the knee bent to +z.
const TwoBones kLeg{{0, 5, 0}, {0, 2, 0}, {0, 0, 0}};
const Vec3 kForward{0, 0, 1};

// The joints after the two turns, found by the turns alone.
struct Turned {
  Vec3 middle;
  Vec3 end;
};
Turned Turn(const TwoBones& joints, const TwoBonesSolution& solution) {
  const Vec3 middle = joints.root + Rotate(solution.upper, joints.middle - joints.root);
  const Vec3 lower = Rotate(solution.lower * solution.upper, joints.end - joints.middle);
  return {middle, middle + lower};
}

void CheckNear(Vec3 a, Vec3 b, float most) {
  CAPTURE(a, b);
  CHECK(Length(a - b) <= most);
}

TEST_CASE("a right angle: the knee is where the triangle of 3, 2 and sqrt(13) has it") {
  const float distance = std::sqrt(13.0f);
  const Vec3 target = kLeg.root + Vec3{0, -distance, 0};
  const auto solution = SolveTwoBones(kLeg, target, kForward);
  CHECK(solution.reached);
  // Its height above the longest side is the product of the others by it.
  CheckNear(solution.middle, kLeg.root + Vec3{0, -9.0f / distance, 6.0f / distance}, 1e-5f);
  const Turned turned = Turn(kLeg, solution);
  CheckNear(turned.middle, solution.middle, 1e-5f);
  CheckNear(turned.end, target, 1e-5f);
}

TEST_CASE("a target at the full length stretches the leg, and one farther away does no more") {
  const auto exact = SolveTwoBones(kLeg, kLeg.root + Vec3{5, 0, 0}, kForward);
  CHECK(exact.reached);
  CheckNear(exact.middle, kLeg.root + Vec3{3, 0, 0}, 1e-5f);
  const auto far = SolveTwoBones(kLeg, kLeg.root + Vec3{50, 0, 0}, kForward);
  CHECK_FALSE(far.reached);
  CheckNear(far.end, exact.end, 1e-5f);
  CheckNear(Turn(kLeg, far).end, kLeg.root + Vec3{5, 0, 0}, 1e-5f);
}

TEST_CASE("a target nearer than the difference of the lengths folds the leg") {
  const auto near = SolveTwoBones(kLeg, kLeg.root + Vec3{0, -0.25f, 0}, kForward);
  CHECK_FALSE(near.reached);
  CheckNear(near.middle, kLeg.root + Vec3{0, -3, 0}, 1e-5f);
  CheckNear(Turn(kLeg, near).end, kLeg.root + Vec3{0, -1, 0}, 1e-5f);
  // At the root there is no direction: the one to the present end is kept.
  const auto at_root = SolveTwoBones(kLeg, kLeg.root, kForward);
  CHECK_FALSE(at_root.reached);
  CheckNear(at_root.end, kLeg.root + Vec3{0, -1, 0}, 1e-5f);
}

TEST_CASE("equal bones fold until the end is at the root") {
  const TwoBones equal{{0, 2, 0}, {0, 1, 0.0f}, {0, 0, 0}};
  const auto solution = SolveTwoBones(equal, equal.root, kForward);
  CHECK(solution.reached);
  CheckNear(solution.end, equal.root, 1e-6f);
  CHECK(Length(solution.middle - equal.root) == Approx(1));
  CheckNear(Turn(equal, solution).end, equal.root, 1e-5f);
}

TEST_CASE("bones whose lengths differ by rounding fold onto the root, and keep their lengths") {
  const std::uint64_t seed = 3;
  CAPTURE(seed);
  Random random(seed);
  const auto part = [&] { return static_cast<float>(random.Below(2001)) / 1000.0f - 1.0f; };
  for (int i = 0; i < 10'000; ++i) {
    const auto bone = [&] { return NormaliseOr({part(), part(), part()}, kForward) * 0.84f; };
    const Vec3 middle = bone();
    const TwoBones leg{{0, 0, 0}, middle, middle + bone()};
    const auto solution = SolveTwoBones(leg, leg.root, kForward);
    CAPTURE(leg.middle, leg.end);
    REQUIRE(Length(solution.middle) == Approx(Length(leg.middle)));
    REQUIRE(Length(Turn(leg, solution).end) <= 1e-3f);
  }
}

TEST_CASE("the pole chooses the side") {
  const Vec3 target = kLeg.root + Vec3{0, -4, 0};
  for (const Vec3 pole : {Vec3{1, 0, 0}, Vec3{-2, 0, 0}, Vec3{0, 7, 0.5f}, Vec3{0, 0, -1}}) {
    const auto solution = SolveTwoBones(kLeg, target, pole);
    const Vec3 off = solution.middle - kLeg.root;
    CHECK(off.x * pole.x + off.z * pole.z > 0);
    CHECK(off.x * pole.z == Approx(off.z * pole.x).margin(1e-5));
  }
}

TEST_CASE("without a pole a bent leg keeps its side, and a straight one has some side") {
  const TwoBones bent{{0, 5, 0}, {0, 3, 2}, {0, 1, 0}};
  const auto kept = SolveTwoBones(bent, {0, 2, 0}, {});
  CHECK(kept.middle.z > 2);
  CHECK(kept.middle.x == Approx(0).margin(1e-6));
  const auto along = SolveTwoBones(kLeg, kLeg.root + Vec3{0, -4, 0}, {0, 1, 0});
  CHECK(along.reached);
  CHECK(Length(along.middle - kLeg.root) == Approx(3));
}

TEST_CASE("any legs, targets and poles: lengths are kept, and the end is as near as it can be") {
  const std::uint64_t seed = 1;
  CAPTURE(seed);
  Random random(seed);
  int reached = 0;
  for (int round = 0; round < 20'000; ++round) {
    CAPTURE(round);
    const float upper = random.Between(0.1f, 1), lower = random.Between(0.1f, 1);
    TwoBones joints;
    joints.root = random.InBox({-3, -3, -3}, {3, 3, 3});
    joints.middle = joints.root + upper * random.Direction();
    joints.end = joints.middle + lower * random.Direction();
    const Vec3 target = joints.root + random.Between(0, 2.2f) * random.Direction();
    const Vec3 pole = random.Direction();
    const auto solution = SolveTwoBones(joints, target, pole);
    const Turned turned = Turn(joints, solution);
    REQUIRE(LengthSquared(solution.upper) == Approx(1).margin(1e-5));
    REQUIRE(LengthSquared(solution.lower) == Approx(1).margin(1e-5));
    REQUIRE(Length(turned.middle - solution.middle) < 1e-3f);
    // Three spheres: what is left of the distance follows from the lengths alone.
    const float distance = Length(target - joints.root);
    const float left =
        std::max({distance - (upper + lower), std::abs(upper - lower) - distance, 0.0f});
    REQUIRE(Length(turned.end - target) == Approx(left).margin(2e-3));
    if (solution.reached) {
      ++reached;
      REQUIRE(left < 1e-5f);
    } else {
      REQUIRE(left > 0.0f);
    }
    const Vec3 line = NormaliseOr(target - joints.root, {});
    const Vec3 side = pole - line * Dot(pole, line);
    REQUIRE(Dot(solution.middle - joints.root, side) >= -1e-4f);
  }
  CHECK(reached > 5'000);
  CHECK(reached < 19'000);
}

TEST_CASE("the shortest turn of opposite directions is half a turn") {
  const std::uint64_t seed = 2;
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 1'000; ++round) {
    const Vec3 from = random.Direction();
    const Quat q = ShortestTurn(from, -from);
    REQUIRE(q.w == 0.0f);
    REQUIRE(Length(Rotate(q, from) + from) < 1e-5f);
    REQUIRE(ShortestTurn(from, from).w == Approx(1));
  }
}

}  // namespace
}  // namespace nowait
