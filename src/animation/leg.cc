#include "src/animation/leg.h"

#include "src/animation/two_bones.h"
#include "src/base/assert.h"
#include "src/math/quat.h"

namespace nowait {
namespace {

// So much of the knee's side is the direction forward: little where the knee is bent.
constexpr float kForward = 0.02f;

struct Frame {
  Quat rotation;
  Vec3 position;
};

Frame Below(const Frame& parent, const Pose& local, std::uint16_t bone) {
  return {parent.rotation * local.rotation(bone),
          parent.position + Rotate(parent.rotation, local.position(bone))};
}

// Of a bone in the character's frame, as LocalToGlobal has it.
Frame FrameOf(const Skeleton& skeleton, const Pose& local, std::uint16_t bone) {
  const std::uint16_t parent = skeleton[bone].parent;
  if (parent == Skeleton::kNoParent) return {local.rotation(bone), local.position(bone)};
  return Below(FrameOf(skeleton, local, parent), local, bone);
}

}  // namespace

Result<Leg> FindLeg(const Skeleton& skeleton, std::string_view thigh, std::string_view shin,
                    std::string_view foot) {
  for (std::uint32_t i = 0; i < skeleton.size(); ++i) {
    if (skeleton[i].name != foot) continue;
    const std::uint16_t knee = skeleton[i].parent;
    if (knee == Skeleton::kNoParent || skeleton[knee].name != shin) continue;
    const std::uint16_t hip = skeleton[knee].parent;
    if (hip == Skeleton::kNoParent || skeleton[hip].name != thigh) continue;
    return Leg{hip, knee, static_cast<std::uint16_t>(i)};
  }
  return Fail(ErrorCode::kNotFound, "leg");
}

Vec3 PlaceOf(const Skeleton& skeleton, const Pose& local, std::uint16_t bone) {
  return FrameOf(skeleton, local, bone).position;
}

bool MoveFoot(const Skeleton& skeleton, const Leg& leg, Vec3 place, Pose& local) {
  NOWAIT_ASSERT(skeleton.size() == local.bones(), "a pose of the skeleton");
  const std::uint16_t parent = skeleton[leg.thigh].parent;
  const Frame body = parent == Skeleton::kNoParent ? Frame{} : FrameOf(skeleton, local, parent);
  const Frame thigh = Below(body, local, leg.thigh);
  const Frame shin = Below(thigh, local, leg.shin);
  const Frame foot = Below(shin, local, leg.foot);

  const Vec3 straight = thigh.position + (foot.position - thigh.position) * 0.5f;
  const Vec3 forward = Rotate(body.rotation, {0.0f, 0.0f, 1.0f});
  const float length = Length(foot.position - thigh.position);
  const auto solution = SolveTwoBones({thigh.position, shin.position, foot.position}, place,
                                      (shin.position - straight) + forward * (kForward * length));

  const Quat new_thigh = solution.upper * thigh.rotation;
  const Quat new_shin = solution.lower * (solution.upper * shin.rotation);
  local.SetRotation(leg.thigh, Normalise(Conjugate(body.rotation) * new_thigh));
  local.SetRotation(leg.shin, Normalise(Conjugate(new_thigh) * new_shin));
  local.SetRotation(leg.foot, Normalise(Conjugate(new_shin) * foot.rotation));
  return solution.reached;
}

}  // namespace nowait
