// PrepareWide<N>: tangents, masses, kept impulses within their limits, and speeds of approach, from
// the numbers that were packed. As Prepare in contact_constraint.cc, operation by operation.
//
// Thread safety: as the blocks. Test: tests/dynamics/wide_contacts_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_PREPARE_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_PREPARE_H_

#include "src/dynamics/contact_block.h"
#include "src/dynamics/wide_blocks.h"
#include "src/dynamics/wide_row.h"
#include "src/dynamics/wide_vec.h"

namespace nowait {
inline namespace HWY_NAMESPACE {

// As TangentsOf's first.
template <int N>
WideVec<N> TangentOf(const WideVec<N>& n) {
  using Lanes = Floats<N>;
  const Lanes zero(0.0f), one(1.0f);
  const WideVec<N> size{CopySign(n.x, one), CopySign(n.y, one), CopySign(n.z, one)};
  const auto is_x = (size.x <= size.y) & (size.x <= size.z);
  const auto is_y = size.y <= size.z;  // if not x
  const WideVec<N> axis{Select(is_x, one, zero), Select(is_x, zero, Select(is_y, one, zero)),
                        Select(is_x, zero, Select(is_y, zero, one))};
  const WideVec<N> across = Cross(n, axis);
  const Lanes length = Sqrt(Dot(across, across));
  const auto is_long = Lanes(1e-12f) < length;
  return Select(is_long, across * (one / Select(is_long, length, one)), axis);
}

template <int N>
void PrepareWide(const WideBlocks<N>& blocks) {
  const WideBodies<N> bodies = blocks.Gather();
  const WideVec<N> surface = blocks.OfBlock(blocks.first().surface_velocity);
  for (BlockPoint& point : blocks.points()) {
    const WideVec<N> normal = blocks.OfPoint(point.normal);
    const WideVec<N> tangent = TangentOf<N>(normal);
    const WideVec<N> arm_a = blocks.OfPoint(point.arm_a), arm_b = blocks.OfPoint(point.arm_b);
    const WideRow<N> along = RowAlong<N>(normal, arm_a, arm_b);
    const WideRow<N> first = RowAlong<N>(tangent, arm_a, arm_b);
    const WideRow<N> second = RowAlong<N>(Cross(normal, tangent), arm_a, arm_b);
    blocks.KeepOfPoint(tangent, point.tangent);
    const Floats<N> mass = MassOf(along, blocks);
    blocks.KeepOfPoint(mass, point.normal_mass);
    blocks.KeepOfPoint(WithinMost(blocks.OfPoint(point.normal_impulse), mass),
                       point.normal_impulse);
    const WideVec<N> kept = blocks.OfPoint(point.kept_friction);
    const auto tangential = [&](const WideRow<N>& row, BlockFloats& to_mass,
                                BlockFloats& to_impulse, BlockFloats& to_slide) {
      const Floats<N> mass = MassOf(row, blocks);
      blocks.KeepOfPoint(mass, to_mass);
      blocks.KeepOfPoint(WithinMost(Dot(kept, row.axis), mass), to_impulse);
      blocks.KeepOfPoint(Dot(row.axis, surface) + Floats<N>(0.0f), to_slide);
    };
    tangential(first, point.tangent1_mass, point.tangent1_impulse, point.slide1);
    tangential(second, point.tangent2_mass, point.tangent2_impulse, point.slide2);
    blocks.KeepOfPoint(Speed(along, bodies), point.approach);
    blocks.KeepOfPoint(Floats<N>(0.0f), point.largest_normal_impulse);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_PREPARE_H_
