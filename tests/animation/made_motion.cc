#include "tests/animation/made_motion.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "src/math/quat.h"
#include "src/math/random.h"

namespace nowait {

Motion MadeMotion(std::uint32_t bones, std::uint32_t frames, std::uint64_t seed,
                  std::uint32_t cut) {
  Random random(seed);
  std::vector<Skeleton::Bone> made;
  for (std::uint32_t i = 0; i < bones; ++i) {
    // Chain c has the bones 1 + c, 1 + c + chains, ...: level by level.
    const std::uint32_t chains = (bones + 4) / 6 + 1;
    const std::uint32_t parent = i == 0 ? Skeleton::kNoParent : i <= chains ? 0 : i - chains;
    made.push_back({"bone " + std::to_string(i), static_cast<std::uint16_t>(parent),
                    0.1f * random.Direction()});
  }
  Motion motion{*Skeleton::Create(std::move(made)), 120.0f, frames, {}, {}};
  motion.rotations.resize(bones);
  motion.positions.resize(bones);
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    const Vec3 axis = random.Direction();
    const float speed = random.Between(0.005f, 0.03f);
    const float angle = random.Between(0.2f, 1.0f);
    const float phase = random.Between(0, 6);
    for (std::uint32_t f = 0; f < frames; ++f) {
      const auto t = static_cast<float>(f);
      const float jump = cut != 0 && f > cut ? 1.5f : 0.0f;
      const Quat q = FromAxisAngle(axis, angle * std::sin(speed * t + phase) + jump);
      motion.rotations[bone].push_back({q.x, q.y, q.z, q.w});
      if (bone != 0 && bone + 1 != bones) continue;
      motion.positions[bone].push_back({0.002f * t + jump, std::sin(speed * t), 0.1f});
    }
  }
  return motion;
}

Motion MadeWalk(std::uint32_t frames, float stride) {
  constexpr float kRate = 120.0f;
  constexpr float kBone = 0.45f;  // thigh and shin, metres
  constexpr std::uint16_t kNone = Skeleton::kNoParent;
  std::vector<Skeleton::Bone> bones = {
      {"Hips", kNone, {0, 1, 0}},       {"LeftUpLeg", 0, {0.1f, 0, 0}},
      {"RightUpLeg", 0, {-0.1f, 0, 0}}, {"LeftLeg", 1, {0, -kBone, 0}},
      {"RightLeg", 2, {0, -kBone, 0}},  {"LeftFoot", 3, {0, -kBone, 0}},
      {"RightFoot", 4, {0, -kBone, 0}}, {"LeftToeBase", 5, {0, 0, 0.1f}},
      {"RightToeBase", 6, {0, 0, 0.1f}}};
  Motion motion{*Skeleton::Create(std::move(bones)), kRate, frames, {}, {}};
  motion.rotations.resize(motion.skeleton.size());
  motion.positions.resize(motion.skeleton.size());
  for (std::uint32_t f = 0; f < frames; ++f) {
    motion.positions[0].push_back({0, 2 * kBone, 0});
    const float phase = static_cast<float>(f) / kRate / stride;
    for (std::uint32_t bone = 0; bone < motion.skeleton.size(); ++bone) {
      // 0 to 1 in a stride of this leg; it is up below a half.
      const bool is_left = bone % 2 == 1;
      const float own = phase + (is_left ? 0.0f : 0.5f);
      const float part = own - std::floor(own);
      const float lift = part < 0.5f ? std::sin(2 * 3.14159265f * part) : 0.0f;
      // The knee bends twice as far as the hip: the foot stays below the hip.
      const float angle = bone == 1 || bone == 2 ? -0.8f : bone == 3 || bone == 4 ? 1.6f : 0.0f;
      const Quat q = FromAxisAngle({1, 0, 0}, angle * lift);
      motion.rotations[bone].push_back({q.x, q.y, q.z, q.w});
    }
  }
  return motion;
}

}  // namespace nowait
