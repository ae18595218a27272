#include "src/apps/snake/snake.h"

#include <array>
#include <utility>

namespace nowait {
namespace {

constexpr float kHead = 0.16f, kTail = 0.30f;  // metres, the radii: the lowest links bear the rest
constexpr float kTaper = 0.85f;                // of a link's radius, at both of its ends
constexpr float kBody = 0.92f;                 // of a link's length; the rest is the joint's
constexpr float kDensity = 200.0f;             // kilograms a cubic metre

// Half the turn about the coil's axis from a link to the next one, and half the rise: tangents.
constexpr float kTurn = 0.15f;
constexpr float kRise = 0.05f;

constexpr float kCone = 0.6f, kTwist = 0.3f;  // radians
constexpr float kMostTorque = 100'000.0f;     // newton metres

// Along x, around the middle of the link.
std::array<Vec3, 24> PrismPoints(float radius) {
  constexpr float kDiagonal = 0.70710678f;
  constexpr std::array<std::array<float, 2>, 8> kOctagon = {{{1, 0},
                                                             {kDiagonal, kDiagonal},
                                                             {0, 1},
                                                             {-kDiagonal, kDiagonal},
                                                             {-1, 0},
                                                             {-kDiagonal, -kDiagonal},
                                                             {0, -1},
                                                             {kDiagonal, -kDiagonal}}};
  constexpr float kHalf = 0.5f * kBody * Snake::kLinkLength;
  std::array<Vec3, 24> points;
  std::size_t next = 0;
  for (const float side : {-1.0f, 0.0f, 1.0f}) {
    const float wide = side == 0.0f ? radius : kTaper * radius;
    for (const auto& [y, z] : kOctagon) points[next++] = {side * kHalf, wide * y, wide * z};
  }
  return points;
}

}  // namespace

Result<Snake> Snake::Create(std::uint32_t links, Vec3 tail, float motor_hertz) {
  if (links < 2 || links > 1000) {
    return Fail(ErrorCode::kInvalidArgument, "links", links, "2 .. 1,000");
  }
  Snake snake(motor_hertz);
  const Quat rise = Normalise(Quat{0, 0, kRise, 1});
  const Quat turn = Normalise(Quat{0, kTurn, 0, 1});
  Quat around;
  for (std::uint32_t i = 0; i < links; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(links - 1);
    const auto points = PrismPoints(kTail + (kHead - kTail) * part);
    auto hull = ConvexHull::Create({.points = points});
    if (!hull) return std::unexpected(hull.error());
    const Link link{tail, Normalise(around * rise)};
    const Vec3 along = Rotate(link.rotation, {kLinkLength, 0, 0});
    BodyDef def;
    def.shape = Shape::Hull(hull->get());
    def.position = tail + 0.5f * along + Rotate(link.rotation, (*hull)->centre());
    def.rotation = Normalise(link.rotation * (*hull)->rotation());
    def.density = kDensity;
    def.friction = 0.6f;
    snake.hulls_.push_back(*std::move(hull));
    snake.links_.push_back(link);
    snake.bodies_.push_back(def);
    tail += along;
    around = Normalise(around * turn);
  }
  return snake;
}

std::vector<JointDef> Snake::Joints(std::span<const BodyId> ids) const {
  std::vector<JointDef> joints;
  for (std::size_t i = 0; i + 1 < links_.size(); ++i) {
    const Link& here = links_[i];
    const Link& next = links_[i + 1];
    JointDef def;
    def.a = ids[i];
    def.b = ids[i + 1];
    def.frame_a = FrameAt(bodies_[i].position, bodies_[i].rotation, next.end, here.rotation);
    def.frame_b =
        FrameAt(bodies_[i + 1].position, bodies_[i + 1].rotation, next.end, next.rotation);
    const JointDrive drive{.target = Normalise(Conjugate(here.rotation) * next.rotation),
                           .hertz = motor_hertz_,
                           .damping_ratio = 1.0f,
                           .most = kMostTorque};
    def.kind =
        SwingTwistJoint{.cone = kCone, .twist = JointLimits{-kTwist, kTwist}, .drive = drive};
    joints.push_back(def);
  }
  return joints;
}

JointKind Snake::Dead() {
  return SwingTwistJoint{.cone = kCone, .twist = JointLimits{-kTwist, kTwist}};
}

float Snake::Gap(const JointDef& joint, const BodySnapshot& a, const BodySnapshot& b) {
  const Vec3 from_a = a.position + Rotate(a.rotation, joint.frame_a.position);
  const Vec3 from_b = b.position + Rotate(b.rotation, joint.frame_b.position);
  return Length(from_b - from_a);
}

}  // namespace nowait
