// WideBlocks<N>: N / 8 blocks of one colour as rows of N lanes: their numbers, and the velocities
// of their bodies.
//
// A number of two blocks is two rows of eight in memory, joined in a register. A body is one row
// of twelve floats, the first of SolverBody: the velocities and the motion of N bodies are gathered
// and scattered by transpositions (src/math/simd_rows.h).
//
// Thread safety: as the blocks. Test: tests/dynamics/wide_contacts_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_BLOCKS_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_BLOCKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "src/dynamics/contact_block.h"
#include "src/dynamics/wide_vec.h"
#include "src/math/simd.h"
#include "src/math/simd_rows.h"

namespace nowait {
inline namespace HWY_NAMESPACE {

template <int N>
struct WideVelocity {
  WideVec<N> linear, angular;
};

template <int N>
struct WideBodies {
  WideVelocity<N> a, b;
  Floats<N> moved_ax, moved_ay, moved_bx, moved_by;  // gathered with the velocities
};

// Gives the lanes that take no part their velocities of before.
template <int N>
void Undo(const WideBodies<N>& before, LaneBits taking_part, WideBodies<N>& bodies) {
  const typename Floats<N>::Mask mask(taking_part);
  bodies.a.linear = Select(mask, bodies.a.linear, before.a.linear);
  bodies.a.angular = Select(mask, bodies.a.angular, before.a.angular);
  bodies.b.linear = Select(mask, bodies.b.linear, before.b.linear);
  bodies.b.angular = Select(mask, bodies.b.angular, before.b.angular);
}

// Since the start of the step.
template <int N>
struct WideMotion {
  WideVec<N> moved;  // of b against a
  WideVec<N> turned_a, turned_b;
};

template <int N>
class WideBlocks {
 public:
  using Lanes = Floats<N>;
  using Vec = WideVec<N>;

  static constexpr int kBlocks = N / kBlockLanes;
  static constexpr LaneBits kAll = static_cast<LaneBits>((std::uint64_t{1} << N) - 1);

  // blocks: kBlocks of them, of one colour and with as many points.
  explicit WideBlocks(ContactBlock* blocks) : blocks_(blocks) {
    if constexpr (kBlocks == 2) {
      next_block_ = Between(&blocks[0], &blocks[1]);
      next_point_ = Between(blocks[0].points.data(), blocks[1].points.data());
    }
  }

  // The first block, and its points: each of its numbers stands for those of all blocks.
  ContactBlock& first() const { return *blocks_; }
  std::span<BlockPoint> points() const { return blocks_->points; }

  Lanes OfBlock(const BlockFloats& of_first) const { return Load(of_first, next_block_); }
  Vec OfBlock(const BlockVec& v) const { return {OfBlock(v.x), OfBlock(v.y), OfBlock(v.z)}; }
  WideMat<N> OfBlock(const BlockMat& m) const { return {OfBlock(m.x), OfBlock(m.y), OfBlock(m.z)}; }
  Lanes OfPoint(const BlockFloats& of_first) const { return Load(of_first, next_point_); }
  Vec OfPoint(const BlockVec& v) const { return {OfPoint(v.x), OfPoint(v.y), OfPoint(v.z)}; }

  void KeepOfBlock(const Vec& v, BlockVec& to) const {
    Keep(v.x, to.x, next_block_);
    Keep(v.y, to.y, next_block_);
    Keep(v.z, to.z, next_block_);
  }
  void KeepOfPoint(Lanes lanes, BlockFloats& to) const { Keep(lanes, to, next_point_); }
  void KeepOfPoint(const Vec& v, BlockVec& to) const {
    KeepOfPoint(v.x, to.x);
    KeepOfPoint(v.y, to.y);
    KeepOfPoint(v.z, to.z);
  }

  // Bits of all blocks. Lane i is that of block i / 8.
  LaneBits BitsOf(std::uint32_t ContactBlock::*bits) const {
    return JoinBits([&](int i) { return blocks_[i].*bits; });
  }
  LaneBits LanesWith(const BlockPoint& point) const {
    return JoinBits([&](int i) { return (i == 0 ? point : After(point, next_point_)).has; });
  }

  WideBodies<N> Gather() const {
    const Columns<N> a0 = ColumnsOf(&ContactBlock::a, 0), a1 = ColumnsOf(&ContactBlock::a, 4);
    const Columns<N> b0 = ColumnsOf(&ContactBlock::b, 0), b1 = ColumnsOf(&ContactBlock::b, 4);
    return {{{a0[0], a0[1], a0[2]}, {a0[3], a1[0], a1[1]}},
            {{b0[0], b0[1], b0[2]}, {b0[3], b1[0], b1[1]}},
            a1[2],
            a1[3],
            b1[2],
            b1[3]};
  }
  WideMotion<N> GatherMotion(const WideBodies<N>& bodies) const {
    const Columns<N> a2 = ColumnsOf(&ContactBlock::a, 8), b2 = ColumnsOf(&ContactBlock::b, 8);
    return {{bodies.moved_bx - bodies.moved_ax, bodies.moved_by - bodies.moved_ay, b2[0] - a2[0]},
            {a2[1], a2[2], a2[3]},
            {b2[1], b2[2], b2[3]}};
  }
  void Scatter(const WideBodies<N>& bodies) const {
    ScatterSide(&ContactBlock::a, BitsOf(&ContactBlock::moves_a), bodies.a, bodies.moved_ax,
                bodies.moved_ay);
    ScatterSide(&ContactBlock::b, BitsOf(&ContactBlock::moves_b), bodies.b, bodies.moved_bx,
                bodies.moved_by);
  }

 private:
  using Side = std::array<SolverBody*, kBlockLanes> ContactBlock::*;

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

  template <class Of>
  static LaneBits JoinBits(Of of) {
    LaneBits bits = 0;
    for (int i = 0; i < kBlocks; ++i) bits |= of(i) << (i * kBlockLanes);
    return bits;
  }

  float* RowOf(Side side, int lane) const {
    return reinterpret_cast<float*>((blocks_[lane / kBlockLanes].*side)[lane % kBlockLanes]);
  }
  Columns<N> ColumnsOf(Side side, int first) const {
    std::array<const float*, N> rows;
    for (int i = 0; i < N; ++i) rows[i] = RowOf(side, i) + first;
    return LoadColumns<N>(rows);
  }
  // A body that does not move may be another thread's, too: its lane's result goes nowhere.
  void ScatterSide(Side side, LaneBits moves, const WideVelocity<N>& v, Lanes moved_x,
                   Lanes moved_y) const {
    std::array<std::array<float, 8>, N> nowhere;
    std::array<float*, N> rows;
    for (int i = 0; i < N; ++i) rows[i] = moves >> i & 1 ? RowOf(side, i) : nowhere[i].data();
    StoreColumns<N>({v.linear.x, v.linear.y, v.linear.z, v.angular.x}, rows);
    for (float*& row : rows) row += 4;
    StoreColumns<N>({v.angular.y, v.angular.z, moved_x, moved_y}, rows);
  }

  ContactBlock* blocks_;
  std::ptrdiff_t next_block_ = 0;  // bytes from a number of the first block to the second's
  std::ptrdiff_t next_point_ = 0;  // likewise of a point
};

}  // namespace HWY_NAMESPACE
}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_BLOCKS_H_
