// The geometry of the kinds that couple two pairs of bodies: gears and pulleys.
//
// A pair has a row of its own, a hinge's, a slider's or a rope's. The coupling is the sum of the
// first pair's row and the second one's times the ratio: one row over up to four bodies. A gear's
// torque is therefore felt by the frames on which its wheels turn, and no angular momentum is lost
// when these move.
#include <cmath>
#include <cstdint>

#include "src/dynamics/joint_parts.h"

namespace nowait {
namespace {

constexpr double kWholeTurn = 6.283185307179586;

Row Times(Row row, float factor) {
  for (Vec3 Row::*of : {&Row::axis, &Row::turn_a, &Row::turn_b, &Row::spin_a, &Row::spin_b}) {
    row.*of = row.*of * factor;
  }
  row.mass = row.mass / (factor * factor);
  return row;
}

// How an impulse of one along a row changes the speed along another one, by a body of both.
float Shared(const Row& one, const Row& other, const SolverBody& body, float sign, Vec3 turn,
             Vec3 spin) {
  return sign * (body.inverse_mass * Dot(one.axis, other.axis) + Dot(turn, spin));
}

// A frame that carries both wheels is in both rows.
float Shared(const JointEnds& of_one, const Row& one, const JointEnds& of_other, const Row& other) {
  float sum = 0.0f;
  if (of_one.a == of_other.a) sum += Shared(one, other, *of_one.a, 1, one.turn_a, other.spin_a);
  if (of_one.b == of_other.b) sum += Shared(one, other, *of_one.b, 1, one.turn_b, other.spin_b);
  if (of_one.a == of_other.b) sum += Shared(one, other, *of_one.a, -1, one.turn_a, other.spin_b);
  if (of_one.b == of_other.a) sum += Shared(one, other, *of_one.b, -1, one.turn_b, other.spin_a);
  return sum;
}

// The first pair's row, with the mass of both.
Row Coupled(JointConstraint& joint, const Row& first, const Row& second, float ratio) {
  JointCoupling& coupling = joint.coupling;
  coupling.row = Times(second, ratio);
  Row row = first;
  const auto inverse = [](float mass) { return mass > 0.0f ? 1.0f / mass : 0.0f; };
  const float shared = Shared(joint.ends, first, coupling.ends, coupling.row);
  const float k = inverse(first.mass) + inverse(coupling.row.mass) + 2.0f * shared;
  row.mass = inverse(k);
  return row;
}

// The way that a wheel has gone since the gear meshed, in whole turns and a rest.
double Count(GearTeeth& teeth, std::size_t wheel, float angle) {
  if (angle - teeth.angle[wheel] > kPi) --teeth.turns[wheel];
  if (angle - teeth.angle[wheel] < -kPi) ++teeth.turns[wheel];
  teeth.angle[wheel] = angle;
  return kWholeTurn * static_cast<double>(teeth.turns[wheel]) + static_cast<double>(angle);
}

}  // namespace

void AddParts(const GearJoint& kind, JointParts& parts) {
  JointConstraint& joint = parts.joint();
  JointCoupling& coupling = joint.coupling;
  GearTeeth& teeth = coupling.teeth;
  const JointFrames second(coupling.ends);
  const bool meshes = teeth.ratio != kind.ratio;
  if (meshes) teeth = {.ratio = kind.ratio, .angle = {}, .turns = {}, .meshed = 0.0};
  Row rows[2];
  double positions[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const JointFrames& at = i == 0 ? parts.at() : second;
    const bool slides = i == 0 ? coupling.first_slides : coupling.second_slides;
    rows[i] = slides ? at.SlideRow(at.axes.x) : at.TurnRow(at.axes.x);
    if (slides) {
      positions[i] = static_cast<double>(at.SlideAlong(0));
    } else {
      const float angle = at.TurnAbout(0);
      if (meshes) teeth.angle[i] = angle;
      positions[i] = Count(teeth, i, angle);
    }
  }
  const double sum = positions[0] + static_cast<double>(kind.ratio) * positions[1];
  if (meshes) teeth.meshed = sum;
  joint.position = static_cast<float>(sum - teeth.meshed);
  JointRow& held = joint[JointRole::kSpring];
  parts.Set(held, JointRow::Kind::kRigid, Coupled(joint, rows[0], rows[1], kind.ratio),
            joint.position);
  held.second = 1.0f;
}

void AddParts(const PulleyJoint& kind, JointParts& parts) {
  JointConstraint& joint = parts.joint();
  const JointFrames second(joint.coupling.ends);
  const Row row = Coupled(joint, parts.at().RopeRow(), second.RopeRow(), kind.ratio);
  joint.position = Length(parts.at().apart) + kind.ratio * Length(second.apart);
  parts.AddLimits(kind.limits, row, joint.position);
  joint[JointRole::kLower].second = 1.0f;
  joint[JointRole::kUpper].second = -1.0f;
  // Where it may be slack altogether, no row stops an anchor that passes its ground.
  if (!(kind.limits.lower > 0.0f)) joint[JointRole::kLower].kind = JointRow::Kind::kOff;
}

}  // namespace nowait
