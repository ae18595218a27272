// BodyId: names a body without pointing to it.
//
// 31 bits: the slot of the body in its storage, and the generation of that slot, which rises when
// the slot is given to another body. A handle that outlived its body is then noticed instead of
// naming a stranger. Bit 31 is always clear: the quad tree's child ids use it to tell a body from a
// node (src/broadphase), so that a leaf holds the whole id and a query can return it.
//
//   bit 31 | 30 ......... 21 | 20 ............ 0
//      0   |   generation    |       slot          at most 2,097,151 bodies; 1,024 generations
//
// A slot that has been given away 1,024 times repeats itself; storage reuses the slot that has been
// free the longest, to put that off.
//
// Source: the talk (a bit of the child index tells body from node); handles: cbloom, "A game
// threading model". Lecture: body locks and what a query promises.
#ifndef NOWAIT_SRC_BODIES_BODY_ID_H_
#define NOWAIT_SRC_BODIES_BODY_ID_H_

#include <cstdint>

namespace nowait {

class BodyId {
 public:
  static constexpr std::uint32_t kSlotBits = 21;
  static constexpr std::uint32_t kGenerationBits = 10;
  static constexpr std::uint32_t kMaxBodies = (1u << kSlotBits) - 1;  // the last slot is "none"
  static constexpr std::uint32_t kGenerations = 1u << kGenerationBits;

  // No body.
  constexpr BodyId() = default;

  // slot: below kMaxBodies. generation: taken modulo kGenerations.
  constexpr BodyId(std::uint32_t slot, std::uint32_t generation)
      : bits_((generation % kGenerations) << kSlotBits | slot) {}

  static constexpr BodyId FromBits(std::uint32_t bits) {
    BodyId id;
    id.bits_ = bits;
    return id;
  }

  constexpr std::uint32_t bits() const { return bits_; }
  constexpr std::uint32_t slot() const { return bits_ & kMaxBodies; }
  constexpr std::uint32_t generation() const { return bits_ >> kSlotBits; }
  constexpr bool valid() const { return bits_ != kNone; }

  friend constexpr bool operator==(BodyId, BodyId) = default;
  // By slot first: the order in which states are hashed and contacts are sorted.
  friend constexpr bool operator<(BodyId a, BodyId b) {
    return a.slot() != b.slot() ? a.slot() < b.slot() : a.bits_ < b.bits_;
  }

 private:
  static constexpr std::uint32_t kNone = 0x7fff'ffff;

  std::uint32_t bits_ = kNone;
};

static_assert(sizeof(BodyId) == 4);

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_ID_H_
