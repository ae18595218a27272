#include "src/apps/peer_scenes/figure.h"

#include <algorithm>
#include <array>

namespace nowait {
namespace {

// A capsule from the joint with its parent to its own end, in the frame of the upright figure. The
// figure looks along z, and its pelvis is at the origin.
struct Limb {
  std::uint32_t parent;
  Vec3 from;
  Vec3 to;
  float radius;
};

constexpr std::array<Limb, 7> kTrunk = {{
    {0, {0, -0.05f, 0}, {0, 0.10f, 0}, 0.11f},  // the pelvis, which has no parent
    {0, {0, 0.10f, 0}, {0, 0.22f, 0}, 0.10f},
    {1, {0, 0.22f, 0}, {0, 0.34f, 0}, 0.10f},
    {2, {0, 0.34f, 0}, {0, 0.48f, 0}, 0.12f},
    {3, {0, 0.48f, 0}, {0, 0.60f, 0}, 0.12f},
    {4, {0, 0.60f, 0}, {0, 0.70f, 0}, 0.045f},
    {5, {0, 0.70f, 0}, {0, 0.90f, 0}, 0.09f},
}};

// Of the left side; the parents are those of the left side, too.
constexpr std::uint32_t kSide = 8;
constexpr std::array<Limb, kSide> kLeft = {{
    {4, {0.05f, 0.58f, 0}, {0.20f, 0.58f, 0}, 0.04f},
    {7, {0.20f, 0.58f, 0}, {0.48f, 0.58f, 0}, 0.05f},
    {8, {0.48f, 0.58f, 0}, {0.74f, 0.58f, 0}, 0.04f},
    {9, {0.74f, 0.58f, 0}, {0.92f, 0.58f, 0}, 0.035f},
    {0, {0.10f, -0.08f, 0}, {0.10f, -0.50f, 0}, 0.07f},
    {11, {0.10f, -0.50f, 0}, {0.10f, -0.92f, 0}, 0.055f},
    {12, {0.10f, -0.92f, 0}, {0.10f, -0.92f, 0.18f}, 0.04f},
    {13, {0.10f, -0.92f, 0.18f}, {0.10f, -0.92f, 0.26f}, 0.03f},
}};
static_assert(kTrunk.size() + 2 * kLeft.size() == kFigureBodies);

Limb LimbAt(std::uint32_t i) {
  constexpr std::uint32_t kTrunkSize = kTrunk.size();
  if (i < kTrunkSize) return kTrunk[i];
  if (i < kTrunkSize + kSide) return kLeft[i - kTrunkSize];
  Limb limb = kLeft[i - kTrunkSize - kSide];
  limb.from.x = -limb.from.x;
  limb.to.x = -limb.to.x;
  if (limb.parent >= kTrunkSize) limb.parent += kSide;
  return limb;
}

// The shortest turn from one axis to a direction that is not its opposite.
Quat Turn(Vec3 from, Vec3 to) {
  const Vec3 axis = Cross(from, to);
  return Normalise({axis.x, axis.y, axis.z, 1.0f + Dot(from, to)});
}

// Turns the x axis into the direction of a limb: the axis of its joint.
Quat AxesAlong(Vec3 direction) {
  if (direction.x < -0.5f) return {0, 0, 1, 0};
  return Turn({1, 0, 0}, direction);
}

const JointKind kHeld = SwingTwistJoint{
    .cone = 0.8f,
    .twist = JointLimits{-0.4f, 0.4f},
    .drive = JointDrive{.hertz = 2.0f, .damping_ratio = 1.0f, .most = 200.0f},
};

}  // namespace

void AddFigure(PeerScene& scene, Vec3 place, Quat yaw, const BodyDef& like) {
  // On its back: the figure's z axis is up.
  const Quat lying = yaw * Normalise({-1, 0, 0, 1});
  const auto first = static_cast<std::uint32_t>(scene.bodies.size());
  for (std::uint32_t i = 0; i < kFigureBodies; ++i) {
    const Limb limb = LimbAt(i);
    const Vec3 along = limb.to - limb.from;
    const float length = Length(along);
    const Vec3 direction = along * (1.0f / length);
    BodyDef def = like;
    // Its ends are at the joints; a short limb is thicker than long.
    def.shape = Shape::Capsule(std::max(0.5f * length - limb.radius, 0.01f), limb.radius);
    // The capsule lies along the y axis of its body; downwards as well as upwards.
    const Quat own = direction.y < -0.5f ? Quat{} : Turn({0, 1, 0}, direction);
    def.rotation = Normalise(lying * own);
    def.position = place + Rotate(lying, (limb.from + limb.to) * 0.5f);
    scene.bodies.push_back(def);
    if (i == 0) continue;
    const Vec3 anchor = place + Rotate(lying, limb.from);
    const Quat axes = lying * AxesAlong(direction);
    const BodyDef& parent = scene.bodies[first + limb.parent];
    scene.joints.push_back({first + limb.parent, first + i,
                            FrameAt(parent.position, parent.rotation, anchor, axes),
                            FrameAt(def.position, def.rotation, anchor, axes), kHeld});
  }
}

}  // namespace nowait
