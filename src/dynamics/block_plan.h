// BlockPlan: the order in which an island's contacts are solved, and the blocks that they fill.
//
//   colour 0   8 8 8 8 8 5     contacts with more points first: a block has as many points
//   colour 1   8 8 8 3         as its first contact
//   ...
//   rest       one after the other
//
// The order is a function of the contacts alone (src/islands/contact_colours.h). Within a colour it
// changes no result, because no body is there twice.
//
// Its price: in the order of pairs, one pass carries a load through a whole stack whose bodies were
// made from bottom to top; in the order of colours, through few of its contacts. So a slender
// island (contact_order.h) with fewer than 512 contacts and at most four sub-steps has no blocks.
//
// Thread safety: one thread. O(contacts); keeps its arrays between calls. Test:
// tests/dynamics/block_plan_test.cc.
// Lecture: the wide solver by colours.
#ifndef NOWAIT_SRC_DYNAMICS_BLOCK_PLAN_H_
#define NOWAIT_SRC_DYNAMICS_BLOCK_PLAN_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/islands/contact_colours.h"

namespace nowait {

struct PlannedBlock {
  std::uint32_t first;  // of its contacts, in the order
  std::uint32_t contacts;
  std::uint32_t points;  // the most that one of them has
  std::uint32_t colour;
};

class BlockPlan {
 public:
  // points: of the contacts that the colours were assigned to, 0 .. Manifold::kMaxPoints each.
  void Make(const ContactColours& colours, std::span<const std::uint8_t> points);

  // All positions in Assign's contacts: those in blocks, then the rest.
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const PlannedBlock> blocks() const { return blocks_; }
  // How many contacts are in blocks.
  std::uint32_t in_blocks() const { return in_blocks_; }

 private:
  void AddColour(std::span<const std::uint32_t> contacts, std::span<const std::uint8_t> points,
                 std::uint32_t colour);

  std::vector<std::uint32_t> order_;
  std::vector<PlannedBlock> blocks_;
  std::uint32_t in_blocks_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_BLOCK_PLAN_H_
