// WideContacts<N>: the stages of N contacts at once.
//
// Included by the unit of each width alone. Each function has the plain one of the same name in
// contact_constraint.cc beside it, and does the same operations in the same order. Where that one
// branches, both sides are calculated and a lane selects.
//
// Thread safety: as the blocks. Test: tests/dynamics/wide_contacts_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_KERNEL_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_KERNEL_H_

#include <limits>

#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/contact_limits.h"
#include "src/dynamics/solver_stage.h"
#include "src/dynamics/wide_blocks.h"
#include "src/dynamics/wide_row.h"
#include "src/dynamics/wide_vec.h"

namespace nowait {
inline namespace HWY_NAMESPACE {

template <int N>
class WideContacts {
 public:
  WideContacts(ContactBlock* blocks, const SubstepDef& def) : blocks_(blocks), def_(def) {}

  void WarmStart() {
    Bodies bodies = blocks_.Gather();
    for (const BlockPoint& point : blocks_.points()) {
      const Bodies before = bodies;
      const Rows rows = RowsOf(point);
      Apply(rows.normal, blocks_.OfPoint(point.normal_impulse), blocks_, bodies);
      Apply(rows.tangent1, blocks_.OfPoint(point.tangent1_impulse), blocks_, bodies);
      Apply(rows.tangent2, blocks_.OfPoint(point.tangent2_impulse), blocks_, bodies);
      KeepIn(blocks_.LanesWith(point), before, bodies);
    }
    if (const LaneBits rolls = blocks_.BitsOf(&ContactBlock::rolls); rolls != 0) {
      const Bodies before = bodies;
      ApplyAngularImpulse(blocks_.OfBlock(blocks_.first().rolling.impulse), blocks_, bodies);
      KeepIn(rolls, before, bodies);
    }
    blocks_.Scatter(bodies);
  }

  template <Pass pass>
  void Solve() {
    Bodies bodies = blocks_.Gather();
    SolveRolling(bodies);
    for (BlockPoint& point : blocks_.points()) SolveFriction(point, bodies);
    const WideMotion<N> motion = blocks_.GatherMotion(bodies);
    for (BlockPoint& point : blocks_.points()) SolveNormal<pass>(point, motion, bodies);
    blocks_.Scatter(bodies);
  }

  void ApplyRestitution() {
    if (!MayBounce()) return;
    const Lanes zero(0.0f);
    Bodies bodies = blocks_.Gather();
    for (BlockPoint& point : blocks_.points()) {
      const Lanes restitution = blocks_.OfPoint(point.restitution);
      const Lanes approach = blocks_.OfPoint(point.approach);
      const auto stays = (restitution <= zero) |
                         (Lanes(-def_.solver.restitution_threshold) < approach) |
                         (blocks_.OfPoint(point.largest_normal_impulse) <= zero);
      const LaneBits bounces = blocks_.LanesWith(point) & ~stays.Bits();
      if (bounces == 0) continue;
      const WideRow<N> row = NormalOf(point);
      const Lanes speed = Speed(row, bodies) + restitution * approach;
      ApplyNormal(point, row, -blocks_.OfPoint(point.normal_mass) * speed, bounces, bodies);
    }
    blocks_.Scatter(bodies);
  }

 private:
  using Lanes = Floats<N>;
  using Bodies = WideBodies<N>;
  static constexpr LaneBits kAll = WideBlocks<N>::kAll;

  struct Rows {
    WideRow<N> normal, tangent1, tangent2;
  };

  WideRow<N> NormalOf(const BlockPoint& point) const {
    return RowAlong<N>(blocks_.OfPoint(point.normal), blocks_.OfPoint(point.arm_a),
                       blocks_.OfPoint(point.arm_b));
  }
  Rows RowsOf(const BlockPoint& point) const {
    const WideVec<N> normal = blocks_.OfPoint(point.normal);
    const WideVec<N> tangent = blocks_.OfPoint(point.tangent);
    const WideVec<N> arm_a = blocks_.OfPoint(point.arm_a), arm_b = blocks_.OfPoint(point.arm_b);
    return {RowAlong<N>(normal, arm_a, arm_b), RowAlong<N>(tangent, arm_a, arm_b),
            RowAlong<N>(Cross(normal, tangent), arm_a, arm_b)};
  }
  bool MayBounce() const { return blocks_.BitsOf(&ContactBlock::may_bounce) != 0; }

  // Takes the change of the bodies back in the other lanes.
  static void KeepIn(LaneBits taking_part, const Bodies& before, Bodies& bodies) {
    if (taking_part != kAll) Undo(before, taking_part, bodies);
  }
  void KeepImpulse(LaneBits taking_part, Lanes impulse, Lanes before, BlockFloats& to) const {
    const typename Lanes::Mask mask(taking_part);
    blocks_.KeepOfPoint(taking_part == kAll ? impulse : Select(mask, impulse, before), to);
  }

  // As ScaleTo.
  static Lanes Scale(const WideVec<N>& v, Lanes limit) {
    const Lanes one(1.0f);
    const Lanes squared = Dot(v, v);
    const auto is_longer = limit * limit < squared;
    const Lanes scale = Select(is_longer, limit / Sqrt(Select(is_longer, squared, one)), one);
    const LaneBits in_range = (squared <= Lanes(std::numeric_limits<float>::max())).Bits();
    return in_range == kAll ? scale : ScaleOneByOne(v, limit, scale, in_range);
  }
  static Lanes ScaleOneByOne(const WideVec<N>& v, Lanes limit, Lanes scale, LaneBits in_range) {
    auto scales = scale.ToArray();
    const auto x = v.x.ToArray(), y = v.y.ToArray(), z = v.z.ToArray(), limits = limit.ToArray();
    for (int i = 0; i < N; ++i) {
      if ((in_range >> i & 1) == 0) scales[i] = ScaleTo({x[i], y[i], z[i]}, limits[i]);
    }
    return Lanes(scales);
  }

  void SolveRolling(Bodies& bodies) {
    const LaneBits rolls = blocks_.BitsOf(&ContactBlock::rolls);
    if (rolls == 0) return;
    BlockRolling& rolling = blocks_.first().rolling;
    const Lanes zero(0.0f);
    Lanes pressed = zero;
    for (const BlockPoint& point : blocks_.points()) {
      pressed = pressed + blocks_.OfPoint(point.normal_impulse);
    }
    const Lanes limit = blocks_.OfBlock(rolling.length) * pressed;
    const WideVec<N> spin = bodies.b.angular - bodies.a.angular;
    const WideVec<N> old = blocks_.OfBlock(rolling.impulse);
    WideVec<N> sum = old - blocks_.OfBlock(rolling.mass) * spin;
    const LaneBits taking_part = rolls & FiniteLanes(sum);
    const typename Lanes::Mask mask(taking_part);
    sum = Select(mask, sum, WideVec<N>{zero, zero, zero});
    sum = sum * Scale(sum, limit);
    const Bodies before = bodies;
    ApplyAngularImpulse(sum - old, blocks_, bodies);
    KeepIn(taking_part, before, bodies);
    blocks_.KeepOfBlock(Select(mask, sum, old), rolling.impulse);
  }
  static LaneBits FiniteLanes(const WideVec<N>& v) {
    const Lanes most(std::numeric_limits<float>::max());
    const auto finite = [&](Lanes lanes) { return (lanes <= most) & (-most <= lanes); };
    return (finite(v.x) & finite(v.y) & finite(v.z)).Bits();
  }

  void SolveFriction(BlockPoint& point, Bodies& bodies) {
    const Rows rows = RowsOf(point);
    const Lanes old1 = blocks_.OfPoint(point.tangent1_impulse);
    const Lanes old2 = blocks_.OfPoint(point.tangent2_impulse);
    const bool slides = blocks_.BitsOf(&ContactBlock::slides) != 0;
    const auto sum_of = [&](const WideRow<N>& row, Lanes old, const BlockFloats& mass_of,
                            const BlockFloats& slide) {
      const Lanes mass = blocks_.OfPoint(mass_of);
      const Lanes speed = Speed(row, bodies) + (slides ? blocks_.OfPoint(slide) : Lanes(0.0f));
      return WithinMost(old - mass * speed, mass);
    };
    Lanes sum1 = sum_of(rows.tangent1, old1, point.tangent1_mass, point.slide1);
    Lanes sum2 = sum_of(rows.tangent2, old2, point.tangent2_mass, point.slide2);
    const Lanes limit = blocks_.OfPoint(point.friction) * blocks_.OfPoint(point.normal_impulse);
    const Lanes scale = Scale({sum1, sum2, Lanes(0.0f)}, limit);
    sum1 = sum1 * scale;
    sum2 = sum2 * scale;
    const LaneBits has = blocks_.LanesWith(point);
    const Bodies before = bodies;
    Apply(rows.tangent1, sum1 - old1, blocks_, bodies);
    Apply(rows.tangent2, sum2 - old2, blocks_, bodies);
    KeepIn(has, before, bodies);
    KeepImpulse(has, sum1, old1, point.tangent1_impulse);
    KeepImpulse(has, sum2, old2, point.tangent2_impulse);
  }

  template <Pass pass>
  void SolveNormal(BlockPoint& point, const WideMotion<N>& motion, Bodies& bodies) {
    const ContactBlock& block = blocks_.first();
    const WideRow<N> row = NormalOf(point);
    const Lanes zero(0.0f), one(1.0f);
    const Lanes separation = blocks_.OfPoint(point.separation) + Distance(row, motion);
    const auto is_gap = zero < separation;
    Lanes bias = zero, mass_scale = one, impulse_scale = zero;
    if constexpr (pass == Pass::kPushOut) {
      const Lanes depth = Min(zero, separation + Lanes(def_.solver.slop));
      bias = Max(Lanes(-def_.solver.max_push_speed), blocks_.OfBlock(block.bias_rate) * depth);
      mass_scale = Select(is_gap, one, blocks_.OfBlock(block.mass_scale));
      impulse_scale = Select(is_gap, zero, blocks_.OfBlock(block.impulse_scale));
    }
    bias = Select(is_gap, separation / Lanes(def_.h), bias);
    const Lanes change =
        -(blocks_.OfPoint(point.normal_mass) * mass_scale) * (Speed(row, bodies) + bias) -
        impulse_scale * blocks_.OfPoint(point.normal_impulse);
    ApplyNormal(point, row, change, blocks_.LanesWith(point), bodies);
  }

  void ApplyNormal(BlockPoint& point, const WideRow<N>& row, Lanes change, LaneBits taking_part,
                   Bodies& bodies) {
    const Lanes old = blocks_.OfPoint(point.normal_impulse);
    const Lanes most = blocks_.OfPoint(point.normal_mass) * Lanes(kMostChange);
    const Lanes sum = Clamp(old + change, Lanes(0.0f), most);
    const Bodies before = bodies;
    Apply(row, sum - old, blocks_, bodies);
    KeepIn(taking_part, before, bodies);
    KeepImpulse(taking_part, sum, old, point.normal_impulse);
    if (!MayBounce()) return;
    const Lanes largest = blocks_.OfPoint(point.largest_normal_impulse);
    KeepImpulse(taking_part, Max(sum, largest), largest, point.largest_normal_impulse);
  }

  const WideBlocks<N> blocks_;
  const SubstepDef& def_;
};

// A stage of one or of two blocks.
template <int N>
void RunGroup(SolverStage stage, ContactBlock* blocks, const SubstepDef& def) {
  WideContacts<N> contacts(blocks, def);
  switch (stage) {
    case SolverStage::kWarmStart:
      contacts.WarmStart();
      break;
    case SolverStage::kPushOut:
      contacts.template Solve<Pass::kPushOut>();
      break;
    case SolverStage::kRelax:
      contacts.template Solve<Pass::kRelax>();
      break;
    case SolverStage::kRestitution:
      contacts.ApplyRestitution();
      break;
    case SolverStage::kVelocities:
    case SolverStage::kPositions:
      break;  // of bodies
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_KERNEL_H_
