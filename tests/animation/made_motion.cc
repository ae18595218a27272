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

}  // namespace nowait
