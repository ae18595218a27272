// How a joint becomes a constraint, at the start of a step.
#include <cstddef>
#include <limits>
#include <optional>
#include <variant>

#include "src/dynamics/joint_constraint.h"

namespace nowait {
namespace {

// A frame as the solver sees it.
JointFrame Seen(const JointFrame& frame, const Body& body) {
  if (body.inverse_mass != 0.0f) return frame;
  return {Rotate(body.rotation, frame.position), body.rotation * frame.rotation};
}

JointEnds EndsOf(const JointDef& def, const EndBodies& bodies) {
  return {bodies.a.solver, bodies.b.solver, Seen(def.frame_a, *bodies.a.body),
          Seen(def.frame_b, *bodies.b.body), bodies.b.body->position - bodies.a.body->position};
}

Softness DriveSoftness(const JointDef& def, float h) {
  const auto* swing_twist = std::get_if<SwingTwistJoint>(&def.kind);
  if (swing_twist == nullptr || !swing_twist->drive) return {};
  return Softness::Of(swing_twist->drive->hertz, swing_twist->drive->damping_ratio, h);
}

const std::optional<JointSpring>* SpringOf(const JointKind& kind) {
  const auto spring = [](const auto& of) -> const std::optional<JointSpring>* {
    if constexpr (requires { of.spring; }) return &of.spring;
    return nullptr;
  };
  return std::visit(spring, kind);
}

float MotorMost(const JointKind& kind) {
  const auto most = [](const auto& of) {
    if constexpr (requires { of.motor; }) return of.motor ? of.motor->most : 0.0f;
    return 0.0f;
  };
  return std::visit(most, kind);
}

// The rows of an axis know their strength here, and their directions in Refresh.
void PrepareAxis(const JointAxis& axis, std::span<JointRow> rows, float h) {
  JointRow& motor = rows[static_cast<std::size_t>(AxisRole::kMotor)];
  if (axis.motor) {
    motor.most = axis.motor->most * h;
    if (const auto& to = axis.motor->to) {
      motor.softness = Softness::Of(to->hertz, to->damping_ratio, h);
    }
  }
  if (!axis.spring) return;
  for (const AxisRole role : {AxisRole::kLower, AxisRole::kUpper}) {
    rows[static_cast<std::size_t>(role)].softness =
        Softness::Of(axis.spring->hertz, axis.spring->damping_ratio, h);
  }
}

// A constraint with the impulses of the step before, and no bodies yet.
JointConstraint Kept(const Joint& joint, std::span<JointRow> rows) {
  JointConstraint constraint;
  constraint.def = &joint.def;
  constraint.point.impulse = joint.impulses.linear;
  constraint.angle.impulse = joint.impulses.angular;
  constraint.drive.impulse = joint.impulses.drive;
  constraint.rows = rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {};
    rows[i].row.impulse = joint.impulses.rows[i];
  }
  constraint.coupling.teeth = joint.teeth;
  return constraint;
}

}  // namespace

JointConstraint Prepare(const Joint& joint, const EndBodies& bodies, std::span<JointRow> rows,
                        const SubstepDef& def) {
  JointConstraint constraint = Kept(joint, rows);
  constraint.ends = EndsOf(joint.def, bodies);
  if (const auto* six = std::get_if<SixDofJoint>(&joint.def.kind)) {
    for (std::size_t i = 0; i < kJointAxes; ++i) {
      const JointAxis& axis = i < 3 ? six->linear[i] : six->angular[i - 3];
      PrepareAxis(axis, rows.subspan(kAxisRoles * i, kAxisRoles), def.h);
    }
    return constraint;
  }
  constraint.drive_softness = DriveSoftness(joint.def, def.h);
  if (const auto* spring = SpringOf(joint.def.kind); spring != nullptr && *spring) {
    JointRow& row = constraint[JointRole::kSpring];
    row.most = std::numeric_limits<float>::infinity();
    row.softness = Softness::Of((*spring)->hertz, (*spring)->damping_ratio, def.h);
  }
  constraint[JointRole::kMotor].most = MotorMost(joint.def.kind) * def.h;
  return constraint;
}

JointConstraint PrepareGear(const Joint& gear, const GearSide& first, const GearSide& second,
                            std::span<JointRow> rows) {
  JointConstraint constraint = Kept(gear, rows);
  constraint.ends = EndsOf(first.joint->def, first.bodies);
  JointCoupling& coupling = constraint.coupling;
  coupling.ends = EndsOf(second.joint->def, second.bodies);
  coupling.first_slides = std::holds_alternative<SliderJoint>(first.joint->def.kind);
  coupling.second_slides = std::holds_alternative<SliderJoint>(second.joint->def.kind);
  return constraint;
}

JointConstraint PreparePulley(const Joint& pulley, const EndBodies& bodies, SolverBody& still,
                              std::span<JointRow> rows) {
  JointConstraint constraint = Kept(pulley, rows);
  const auto& kind = std::get<PulleyJoint>(pulley.def.kind);
  const auto rope = [&](Vec3 ground, const EndBody& end, const JointFrame& frame) {
    return JointEnds{&still, end.solver, {}, Seen(frame, *end.body), end.body->position - ground};
  };
  constraint.ends = rope(kind.ground_a, bodies.a, pulley.def.frame_a);
  constraint.coupling.ends = rope(kind.ground_b, bodies.b, pulley.def.frame_b);
  return constraint;
}

}  // namespace nowait
