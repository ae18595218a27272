// WideContacts<N>: the stages of N contacts at once, N / 8 blocks of one colour.
//
// Included by the unit of each width alone. Every function has the plain one of the same name in
// contact_constraint.cc beside it, and does the same operations in the same order.
//
// Thread safety: as the blocks. Test: tests/dynamics/wide_contacts_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_KERNEL_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_KERNEL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_limits.h"
#include "src/dynamics/row.h"
#include "src/dynamics/solver_stage.h"
#include "src/dynamics/wide_vec.h"
#include "src/math/simd.h"
#include "src/math/simd_rows.h"

namespace nowait {
inline namespace HWY_NAMESPACE {

template <int N>
class WideContacts {
 public:
  static constexpr int kBlocks = N / kBlockLanes;

  // blocks: kBlocks of them, of one colour and with as many points.
  WideContacts(ContactBlock* blocks, const SubstepDef& def) : blocks_(blocks), def_(def) {
    if constexpr (kBlocks == 2) {
      next_block_ = Between(&blocks[0], &blocks[1]);
      next_point_ = Between(blocks[0].points.data(), blocks[1].points.data());
    }
  }

  void WarmStart() {
    Bodies bodies = Gather();
    for (BlockPoint& point : blocks_->points) {
      const Bodies before = bodies;
      for (const BlockRow* row : {&point.normal, &point.tangent1, &point.tangent2}) {
        const Vec axis = OfPoint(row->axis);
        ApplyRow(*row, axis, OfPoint(row->impulse), bodies);
      }
      Undo(before, LanesWith(point), bodies);
    }
    const LaneBits rolls = RollingLanes();
    if (rolls != 0) {
      const Bodies before = bodies;
      ApplyAngular(OfBlock(blocks_->rolling.impulse), bodies);
      Undo(before, rolls, bodies);
    }
    Scatter(bodies);
  }

  template <Pass pass>
  void Solve() {
    Bodies bodies = Gather();
    if (const LaneBits rolls = RollingLanes(); rolls != 0) SolveRolling(rolls, bodies);
    for (BlockPoint& point : blocks_->points) SolveFriction(point, bodies);
    const Motion motion = GatherMotion(bodies);
    for (BlockPoint& point : blocks_->points) SolveNormal<pass>(point, motion, bodies);
    Scatter(bodies);
  }

  void ApplyRestitution() {
    LaneBits may_bounce = 0;
    for (int i = 0; i < kBlocks; ++i) may_bounce |= blocks_[i].may_bounce;
    if (may_bounce == 0) return;
    Bodies bodies = Gather();
    for (BlockPoint& point : blocks_->points) {
      const Lanes zero(0.0f);
      const Lanes restitution = OfPoint(point.restitution);
      const Lanes approach = OfPoint(point.approach);
      const Mask stays = (restitution <= zero) |
                         (Lanes(-def_.solver.restitution_threshold) < approach) |
                         (OfPoint(point.largest_normal_impulse) <= zero);
      const LaneBits bounces = LanesWith(point) & ~stays.Bits();
      if (bounces == 0) continue;
      const Vec axis = OfPoint(point.normal.axis);
      const Lanes speed = SpeedAlong(point.normal, axis, bodies);
      ApplyNormal(point, axis, -OfPoint(point.normal.mass) * (speed + restitution * approach),
                  bounces, bodies);
    }
    Scatter(bodies);
  }

 private:
  using Lanes = Floats<N>;
  using Mask = typename Lanes::Mask;
  using Vec = WideVec<N>;

  struct Velocity {
    Vec linear, angular;
  };
  struct Bodies {
    Velocity a, b;
    Lanes moved_ax, moved_ay, moved_bx, moved_by;  // gathered with them
  };
  struct Motion {
    Vec moved;  // of b against a
    Vec turned_a, turned_b;
  };

  static constexpr LaneBits kAll = static_cast<LaneBits>((std::uint64_t{1} << N) - 1);

  // The velocities and the motion of a body are its first twelve floats.
  static_assert(offsetof(SolverBody, linear_velocity) == 0 &&
                offsetof(SolverBody, angular_velocity) == 12 && offsetof(SolverBody, moved) == 24 &&
                offsetof(SolverBody, turned) == 36);

  template <class T>
  static std::ptrdiff_t Between(const T* first, const T* second) {
    return reinterpret_cast<const char*>(second) - reinterpret_cast<const char*>(first);
  }
  // The same number in the second block.
  template <class T>
  static T& After(T& of_first, std::ptrdiff_t apart) {
    using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return *reinterpret_cast<T*>(reinterpret_cast<Byte*>(&of_first) + apart);
  }

  static Lanes Load(const BlockFloats& of_first, std::ptrdiff_t apart) {
    if constexpr (kBlocks == 1) {
      return Lanes::Load(of_first.data());
    } else {
      return Join(Floats<8>::Load(of_first.data()), Floats<8>::Load(After(of_first, apart).data()));
    }
  }
  static void Keep(Lanes lanes, BlockFloats& of_first, std::ptrdiff_t apart) {
    if constexpr (kBlocks == 1) {
      lanes.Store(of_first.data());
    } else {
      LowerHalf(lanes).Store(of_first.data());
      UpperHalf(lanes).Store(After(of_first, apart).data());
    }
  }
  Lanes OfPoint(const BlockFloats& of_first) const { return Load(of_first, next_point_); }
  Lanes OfBlock(const BlockFloats& of_first) const { return Load(of_first, next_block_); }
  void KeepOfPoint(Lanes lanes, BlockFloats& of_first) const { Keep(lanes, of_first, next_point_); }
  Vec OfPoint(const BlockVec& v) const { return {OfPoint(v.x), OfPoint(v.y), OfPoint(v.z)}; }
  Vec OfBlock(const BlockVec& v) const { return {OfBlock(v.x), OfBlock(v.y), OfBlock(v.z)}; }
  WideMat<N> OfBlock(const BlockMat& m) const { return {OfBlock(m.x), OfBlock(m.y), OfBlock(m.z)}; }

  // Lane i is that of block i / 8.
  template <class Of>
  static LaneBits JoinBits(Of of) {
    LaneBits bits = 0;
    for (int i = 0; i < kBlocks; ++i) bits |= of(i) << (i * kBlockLanes);
    return bits;
  }
  LaneBits LanesWith(const BlockPoint& point) const {
    return JoinBits([&](int i) { return (i == 0 ? point : After(point, next_point_)).has; });
  }
  LaneBits RollingLanes() const {
    return JoinBits([&](int i) { return blocks_[i].rolling.rolls; });
  }

  Columns<N> ColumnsOf(std::array<SolverBody*, kBlockLanes> ContactBlock::*side, int first) const {
    std::array<const float*, N> rows;
    for (int i = 0; i < N; ++i) rows[i] = RowOf(side, i) + first;
    return LoadColumns<N>(rows);
  }
  float* RowOf(std::array<SolverBody*, kBlockLanes> ContactBlock::*side, int lane) const {
    return reinterpret_cast<float*>((blocks_[lane / kBlockLanes].*side)[lane % kBlockLanes]);
  }

  Bodies Gather() const {
    const Columns<N> a0 = ColumnsOf(&ContactBlock::a, 0), a1 = ColumnsOf(&ContactBlock::a, 4);
    const Columns<N> b0 = ColumnsOf(&ContactBlock::b, 0), b1 = ColumnsOf(&ContactBlock::b, 4);
    return {{{a0[0], a0[1], a0[2]}, {a0[3], a1[0], a1[1]}},
            {{b0[0], b0[1], b0[2]}, {b0[3], b1[0], b1[1]}},
            a1[2],
            a1[3],
            b1[2],
            b1[3]};
  }
  Motion GatherMotion(const Bodies& bodies) const {
    const Columns<N> a2 = ColumnsOf(&ContactBlock::a, 8), b2 = ColumnsOf(&ContactBlock::b, 8);
    return {{bodies.moved_bx - bodies.moved_ax, bodies.moved_by - bodies.moved_ay, b2[0] - a2[0]},
            {a2[1], a2[2], a2[3]},
            {b2[1], b2[2], b2[3]}};
  }

  void Scatter(const Bodies& bodies) {
    ScatterSide(&ContactBlock::a, JoinBits([&](int i) { return blocks_[i].moves_a; }), bodies.a,
                bodies.moved_ax, bodies.moved_ay);
    ScatterSide(&ContactBlock::b, JoinBits([&](int i) { return blocks_[i].moves_b; }), bodies.b,
                bodies.moved_bx, bodies.moved_by);
  }
  // A body that does not move may be another thread's, too: its lane's result goes nowhere.
  void ScatterSide(std::array<SolverBody*, kBlockLanes> ContactBlock::*side, LaneBits moves,
                   const Velocity& v, Lanes moved_x, Lanes moved_y) {
    std::array<std::array<float, 8>, N> nowhere;
    std::array<float*, N> rows;
    for (int i = 0; i < N; ++i) rows[i] = moves >> i & 1 ? RowOf(side, i) : nowhere[i].data();
    StoreColumns<N>({v.linear.x, v.linear.y, v.linear.z, v.angular.x}, rows);
    for (float*& row : rows) row += 4;
    StoreColumns<N>({v.angular.y, v.angular.z, moved_x, moved_y}, rows);
  }

  Lanes SpeedAlong(const BlockRow& row, const Vec& axis, const Bodies& bodies) const {
    return Dot(axis, bodies.b.linear - bodies.a.linear) +
           (Dot(OfPoint(row.turn_b), bodies.b.angular) -
            Dot(OfPoint(row.turn_a), bodies.a.angular));
  }

  void ApplyRow(const BlockRow& row, const Vec& axis, Lanes impulse, Bodies& bodies) const {
    bodies.a.linear = bodies.a.linear - axis * (impulse * OfBlock(blocks_->inverse_mass_a));
    bodies.a.angular = bodies.a.angular - OfPoint(row.spin_a) * impulse;
    bodies.b.linear = bodies.b.linear + axis * (impulse * OfBlock(blocks_->inverse_mass_b));
    bodies.b.angular = bodies.b.angular + OfPoint(row.spin_b) * impulse;
  }
  void ApplyAngular(const Vec& impulse, Bodies& bodies) const {
    const BlockRolling& rolling = blocks_->rolling;
    bodies.a.angular = bodies.a.angular - OfBlock(rolling.inverse_inertia_a) * impulse;
    bodies.b.angular = bodies.b.angular + OfBlock(rolling.inverse_inertia_b) * impulse;
  }

  // What was before, in the lanes that take no part.
  static void Undo(const Bodies& before, LaneBits taking_part, Bodies& bodies) {
    if (taking_part == kAll) return;
    const Mask mask(taking_part);
    bodies.a.linear = Select(mask, bodies.a.linear, before.a.linear);
    bodies.a.angular = Select(mask, bodies.a.angular, before.a.angular);
    bodies.b.linear = Select(mask, bodies.b.linear, before.b.linear);
    bodies.b.angular = Select(mask, bodies.b.angular, before.b.angular);
  }
  // Keeps an impulse in the lanes that take part.
  void KeepImpulse(LaneBits taking_part, Lanes impulse, Lanes before, BlockFloats& to) const {
    KeepOfPoint(taking_part == kAll ? impulse : Select(Mask(taking_part), impulse, before), to);
  }

  static Lanes Scale(const Vec& v, Lanes limit) {
    const Lanes one(1.0f);
    const Lanes squared = Dot(v, v);
    const Mask is_longer = limit * limit < squared;
    Lanes scale = Select(is_longer, limit / Sqrt(Select(is_longer, squared, one)), one);
    const LaneBits in_range = (squared <= Lanes(std::numeric_limits<float>::max())).Bits();
    if (in_range == kAll) return scale;
    typename Lanes::Array scales = scale.ToArray();
    const typename Lanes::Array x = v.x.ToArray(), y = v.y.ToArray(), z = v.z.ToArray();
    const typename Lanes::Array limits = limit.ToArray();
    for (int i = 0; i < N; ++i) {
      if ((in_range >> i & 1) == 0) scales[i] = ScaleTo({x[i], y[i], z[i]}, limits[i]);
    }
    return Lanes(scales);
  }

  void SolveRolling(LaneBits rolls, Bodies& bodies) {
    BlockRolling& rolling = blocks_->rolling;
    Lanes pressed(0.0f);
    for (const BlockPoint& point : blocks_->points) {
      pressed = pressed + OfPoint(point.normal.impulse);
    }
    const Lanes limit = OfBlock(rolling.length) * pressed;
    const Vec spin = bodies.b.angular - bodies.a.angular;
    const Vec old = OfBlock(rolling.impulse);
    Vec sum = old - OfBlock(rolling.mass) * spin;
    const LaneBits taking_part = rolls & FiniteLanes(sum);
    const Vec zero{Lanes(0.0f), Lanes(0.0f), Lanes(0.0f)};
    sum = Select(Mask(taking_part), sum, zero);
    sum = sum * Scale(sum, limit);
    const Bodies before = bodies;
    ApplyAngular(sum - old, bodies);
    Undo(before, taking_part, bodies);
    sum = Select(Mask(taking_part), sum, old);
    Keep(sum.x, rolling.impulse.x, next_block_);
    Keep(sum.y, rolling.impulse.y, next_block_);
    Keep(sum.z, rolling.impulse.z, next_block_);
  }
  static LaneBits FiniteLanes(const Vec& v) {
    const Lanes most(std::numeric_limits<float>::max());
    LaneBits bits = kAll;
    for (const Lanes& lanes : {v.x, v.y, v.z}) {
      bits &= ((lanes <= most) & (-most <= lanes)).Bits();
    }
    return bits;
  }

  void SolveFriction(BlockPoint& point, Bodies& bodies) {
    BlockRow& first = point.tangent1;
    BlockRow& second = point.tangent2;
    const Vec axis1 = OfPoint(first.axis), axis2 = OfPoint(second.axis);
    const Lanes old1 = OfPoint(first.impulse), old2 = OfPoint(second.impulse);
    Lanes sum1 = Friction(first, axis1, old1, point.slide1, bodies);
    Lanes sum2 = Friction(second, axis2, old2, point.slide2, bodies);
    const Lanes limit = OfPoint(point.friction) * OfPoint(point.normal.impulse);
    const Lanes scale = Scale({sum1, sum2, Lanes(0.0f)}, limit);
    sum1 = sum1 * scale;
    sum2 = sum2 * scale;
    const LaneBits has = LanesWith(point);
    const Bodies before = bodies;
    ApplyRow(first, axis1, sum1 - old1, bodies);
    ApplyRow(second, axis2, sum2 - old2, bodies);
    Undo(before, has, bodies);
    KeepImpulse(has, sum1, old1, first.impulse);
    KeepImpulse(has, sum2, old2, second.impulse);
  }
  Lanes Friction(const BlockRow& row, const Vec& axis, Lanes old, const BlockFloats& slide,
                 const Bodies& bodies) const {
    const Lanes mass = OfPoint(row.mass);
    const Lanes most = mass * Lanes(kMostChange);
    const Lanes speed = SpeedAlong(row, axis, bodies) + OfPoint(slide);
    return Clamp(old - mass * speed, -most, most);
  }

  template <Pass pass>
  void SolveNormal(BlockPoint& point, const Motion& motion, Bodies& bodies) {
    const BlockRow& normal = point.normal;
    const Vec axis = OfPoint(normal.axis);
    const Lanes zero(0.0f), one(1.0f);
    const Lanes separation =
        OfPoint(point.separation) +
        (Dot(axis, motion.moved) + (Dot(OfPoint(normal.turn_b), motion.turned_b) -
                                    Dot(OfPoint(normal.turn_a), motion.turned_a)));
    const Mask is_gap = zero < separation;
    Lanes bias = zero, mass_scale = one, impulse_scale = zero;
    if constexpr (pass == Pass::kPushOut) {
      const Lanes depth = Min(zero, separation + Lanes(def_.solver.slop));
      bias = Max(Lanes(-def_.solver.max_push_speed), OfBlock(blocks_->bias_rate) * depth);
      mass_scale = Select(is_gap, one, OfBlock(blocks_->mass_scale));
      impulse_scale = Select(is_gap, zero, OfBlock(blocks_->impulse_scale));
    }
    bias = Select(is_gap, separation / Lanes(def_.h), bias);
    const Lanes speed = SpeedAlong(normal, axis, bodies);
    ApplyNormal(point, axis,
                -(OfPoint(normal.mass) * mass_scale) * (speed + bias) -
                    impulse_scale * OfPoint(normal.impulse),
                LanesWith(point), bodies);
  }

  void ApplyNormal(BlockPoint& point, const Vec& axis, Lanes change, LaneBits taking_part,
                   Bodies& bodies) {
    BlockRow& normal = point.normal;
    const Lanes old = OfPoint(normal.impulse);
    const Lanes most = OfPoint(normal.mass) * Lanes(kMostChange);
    const Lanes sum = Clamp(old + change, Lanes(0.0f), most);
    const Bodies before = bodies;
    ApplyRow(normal, axis, sum - old, bodies);
    Undo(before, taking_part, bodies);
    KeepImpulse(taking_part, sum, old, normal.impulse);
    const Lanes largest = OfPoint(point.largest_normal_impulse);
    KeepImpulse(taking_part, Max(sum, largest), largest, point.largest_normal_impulse);
  }

  ContactBlock* blocks_;
  const SubstepDef& def_;
  std::ptrdiff_t next_block_ = 0;  // bytes from a number of the first block to the second's
  std::ptrdiff_t next_point_ = 0;  // likewise of a point
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
