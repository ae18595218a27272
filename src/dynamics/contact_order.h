// ContactOrder: the order in which a stage goes through an island's contacts.
//
//   sub-steps 0, 2, ...   colour 0, colour 1, ..., then those in no block, first to last
//   sub-steps 1, 3, ...   those in no block, last to first, then ..., colour 1, colour 0
//
// A pass passes a load on along its own order at once, and against that order by one contact only.
// If all passes go the same way, the side that is solved last is right and the other one is not,
// and a pyramid is pushed to one side. Two passes in opposite orders favour no side of a pile, as
// in symmetric Gauss-Seidel. The points of a contact keep their order in both. A step begins
// forwards: with an odd number of sub-steps one more goes forwards, with a single one all do.
//
// Its price: every other pass goes against the load of a tower whose bodies were made from bottom
// to top. A slender one wanders more before it rests, and may not fall asleep.
//
// Within a colour the order changes no result, so blocks of a colour stay in theirs.
//
// Thread safety: pure functions. O(blocks).
//
// Source: the symmetric form of the iteration: Y. Saad, "Iterative Methods for Sparse Linear
// Systems", 2003, "Jacobi, Gauss-Seidel, and SOR". Test: tests/dynamics/contact_order_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_ORDER_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_ORDER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/dynamics/contact_block.h"

namespace nowait {

enum class ContactOrder : std::uint8_t { kForwards, kBackwards };

constexpr ContactOrder OrderOf(std::uint32_t substep) {
  return substep % 2 == 0 ? ContactOrder::kForwards : ContactOrder::kBackwards;
}

// Takes the blocks of the colour that is next out of `blocks`, in which those of a colour are
// neighbours. blocks: not empty.
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

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_ORDER_H_
