// ContactOrder: the order in which a stage goes through an island's contacts.
//
//   most islands      sub-steps 0, 2, ...   colour 0, colour 1, ..., then those in no block
//                     sub-steps 1, 3, ...   the same backwards
//   slender islands   all sub-steps         first to last; in every other one the points of each
//                                           contact are solved from the last to the first
//
// A pass passes a load on along its own order at once, and against that order by one contact only.
// If all passes go the same way, the side that is solved last is right and the other one is not,
// and a pyramid is pushed to one side. Two passes in opposite orders favour no side of a pile, as
// in symmetric Gauss-Seidel. A step begins forwards: with an odd number of sub-steps one more goes
// forwards, with a single one all do.
//
// A tower is different: its height and not its width decides whether it stands. Its bodies have the
// order in which they were made, mostly from bottom to top, and a pass in that order carries a load
// through all of it. So in a slender island every pass goes that way, and it is the points of each
// contact, which lie on all sides of the tower, that are solved in turn. An island is slender if it
// has more contacts than twice the square of those that support it: n blocks on each other have one
// support, a planar pyramid of n layers has n and n * n contacts. Neither threads nor lanes decide.
//
// With four sub-steps, of 20 towers of 20 bodies in turn and slender: 9 and 20 of cylinders stand,
// 0 and 7 of flat ones, 17 and 19 of boxes, 6 and 3 of hulls (no more than chance); of 25 layers of
// crossed beams 0 and 17. With eight, flat cylinders lose: an island is slender only with at most
// four (src/world/solve_blocks.cc).
//
// Thread safety: pure functions.
//
// Source: the symmetric form of the iteration: Y. Saad, "Iterative Methods for Sparse Linear
// Systems", 2003, "Jacobi, Gauss-Seidel, and SOR". Test: tests/dynamics/contact_order_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_ORDER_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_ORDER_H_

#include <cstddef>
#include <cstdint>

namespace nowait {

enum class ContactOrder : std::uint8_t { kForwards, kBackwards };

// The order of an island's contacts, and that of the points of each contact.
struct PassOrder {
  ContactOrder contacts = ContactOrder::kForwards;
  ContactOrder points = ContactOrder::kForwards;
};

// contacts: of an island, not of sensors. supports: those with a body that contacts cannot move.
constexpr bool IsSlender(std::size_t contacts, std::size_t supports) {
  return supports > 0 && contacts > 2 * supports * supports;
}

constexpr PassOrder OrderOf(std::uint32_t substep, bool is_slender) {
  const ContactOrder in_turn =
      substep % 2 == 0 ? ContactOrder::kForwards : ContactOrder::kBackwards;
  if (is_slender) return {.contacts = ContactOrder::kForwards, .points = in_turn};
  return {.contacts = in_turn, .points = ContactOrder::kForwards};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_ORDER_H_
