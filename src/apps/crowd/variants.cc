#include "src/apps/crowd/variants.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nowait {
namespace {

constexpr std::uint32_t kLater = 7;    // frames
constexpr float kAddedLength = 0.03f;  // metres

// The name of the bone on the other side, if the name has a side.
std::optional<std::string> OtherSide(std::string_view name) {
  for (const auto& [here, there] : {std::pair{"Left", "Right"}, std::pair{"Right", "Left"},
                                    std::pair{"L", "R"}, std::pair{"R", "L"}}) {
    if (name.starts_with(here)) {
      return there + std::string(name.substr(std::string_view(here).size()));
    }
  }
  return std::nullopt;
}

}  // namespace

Motion Mirrored(const Motion& motion) {
  Motion mirrored = motion;
  const auto bones = motion.skeleton.bones();
  for (std::size_t i = 0; i < bones.size(); ++i) {
    std::size_t other = i;
    if (const auto name = OtherSide(bones[i].name)) {
      const auto found = std::find_if(bones.begin(), bones.end(),
                                      [&](const auto& bone) { return bone.name == *name; });
      if (found != bones.end()) other = static_cast<std::size_t>(found - bones.begin());
    }
    mirrored.rotations[i] = motion.rotations[other];
    for (auto& q : mirrored.rotations[i]) q = {q[0], -q[1], -q[2], q[3]};
    mirrored.positions[i] = motion.positions[other];
    for (auto& p : mirrored.positions[i]) p[0] = -p[0];
  }
  return mirrored;
}

Result<Motion> WithBones(const Motion& motion, std::uint32_t count) {
  const std::uint32_t captured = motion.skeleton.size();
  if (count < captured || count > Skeleton::kMostBones) {
    return Fail(ErrorCode::kInvalidArgument, "bones", count, "as many as were captured, or more");
  }
  // In the order captured, added; then level by level.
  std::vector<Skeleton::Bone> bones(motion.skeleton.bones().begin(), motion.skeleton.bones().end());
  for (std::uint32_t i = captured; i < count; ++i) {
    const std::uint32_t parent = i - captured;
    bones.push_back({"added " + std::to_string(i),
                     static_cast<std::uint16_t>(parent),
                     {0.0f, kAddedLength, 0.0f}});
  }
  const auto order = Skeleton::LevelOrder(bones);
  if (!order) return std::unexpected(order.error());
  std::vector<std::uint16_t> place(count);
  for (std::uint32_t i = 0; i < count; ++i) place[(*order)[i]] = static_cast<std::uint16_t>(i);
  std::vector<Skeleton::Bone> sorted;
  for (const std::uint16_t from : *order) {
    sorted.push_back(bones[from]);
    auto& parent = sorted.back().parent;
    if (parent != Skeleton::kNoParent) parent = place[parent];
  }
  auto skeleton = Skeleton::Create(std::move(sorted));
  if (!skeleton) return std::unexpected(skeleton.error());

  Motion more{std::move(*skeleton), motion.frame_rate, motion.frames, {}, {}};
  for (const std::uint16_t from : *order) {
    const auto& source = motion.rotations[from % captured];
    const std::size_t later = std::min<std::size_t>(kLater * (from / captured), source.size() - 1);
    auto& rotations = more.rotations.emplace_back(source.begin(), source.end());
    std::copy(source.begin(), source.end() - static_cast<std::ptrdiff_t>(later),
              rotations.begin() + static_cast<std::ptrdiff_t>(later));
    std::fill_n(rotations.begin(), later, source[0]);
    more.positions.emplace_back();
    if (from < captured) more.positions.back() = motion.positions[from];
  }
  return more;
}

}  // namespace nowait
