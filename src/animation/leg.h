// Leg: a thigh, a shin and a foot of a skeleton; and how its foot is put somewhere else.
//
//   const auto leg = FindLeg(skeleton, "LeftUpLeg", "LeftLeg", "LeftFoot");
//   if (!leg) return std::unexpected(leg.error());
//   const Vec3 foot = PlaceOf(skeleton, pose, leg->foot);
//   MoveFoot(skeleton, *leg, foot + Vec3{0, 0.1f, 0}, pose);       a step up of 10 cm
//
// Thread safety: functions of values. Complexity: linear in the ancestors of the foot.
// Test: tests/animation/leg_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_LEG_H_
#define NOWAIT_SRC_ANIMATION_LEG_H_

#include <cstdint>
#include <string_view>

#include "src/animation/pose.h"
#include "src/animation/skeleton.h"
#include "src/base/result.h"
#include "src/math/vec3.h"

namespace nowait {

// Bones by their numbers; each is the parent of the next.
struct Leg {
  std::uint16_t thigh;
  std::uint16_t shin;
  std::uint16_t foot;
};

// kNotFound "leg": there are no bones with these names of which each is the parent of the next.
Result<Leg> FindLeg(const Skeleton& skeleton, std::string_view thigh, std::string_view shin,
                    std::string_view foot);

// Where a bone is in the character's frame. local: a local pose of the skeleton.
Vec3 PlaceOf(const Skeleton& skeleton, const Pose& local, std::uint16_t bone);

// Turns thigh and shin of a local pose so that the ankle is at `place`, in the character's frame,
// and the foot so that it points to where it pointed before. The knee stays on its side, and a
// straight one bends forward: to +z of the thigh's parent. Returns whether the place is in reach;
// if it is not, the leg is stretched towards it, or bent as far as it goes.
bool MoveFoot(const Skeleton& skeleton, const Leg& leg, Vec3 place, Pose& local);

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_LEG_H_
