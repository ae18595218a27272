// Skeleton: the bones of a character, level by level.
//
//   std::vector<Skeleton::Bone> bones = {{"hips"}, {"thigh", 0, {0, -0.1f, 0}}};
//   auto skeleton = Skeleton::Create(std::move(bones));
//   if (!skeleton) return std::unexpected(skeleton.error());
//
// The bones of a level have the same number of ancestors and lie next to each other, a parent
// before its children. So a pass over the bones in their order has each parent ready, and the bones
// of a level are independent of each other: four of them are four lanes (local_to_global.h).
//
// Thread safety: a value.
// Errors: kInvalidArgument "bones"; `amount` is the index of the first one that is wrong.
#ifndef NOWAIT_SRC_ANIMATION_SKELETON_H_
#define NOWAIT_SRC_ANIMATION_SKELETON_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/math/vec3.h"

namespace nowait {

class Skeleton {
 public:
  static constexpr std::uint16_t kNoParent = 0xffff;
  static constexpr std::uint32_t kMostBones = 1024;

  struct Bone {
    std::string name;
    std::uint16_t parent = kNoParent;
    Vec3 rest = {};  // the place in the parent's frame, in metres, where no track moves it
  };

  // bones: from 1 to kMostBones, each with a finite place, level by level; LevelOrder sorts them.
  static Result<Skeleton> Create(std::vector<Bone> bones);

  // Where each bone has to go: the i-th of the result is the index of the bone that becomes the
  // i-th. Bones of a level keep their order. Linear. kInvalidArgument "bones": a parent is not in
  // front of its child.
  static Result<std::vector<std::uint16_t>> LevelOrder(std::span<const Bone> bones);

  std::uint32_t size() const { return static_cast<std::uint32_t>(bones_.size()); }
  const Bone& operator[](std::uint32_t bone) const { return bones_[bone]; }
  std::span<const Bone> bones() const { return bones_; }

  // The parents, and 3 zeros behind them, so that four lanes may be loaded at any bone.
  std::span<const std::uint16_t> parents() const { return parents_; }
  // The first bone of each level, and behind them the number of bones.
  std::span<const std::uint32_t> levels() const { return levels_; }

  // The bones without a child.
  std::vector<std::uint16_t> ChainEnds() const;

 private:
  std::vector<Bone> bones_;
  std::vector<std::uint16_t> parents_;
  std::vector<std::uint32_t> levels_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_SKELETON_H_
