#include "src/apps/crowd/import_motion.h"

#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/math/quat.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* why) {
  return Fail(ErrorCode::kCorrupt, "motion", 0, why);
}

const aiNodeAnim* ChannelOf(const aiAnimation& animation, const aiString& name) {
  for (unsigned i = 0; i < animation.mNumChannels; ++i) {
    if (animation.mChannels[i]->mNodeName == name) return animation.mChannels[i];
  }
  return nullptr;
}

// The joints with a channel, a parent before its children.
struct Joints {
  std::vector<Skeleton::Bone> bones;
  std::vector<const aiNodeAnim*> channels;
};
void Collect(const aiNode& node, std::uint16_t parent, const aiAnimation& animation,
             float metres_per_unit, Joints& joints) {
  if (joints.bones.size() > Skeleton::kMostBones) return;  // is refused as a skeleton
  if (const aiNodeAnim* channel = ChannelOf(animation, node.mName)) {
    const aiMatrix4x4& m = node.mTransformation;
    joints.bones.push_back({node.mName.C_Str(), parent, metres_per_unit * Vec3{m.a4, m.b4, m.c4}});
    joints.channels.push_back(channel);
    parent = static_cast<std::uint16_t>(joints.bones.size() - 1);
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) {
    Collect(*node.mChildren[i], parent, animation, metres_per_unit, joints);
  }
}

// The value of a frame; behind the last key, that of the last key.
const auto& KeyAt(const auto* keys, unsigned count, std::uint32_t frame) {
  return keys[std::min<std::uint32_t>(frame, count - 1)].mValue;
}

// A file has a brace for each joint and for each end of a chain. Assimp reads a joint inside a
// joint by recursion: a hostile file would use up the stack.
bool HasTooManyJoints(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::size_t braces = 0;
  for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) {
    if (*at == '{' && ++braces > 2 * Skeleton::kMostBones) return true;
  }
  return false;
}

Result<Motion> FromScene(const aiScene& scene, const ImportDef& def) {
  if (scene.mNumAnimations == 0 || scene.mRootNode == nullptr) return Wrong("nothing moves in it");
  const aiAnimation& animation = *scene.mAnimations[0];
  Joints joints;
  Collect(*scene.mRootNode, Skeleton::kNoParent, animation, def.metres_per_unit, joints);
  // A channel is found by its joint's name: the second joint would move as the first.
  std::vector<const aiNodeAnim*> channels = joints.channels;
  std::ranges::sort(channels, std::less<>());
  if (std::ranges::adjacent_find(channels) != channels.end()) {
    return Wrong("two joints have one name");
  }
  const auto order = Skeleton::LevelOrder(joints.bones);
  if (!order) return std::unexpected(order.error());

  std::vector<std::uint16_t> place(order->size());  // of each joint, in the skeleton
  for (std::size_t i = 0; i < order->size(); ++i) {
    place[(*order)[i]] = static_cast<std::uint16_t>(i);
  }
  std::vector<Skeleton::Bone> bones;
  std::uint32_t frames = 0;
  for (const std::uint16_t joint : *order) {
    Skeleton::Bone bone = joints.bones[joint];
    if (bone.parent != Skeleton::kNoParent) bone.parent = place[bone.parent];
    bones.push_back(std::move(bone));
    if (joints.channels[joint]->mNumRotationKeys == 0) return Wrong("a joint without rotations");
    frames = std::max(frames, joints.channels[joint]->mNumRotationKeys);
  }
  auto skeleton = Skeleton::Create(std::move(bones));
  if (!skeleton) return std::unexpected(skeleton.error());
  if (frames <= def.first_frame) return Wrong("it has too few frames");
  frames -= def.first_frame;

  Motion motion{
      std::move(*skeleton), static_cast<float>(animation.mTicksPerSecond), frames, {}, {}};
  for (const std::uint16_t joint : *order) {
    const aiNodeAnim& channel = *joints.channels[joint];
    auto& rotations = motion.rotations.emplace_back();
    auto& positions = motion.positions.emplace_back();
    for (std::uint32_t f = def.first_frame; f < def.first_frame + frames; ++f) {
      const aiQuaternion& key = KeyAt(channel.mRotationKeys, channel.mNumRotationKeys, f);
      const Quat q = Normalise({key.x, key.y, key.z, key.w});
      rotations.push_back({q.x, q.y, q.z, q.w});
      if (channel.mNumPositionKeys < 2) continue;
      const aiVector3D& p = KeyAt(channel.mPositionKeys, channel.mNumPositionKeys, f);
      const float scale = def.metres_per_unit;
      positions.push_back({p.x * scale, p.y * scale, p.z * scale});
    }
  }
  if (auto checked = motion.Check(); !checked) return std::unexpected(checked.error());
  return motion;
}

}  // namespace

Result<Motion> ReadMotion(const std::string& path, const ImportDef& def) {
  return OrNoMemory([&]() -> Result<Motion> {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      return Fail(ErrorCode::kNotFound, "motion");
    }
    if (HasTooManyJoints(path)) return Wrong("more joints than a skeleton has");
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path, 0);
    if (scene == nullptr) return Wrong("it is no motion file");
    return FromScene(*scene, def);
  });
}

}  // namespace nowait
