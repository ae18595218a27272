// SolveTwoBones: inverse kinematics of two bones, such as a thigh and a shin, in closed form.
//
//        root o                        The three joints are the corners of a triangle. The lengths
//            / \  pole -->             of the bones are two of its sides, and the distance of the
//           /   o middle               target from the root is the third. So the place of the
//          /   /                       middle joint follows from the law of cosines, and the pole
//         /   /                        says to which side of the line it lies.
//       target
//
// A target that is too far away, or too near for bones of two lengths, becomes the nearest place in
// reach on the line from the root through it. A bone turns by the shortest way from where it is,
// hence it keeps its twist.
//
// Thread safety: a function of values. Complexity: constant. Deterministic: +, -, *, / and sqrt
// alone, in a fixed order (src/math/vec3.h): the triangle gives cosines, and the half of an angle
// is a half vector, so that no function of libm is called.
// Test: tests/animation/two_bones_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_TWO_BONES_H_
#define NOWAIT_SRC_ANIMATION_TWO_BONES_H_

#include <algorithm>
#include <cmath>

#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// The shortest turn from one direction to another, both of length one. Of opposite ones, half a
// turn about any axis across them.
inline Quat ShortestTurn(Vec3 from, Vec3 to) {
  // Closer than this to the opposite, the sum is mostly rounding.
  constexpr float kOpposite = 1e-3f;
  const Vec3 sum = from + to;
  const float length = Length(sum);
  if (!(length > kOpposite)) {
    const Vec3 axis = TangentsOf(from).first;
    return {axis.x, axis.y, axis.z, 0.0f};
  }
  // From `from` to the half vector is half the turn: its cosine and sine are the quaternion.
  const Vec3 half = sum * (1.0f / length);
  const Vec3 axis = Cross(from, half);
  return Normalise({axis.x, axis.y, axis.z, Dot(from, half)});
}

// Places in one frame, in metres, finite and at most 1e18 away. Each bone has a length.
struct TwoBones {
  Vec3 root;
  Vec3 middle;
  Vec3 end;
};

struct TwoBonesSolution {
  Quat upper;  // turns the upper bone and all below it about the root
  Quat lower;  // after that turns the lower bone and all below it about the middle joint
  Vec3 middle;
  Vec3 end;
  bool reached;  // whether the end is at the target, and not only on the way to it
};

// pole: the direction, of any length from 1e-12 to 1e18, in which the middle joint lies off the
// line from the root to the target. Along that line, or without a length, it leaves the side open:
// the present one is taken, and any side where the bones are straight.
inline TwoBonesSolution SolveTwoBones(const TwoBones& joints, Vec3 target, Vec3 pole) {
  const Vec3 upper_now = joints.middle - joints.root;
  const Vec3 lower_now = joints.end - joints.middle;
  const float upper = Length(upper_now);
  const float lower = Length(lower_now);
  const Vec3 down = NormaliseOr(upper_now, {0.0f, -1.0f, 0.0f});
  const Vec3 line = NormaliseOr(target - joints.root, NormaliseOr(joints.end - joints.root, down));
  const float wanted = Length(target - joints.root);
  const float distance = std::clamp(wanted, std::abs(upper - lower), upper + lower);

  const auto across = [&](Vec3 v) { return v - line * Dot(v, line); };
  // The part of a direction across the line has to be more than its rounding.
  constexpr float kAcross = 1e-5f;
  Vec3 side = across(NormaliseOr(pole, {}));
  if (!(Length(side) > kAcross)) side = across(down);
  side = Length(side) > kAcross ? NormaliseOr(side, {}) : TangentsOf(line).first;

  // Law of cosines, times the upper length: how far along the line the middle joint lies. Where the
  // distance is as small as the rounding of the lengths, the quotient may leave the triangle.
  const float cosine =
      distance > 0.0f ? ((upper * upper - lower * lower) + distance * distance) / (2.0f * distance)
                      : 0.0f;
  const float along = std::clamp(cosine, -upper, upper);
  const float off = std::sqrt(std::max(upper * upper - along * along, 0.0f));

  TwoBonesSolution solution;
  solution.middle = joints.root + (line * along + side * off);
  solution.end = joints.root + line * distance;
  solution.reached = distance == wanted;
  solution.upper = ShortestTurn(down, NormaliseOr(solution.middle - joints.root, down));
  const Vec3 turned = NormaliseOr(Rotate(solution.upper, lower_now), down);
  solution.lower = ShortestTurn(turned, NormaliseOr(solution.end - solution.middle, turned));
  return solution;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_TWO_BONES_H_
