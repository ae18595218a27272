// WideRow<N>: the rows of N contacts, as Row, made from arms.
//
// Thread safety: values.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_ROW_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_ROW_H_

#include "src/dynamics/contact_block.h"
#include "src/dynamics/row.h"
#include "src/dynamics/wide_blocks.h"
#include "src/dynamics/wide_vec.h"

namespace nowait {
inline namespace HWY_NAMESPACE {

template <int N>
struct WideRow {
  WideVec<N> axis, turn_a, turn_b;
};

// As MakeLinearRow.
template <int N>
WideRow<N> RowAlong(const WideVec<N>& axis, const WideVec<N>& arm_a, const WideVec<N>& arm_b) {
  return {axis, Cross(arm_a, axis), Cross(arm_b, axis)};
}

template <int N>
Floats<N> Speed(const WideRow<N>& row, const WideBodies<N>& bodies) {
  return Dot(row.axis, bodies.b.linear - bodies.a.linear) +
         (Dot(row.turn_b, bodies.b.angular) - Dot(row.turn_a, bodies.a.angular));
}

// How far b has moved away from a along the row since the start of the step.
template <int N>
Floats<N> Distance(const WideRow<N>& row, const WideMotion<N>& motion) {
  return Dot(row.axis, motion.moved) +
         (Dot(row.turn_b, motion.turned_b) - Dot(row.turn_a, motion.turned_a));
}

template <int N>
void Apply(const WideRow<N>& row, Floats<N> impulse, const WideBlocks<N>& blocks,
           WideBodies<N>& bodies) {
  const ContactBlock& first = blocks.first();
  const WideVec<N> spin_a = blocks.OfBlock(first.inverse_inertia_a) * row.turn_a;
  const WideVec<N> spin_b = blocks.OfBlock(first.inverse_inertia_b) * row.turn_b;
  const Floats<N> mass_a = blocks.OfBlock(first.inverse_mass_a);
  const Floats<N> mass_b = blocks.OfBlock(first.inverse_mass_b);
  bodies.a.linear = bodies.a.linear - row.axis * (impulse * mass_a);
  bodies.a.angular = bodies.a.angular - spin_a * impulse;
  bodies.b.linear = bodies.b.linear + row.axis * (impulse * mass_b);
  bodies.b.angular = bodies.b.angular + spin_b * impulse;
}

template <int N>
void ApplyAngularImpulse(const WideVec<N>& impulse, const WideBlocks<N>& blocks,
                         WideBodies<N>& bodies) {
  const ContactBlock& first = blocks.first();
  bodies.a.angular = bodies.a.angular - blocks.OfBlock(first.inverse_inertia_a) * impulse;
  bodies.b.angular = bodies.b.angular + blocks.OfBlock(first.inverse_inertia_b) * impulse;
}

// The impulse that changes the relative velocity by one, as Row::mass.
template <int N>
Floats<N> MassOf(const WideRow<N>& row, const WideBlocks<N>& blocks) {
  const Floats<N> zero(0.0f), one(1.0f);
  const ContactBlock& first = blocks.first();
  const WideVec<N> spin_a = blocks.OfBlock(first.inverse_inertia_a) * row.turn_a;
  const WideVec<N> spin_b = blocks.OfBlock(first.inverse_inertia_b) * row.turn_b;
  const Floats<N> linear =
      blocks.OfBlock(first.inverse_mass_a) + blocks.OfBlock(first.inverse_mass_b);
  const Floats<N> angular = Max(zero, Dot(row.turn_a, spin_a) + Dot(row.turn_b, spin_b));
  const Floats<N> k = linear + angular;
  const auto moves = zero < k;
  return Select(moves, one / Select(moves, k, one), zero);
}

// As std::clamp, with NaN in the same places.
template <class Lanes>
Lanes Clamp(Lanes value, Lanes low, Lanes high) {
  return Min(high, Max(low, value));
}

// As WithinMost of a row with this mass.
template <class Lanes>
Lanes WithinMost(Lanes impulse, Lanes mass) {
  const Lanes most = mass * Lanes(kMostChange);
  return Clamp(impulse, -most, most);
}

}  // namespace HWY_NAMESPACE
}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_ROW_H_
