#include "src/world/make_joint.h"

#include <limits>
#include <optional>
#include <variant>

#include "src/math/float_mode.h"
#include "src/world/check_field.h"

namespace nowait {
namespace {

constexpr float kFarthest = 1e6f;
constexpr float kMost = std::numeric_limits<float>::infinity();

Result<void> CheckUnit(Quat rotation, const char* name) {
  if (IsUnit(rotation)) return {};
  return Fail(ErrorCode::kInvalidArgument, name, 0, "not of length one");
}

Result<void> CheckFrame(const JointFrame& frame, const char* position, const char* rotation) {
  if (!Within(frame.position, kFarthest)) {
    return Fail(ErrorCode::kInvalidArgument, position, 0, "not within 1e6 metres");
  }
  return CheckUnit(frame.rotation, rotation);
}

Result<void> CheckLimits(const std::optional<JointLimits>& limits, float low, float high,
                         const char* range) {
  if (!limits) return {};
  if (limits->lower > limits->upper) {
    return Fail(ErrorCode::kInvalidArgument, "limits", 0, "the lower one is above the upper one");
  }
  return All(Check(limits->lower, low, high, "limits", range),
             Check(limits->upper, low, high, "limits", range));
}

Result<void> CheckSpring(float hertz, float damping_ratio) {
  return All(Check(hertz, 0.01f, 1e4f, "hertz", "0.01 .. 10000"),
             Check(damping_ratio, 0.0f, 1e3f, "damping_ratio", "0 .. 1000"));
}

Result<void> CheckSpring(const std::optional<JointSpring>& spring, float low, float high,
                         const char* range) {
  if (!spring) return {};
  return All(CheckSpring(spring->hertz, spring->damping_ratio),
             Check(spring->rest, low, high, "rest", range));
}

Result<void> CheckMotor(const std::optional<JointMotor>& motor) {
  if (!motor) return {};
  return All(Check(motor->speed, -1e4f, 1e4f, "speed", "not within 10000 a second"),
             Check(motor->most, 0.0f, kMost, "most", "at least 0"));
}

struct CheckKind {
  Result<void> operator()(const PointJoint&) const { return {}; }
  Result<void> operator()(const FixedJoint&) const { return {}; }
  Result<void> operator()(const DistanceJoint& kind) const {
    return All(Check(kind.length, 0.0f, kFarthest, "length", "0 .. 1e6"),
               CheckSpring(kind.spring, 0.0f, kFarthest, "0 .. 1e6"),
               CheckLimits(kind.limits, 0.0f, kFarthest, "0 .. 1e6"));
  }
  Result<void> operator()(const HingeJoint& kind) const {
    return All(CheckLimits(kind.limits, -kPi, kPi, "-pi .. pi"), CheckMotor(kind.motor),
               CheckSpring(kind.spring, -kPi, kPi, "-pi .. pi"));
  }
  Result<void> operator()(const SliderJoint& kind) const {
    return All(CheckLimits(kind.limits, -kFarthest, kFarthest, "within 1e6"),
               CheckMotor(kind.motor),
               CheckSpring(kind.spring, -kFarthest, kFarthest, "within 1e6"));
  }
  Result<void> operator()(const SwingTwistJoint& kind) const {
    const Result<void> angles = All(Check(kind.cone, 0.0f, kPi, "cone", "0 .. pi"),
                                    CheckLimits(kind.twist, -kPi, kPi, "-pi .. pi"));
    if (!angles || !kind.drive) return angles;
    const JointDrive& drive = *kind.drive;
    return All(CheckUnit(drive.target, "target"), CheckSpring(drive.hertz, drive.damping_ratio),
               Check(drive.most, 0.0f, kMost, "most", "at least 0"));
  }
};

}  // namespace

Result<void> Validate(const JointKind& kind) { return std::visit(CheckKind(), kind); }

Result<void> Validate(const JointDef& def) {
  if (def.a == def.b) {
    return Fail(ErrorCode::kInvalidArgument, "bodies", static_cast<std::int64_t>(def.a.bits()),
                "a joint has two");
  }
  return All(
      CheckFrame(def.frame_a, "frame_a position", "frame_a rotation"),
      CheckFrame(def.frame_b, "frame_b position", "frame_b rotation"), Validate(def.kind),
      Check(def.break_force, std::numeric_limits<float>::min(), kMost, "break_force", "above 0"),
      Check(def.break_torque, std::numeric_limits<float>::min(), kMost, "break_torque", "above 0"));
}

JointKind Normalised(JointKind kind) {
  const FloatModeScope float_mode;
  auto* swing_twist = std::get_if<SwingTwistJoint>(&kind);
  if (swing_twist != nullptr && swing_twist->drive) {
    swing_twist->drive->target = Normalise(swing_twist->drive->target);
  }
  return kind;
}

JointDef Normalised(JointDef def) {
  const FloatModeScope float_mode;
  def.frame_a.rotation = Normalise(def.frame_a.rotation);
  def.frame_b.rotation = Normalise(def.frame_b.rotation);
  def.kind = Normalised(def.kind);
  return def;
}

}  // namespace nowait
