// ProxyId: a body's name inside the broad phase, in 31 bits.
//
// The quad tree reads and writes the occupant of a slot of a node as one 32-bit word, whose top bit
// distinguishes a body from a node (src/broadphase/child_id.h). The rest is this id: the slot of
// the body in its storage, and the low bits of its generation.
//
//   bit 31 | 30 ......... 21 | 20 ............ 0
//      0   |   generation    |       slot          at most 2,097,151 bodies
//
// Ten bits of a generation repeat: after 1,024 reuses of its slot, a proxy that a query has read
// may name a later body. That does no harm. A query looks at the body under its lock, takes the
// 64-bit id from there (body_id.h), and asks the body itself whether it is where the query
// searches.
//
// Source: [rouwe2022] (a bit of the child index distinguishes body from node); the name is Box2D's.
// Lecture: body locks and what a query promises.
#ifndef NOWAIT_SRC_BODIES_PROXY_ID_H_
#define NOWAIT_SRC_BODIES_PROXY_ID_H_

#include <cstdint>

namespace nowait {

class ProxyId {
 public:
  static constexpr std::uint32_t kSlotBits = 21;
  static constexpr std::uint32_t kGenerationBits = 10;
  static constexpr std::uint32_t kMaxBodies = (1u << kSlotBits) - 1;  // the last slot: no body
  static constexpr std::uint32_t kGenerations = 1u << kGenerationBits;

  // No body.
  constexpr ProxyId() = default;

  // slot: below kMaxBodies. generation: taken modulo kGenerations.
  constexpr ProxyId(std::uint32_t slot, std::uint32_t generation)
      : bits_((generation % kGenerations) << kSlotBits | slot) {}

  static constexpr ProxyId FromBits(std::uint32_t bits) {
    ProxyId id;
    id.bits_ = bits;
    return id;
  }

  constexpr std::uint32_t bits() const { return bits_; }
  constexpr std::uint32_t slot() const { return bits_ & kMaxBodies; }
  constexpr std::uint32_t generation() const { return bits_ >> kSlotBits; }
  constexpr bool valid() const { return bits_ != kNone; }

  friend constexpr bool operator==(ProxyId, ProxyId) = default;
  // By slot first, as bodies are ordered.
  friend constexpr bool operator<(ProxyId a, ProxyId b) {
    return a.slot() != b.slot() ? a.slot() < b.slot() : a.bits_ < b.bits_;
  }

 private:
  static constexpr std::uint32_t kNone = 0x7fff'ffff;

  std::uint32_t bits_ = kNone;
};

static_assert(sizeof(ProxyId) == 4);

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_PROXY_ID_H_
