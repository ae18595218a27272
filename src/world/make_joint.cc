#include "src/world/make_joint.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
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

Result<void> CheckRatio(float ratio, const char* range) {
  return Check(ratio, 1e-4f, 1e4f, "ratio", range);
}

// size: of its places, half the range. range: in words.
Result<void> CheckAxis(const JointAxis& axis, float size, const char* range) {
  const auto wrong = [](const char* field, const char* detail) {
    return Fail(ErrorCode::kInvalidArgument, field, 0, detail);
  };
  if (axis.motion > AxisMotion::kLimited) return wrong("motion", "locked, free or limited");
  if (axis.motion == AxisMotion::kLocked && axis.motor) return wrong("motor", "of a locked axis");
  if (axis.motion != AxisMotion::kLimited && axis.spring) return wrong("spring", "without limits");
  if (axis.motion == AxisMotion::kLimited) {
    if (auto limits = CheckLimits(axis.limits, -size, size, range); !limits) return limits;
  }
  if (axis.spring) {
    const auto spring = CheckSpring(axis.spring->hertz, axis.spring->damping_ratio);
    if (!spring) return spring;
  }
  if (!axis.motor) return {};
  return All(CheckMotor(JointMotor{axis.motor->speed, axis.motor->most}),
             CheckSpring(axis.motor->to, -size, size, range));
}

Result<void> CheckAxes(const SixDofJoint& kind) {
  constexpr const char* kNames[] = {"linear x",  "linear y",  "linear z",
                                    "angular x", "angular y", "angular z"};
  for (std::size_t i = 0; i < 6; ++i) {
    const bool turns = i >= 3;
    const auto axis = turns ? CheckAxis(kind.angular[i - 3], kPi, "-pi .. pi")
                            : CheckAxis(kind.linear[i], kFarthest, "within 1e6");
    if (!axis) return Fail(ErrorCode::kInvalidArgument, kNames[i], 0, axis.error().subject);
  }
  return {};
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
  Result<void> operator()(const SixDofJoint& kind) const { return CheckAxes(kind); }
  Result<void> operator()(const GearJoint& kind) const {
    if (kind.first == kind.second) {
      return Fail(ErrorCode::kInvalidArgument, "second", 0, "a gear couples two joints");
    }
    return CheckRatio(std::abs(kind.ratio), "1e-4 .. 1e4, or as much below 0");
  }
  Result<void> operator()(const PulleyJoint& kind) const {
    for (const auto& [ground, name] :
         {std::pair(kind.ground_a, "ground_a"), std::pair(kind.ground_b, "ground_b")}) {
      if (!Within(ground, kFarthest)) {
        return Fail(ErrorCode::kInvalidArgument, name, 0, "not within 1e6 metres");
      }
    }
    return All(CheckRatio(kind.ratio, "1e-4 .. 1e4"),
               CheckLimits(kind.limits, 0.0f, kFarthest, "0 .. 1e6"));
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

Result<void> ValidateGear(const JointDef& def, const Joint* first, const Joint* second) {
  const struct {
    const Joint* joint;
    BodyId wheel;
    const char* name;
    const char* body;
  } sides[] = {{first, def.a, "first", "a"}, {second, def.b, "second", "b"}};
  for (const auto& [joint, wheel, name, body] : sides) {
    if (joint == nullptr) continue;
    const JointKind& kind = joint->def.kind;
    if (!std::holds_alternative<HingeJoint>(kind) && !std::holds_alternative<SliderJoint>(kind)) {
      return Fail(ErrorCode::kInvalidArgument, name, 0, "neither a hinge nor a slider");
    }
    if (joint->def.a != wheel && joint->def.b != wheel) {
      return Fail(ErrorCode::kInvalidArgument, body, static_cast<std::int64_t>(wheel.bits()),
                  "not a body of the gear's joint");
    }
  }
  return {};
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
