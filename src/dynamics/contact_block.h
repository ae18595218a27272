// ContactBlock: eight contacts that share no body that moves, side by side.
//
// Each number of a contact is a row of eight, a lane for each contact, so that one instruction
// works on eight contacts (wide_contacts.h). A block has as many points as its contact with the
// most; `has` says which lanes have a point. A block with fewer than eight contacts has lanes of
// padding: without points, between bodies that nothing moves, with zeros for numbers.
//
// The passes of a step read blocks from memory again and again, which takes longer than to
// calculate. So a point has its arms, from which each pass makes the Jacobians anew: a ContactBlock
// is a third of the ContactConstraints that it stands for.
//
// A change of zero turns a velocity of minus zero into zero. Bodies that constraints cannot move
// have no velocity of minus zero, and so keep theirs whether or not such a change is written.
//
// Thread safety: the caller owns the block, its points and its bodies; bodies that constraints
// cannot move may be shared, because they are only read.
//
// Source: E. Catto, "SIMD Matters", 2024. Lecture: the wide solver by colours.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_BLOCK_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_BLOCK_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/dynamics/contact.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/contact_order.h"
#include "src/dynamics/solver_body.h"

namespace nowait {

inline constexpr int kBlockLanes = 8;
inline constexpr std::uint32_t kAllBlockLanes = (1u << kBlockLanes) - 1;

// A number of each contact.
struct alignas(32) BlockFloats : std::array<float, kBlockLanes> {};

struct BlockVec {
  BlockFloats x, y, z;
};

struct BlockMat {
  BlockVec x, y, z;  // the columns
};

// As PointConstraint. The second tangent is the cross product of the normal and the first.
struct BlockPoint {
  BlockVec normal, tangent, arm_a, arm_b;
  BlockFloats separation, friction;
  BlockFloats normal_mass, tangent1_mass, tangent2_mass;
  BlockFloats normal_impulse, tangent1_impulse, tangent2_impulse;
  std::uint32_t has;  // bit i: of lane i

  BlockVec kept_friction;      // the impulse of the last step, in the world
  BlockFloats slide1, slide2;  // only of a block that slides
  BlockFloats restitution, approach, largest_normal_impulse;
};

struct BlockRolling {
  BlockFloats length;
  BlockMat mass;
  BlockVec impulse;
};

struct ContactBlock {
  std::array<SolverBody*, kBlockLanes> a, b;
  std::uint32_t moves_a, moves_b;  // bit i: contacts move that body of lane i
  std::uint32_t rolls;             // bit i: lane i has a rolling resistance
  std::uint32_t may_bounce;        // bit i: lane i has restitution
  std::uint32_t slides;            // bit i: lane i has a surface velocity
  std::uint32_t colour;            // blocks of one colour share no body that moves
  std::span<BlockPoint> points;
  BlockFloats inverse_mass_a, inverse_mass_b;
  BlockMat inverse_inertia_a, inverse_inertia_b;
  BlockFloats bias_rate, mass_scale, impulse_scale;  // as Softness
  BlockRolling rolling;
  BlockVec surface_velocity;
};

// Puts the contact into the lane: the numbers from which Prepare (wide_contacts.h) makes the rest.
// Arguments as of Prepare of a ContactConstraint. The contact has at most as many points as the
// block.
void Pack(const Contact& contact, std::span<const ContactPoint> now, Vec3 centre_a, Vec3 centre_b,
          SolverBody& a, SolverBody& b, const SubstepDef& def, int lane, ContactBlock& block);

// Makes the lane one of padding.
void PackNothing(int lane, ContactBlock& block);

// Keeps the impulses of the lane's contact for the next step, as Store of a ContactConstraint.
void Store(const ContactBlock& block, int lane, Contact& contact);

// Takes the blocks of the colour that is next out of `blocks`, in which those of a colour are
// neighbours. Within a colour the order changes no result, so its blocks stay in theirs.
// blocks: not empty. O(blocks of the colour).
inline std::span<ContactBlock> TakeColour(std::span<ContactBlock>& blocks, ContactOrder order) {
  const bool forwards = order == ContactOrder::kForwards;
  const std::uint32_t colour = (forwards ? blocks.front() : blocks.back()).colour;
  const auto is_other = [colour](const ContactBlock& block) { return block.colour != colour; };
  if (forwards) {
    const auto end = std::ranges::find_if(blocks, is_other);
    const auto count = static_cast<std::size_t>(end - blocks.begin());
    const std::span<ContactBlock> taken = blocks.first(count);
    blocks = blocks.subspan(count);
    return taken;
  }
  const auto begin = std::find_if(blocks.rbegin(), blocks.rend(), is_other);
  const auto count = static_cast<std::size_t>(begin - blocks.rbegin());
  const std::span<ContactBlock> taken = blocks.last(count);
  blocks = blocks.first(blocks.size() - count);
  return taken;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_BLOCK_H_
