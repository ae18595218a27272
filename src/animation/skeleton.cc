#include "src/animation/skeleton.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(std::size_t bone, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, "bones", static_cast<std::int64_t>(bone), why);
}

// The number of ancestors of each bone.
Result<std::vector<std::uint32_t>> LevelsOf(std::span<const Skeleton::Bone> bones) {
  if (bones.empty()) return Wrong(0, "there is no bone");
  if (bones.size() > Skeleton::kMostBones) return Wrong(Skeleton::kMostBones, "too many");
  std::vector<std::uint32_t> levels(bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].parent == Skeleton::kNoParent) continue;
    if (bones[i].parent >= i) return Wrong(i, "a parent is not in front of its child");
    levels[i] = levels[bones[i].parent] + 1;
  }
  return levels;
}

}  // namespace

Result<Skeleton> Skeleton::Create(std::vector<Bone> bones) {
  return OrNoMemory([&]() -> Result<Skeleton> {
    const auto levels = LevelsOf(bones);
    if (!levels) return std::unexpected(levels.error());
    Skeleton skeleton;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      if (!IsFinite(bones[i].rest)) return Wrong(i, "its place is not finite");
      if (i > 0 && (*levels)[i] < (*levels)[i - 1]) return Wrong(i, "not level by level");
      if (i == 0 || (*levels)[i] > (*levels)[i - 1]) {
        skeleton.levels_.push_back(static_cast<std::uint32_t>(i));
      }
      skeleton.parents_.push_back(bones[i].parent);
    }
    skeleton.levels_.push_back(static_cast<std::uint32_t>(bones.size()));
    skeleton.parents_.resize(bones.size() + 3);
    skeleton.bones_ = std::move(bones);
    return skeleton;
  });
}

Result<std::vector<std::uint16_t>> Skeleton::LevelOrder(std::span<const Bone> bones) {
  return OrNoMemory([&]() -> Result<std::vector<std::uint16_t>> {
    const auto levels = LevelsOf(bones);
    if (!levels) return std::unexpected(levels.error());
    std::vector<std::uint16_t> order(bones.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint16_t a, std::uint16_t b) { return (*levels)[a] < (*levels)[b]; });
    return order;
  });
}

std::vector<std::uint16_t> Skeleton::ChainEnds() const {
  std::vector<bool> has_child(size());
  for (const Bone& bone : bones_) {
    if (bone.parent != kNoParent) has_child[bone.parent] = true;
  }
  std::vector<std::uint16_t> ends;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!has_child[i]) ends.push_back(static_cast<std::uint16_t>(i));
  }
  return ends;
}

}  // namespace nowait
