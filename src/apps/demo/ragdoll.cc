#include "src/apps/demo/ragdoll.h"

#include <array>
#include <cmath>

#include "src/math/angle.h"

namespace nowait {
namespace {

enum Part : std::size_t {
  kPelvis,
  kChest,
  kHead,
  kLeftUpperArm,
  kLeftForearm,
  kRightUpperArm,
  kRightForearm,
  kLeftThigh,
  kLeftShin,
  kRightThigh,
  kRightShin,
};

// Of the upright figure, which looks along z. Places from the pelvis, metres.
struct Limb {
  Vec3 place;
  Vec3 half;  // of a box; a head is a ball of half.x
};
constexpr std::array<Limb, Ragdoll::kBodies> kLimbs = {{
    {{0, 0, 0}, {0.16f, 0.10f, 0.10f}},
    {{0, 0.36f, 0}, {0.18f, 0.22f, 0.11f}},
    {{0, 0.76f, 0}, {0.13f, 0.13f, 0.13f}},
    {{0.38f, 0.50f, 0}, {0.15f, 0.055f, 0.055f}},
    {{0.68f, 0.50f, 0}, {0.14f, 0.045f, 0.045f}},
    {{-0.38f, 0.50f, 0}, {0.15f, 0.055f, 0.055f}},
    {{-0.68f, 0.50f, 0}, {0.14f, 0.045f, 0.045f}},
    {{0.10f, -0.32f, 0}, {0.075f, 0.20f, 0.075f}},
    {{0.10f, -0.74f, 0}, {0.06f, 0.20f, 0.06f}},
    {{-0.10f, -0.32f, 0}, {0.075f, 0.20f, 0.075f}},
    {{-0.10f, -0.74f, 0}, {0.06f, 0.20f, 0.06f}},
}};

// The x axis of a joint's frames, in the figure: along the limb for a shoulder, across for a hinge.
const Quat kUp = Normalise({0, 0, 1, 1});
const Quat kDown = Normalise({0, 0, -1, 1});
const Quat kLeft{};
const Quat kRight{0, 0, 1, 0};
const Quat kElbow = Normalise({0, 0, 1, 1});  // an elbow's axis is up when the arm is held out

struct Link {
  Part a;
  Part b;
  Vec3 anchor;
  Quat axes;
  JointKind kind;
};

constexpr JointDrive kMuscle{.hertz = 1.0f, .damping_ratio = 1.0f, .most = 6.0f};
constexpr JointSpring kTendon{.hertz = 0.5f, .damping_ratio = 1.0f, .rest = 0.0f};

SwingTwistJoint Within(float cone, float twist) {
  return {.cone = cone, .twist = JointLimits{-twist, twist}, .drive = kMuscle};
}

HingeJoint Bending(float lower, float upper) {
  return {.limits = JointLimits{lower, upper}, .spring = kTendon};
}

std::array<Link, Ragdoll::kJoints> Links() {
  return {{
      {kPelvis, kChest, {0, 0.12f, 0}, kUp, Within(0.5f, 0.4f)},
      {kChest, kHead, {0, 0.60f, 0}, kUp, Within(0.6f, 0.8f)},
      {kChest, kLeftUpperArm, {0.22f, 0.50f, 0}, kLeft, Within(1.3f, 0.8f)},
      {kLeftUpperArm, kLeftForearm, {0.53f, 0.50f, 0}, kElbow, Bending(-2.2f, 0.05f)},
      {kChest, kRightUpperArm, {-0.22f, 0.50f, 0}, kRight, Within(1.3f, 0.8f)},
      {kRightUpperArm, kRightForearm, {-0.53f, 0.50f, 0}, kElbow, Bending(-0.05f, 2.2f)},
      {kPelvis, kLeftThigh, {0.10f, -0.11f, 0}, kDown, Within(1.0f, 0.4f)},
      {kLeftThigh, kLeftShin, {0.10f, -0.53f, 0}, kLeft, Bending(-0.05f, 2.2f)},
      {kPelvis, kRightThigh, {-0.10f, -0.11f, 0}, kDown, Within(1.0f, 0.4f)},
      {kRightThigh, kRightShin, {-0.10f, -0.53f, 0}, kLeft, Bending(-0.05f, 2.2f)},
  }};
}

}  // namespace

std::vector<BodyDef> Ragdoll::Bodies() const {
  std::vector<BodyDef> defs;
  for (std::size_t i = 0; i < kBodies; ++i) {
    BodyDef def;
    def.shape = i == kHead ? Shape::Sphere(kLimbs[i].half.x) : Shape::Box(kLimbs[i].half);
    def.position = place_ + Rotate(rotation_, kLimbs[i].place);
    def.rotation = rotation_;
    def.friction = 0.7f;
    def.rolling_resistance = 0.1f;
    defs.push_back(def);
  }
  return defs;
}

std::vector<JointDef> Ragdoll::Joints(std::span<const BodyId> bodies) const {
  std::vector<JointDef> defs;
  for (const Link& link : Links()) {
    JointDef def;
    def.a = bodies[link.a];
    def.b = bodies[link.b];
    // All bodies have the figure's rotation, so their frames differ in their places alone.
    def.frame_a = {link.anchor - kLimbs[link.a].place, link.axes};
    def.frame_b = {link.anchor - kLimbs[link.b].place, link.axes};
    def.kind = link.kind;
    defs.push_back(def);
  }
  return defs;
}

}  // namespace nowait
