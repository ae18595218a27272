// BodyId: names a body without pointing to it, for as long as anyone keeps the name.
//
// 64 bits: the number of the body's world, its slot in that world's storage, and the generation of
// the slot, which rises whenever the slot is given to another body. A handle that has outlived its
// body, or that belongs to another world, is therefore noticed and does not name another body.
//
//   63 ............. 32 | 31 ...... 21 | 20 ............ 0
//        generation     |    world     |       slot          at most 2,097,151 bodies a world
//
// Bounds. A generation repeats after 2^32 reuses of one slot: after seven weeks at a thousand
// reuses per second. A world's number is reused after 2,046 other worlds (world_number.h).
//
// The tree keeps 32 bits of this (proxy_id.h).
//
// Source: handles with generations: [cbloom2011]; a world in the handle: Box2D v3.
// Lecture: body locks and what a query promises.
#ifndef NOWAIT_SRC_BODIES_BODY_ID_H_
#define NOWAIT_SRC_BODIES_BODY_ID_H_

#include <cstdint>

#include "src/bodies/proxy_id.h"

namespace nowait {

class BodyId {
 public:
  static constexpr std::uint32_t kSlotBits = ProxyId::kSlotBits;
  static constexpr std::uint32_t kWorldBits = 32 - kSlotBits;
  static constexpr std::uint32_t kMaxBodies = ProxyId::kMaxBodies;
  static constexpr std::uint32_t kMaxWorlds = (1u << kWorldBits) - 1;  // worlds are numbered from 1

  // No body.
  constexpr BodyId() = default;

  // world: at most kMaxWorlds; 0 for a storage that belongs to no world. slot: below kMaxBodies.
  constexpr BodyId(std::uint32_t world, std::uint32_t slot, std::uint32_t generation)
      : bits_(std::uint64_t{generation} << 32 | world << kSlotBits | slot) {}

  static constexpr BodyId FromBits(std::uint64_t bits) {
    BodyId id;
    id.bits_ = bits;
    return id;
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr std::uint32_t slot() const { return static_cast<std::uint32_t>(bits_) & kMaxBodies; }
  constexpr std::uint32_t world() const { return static_cast<std::uint32_t>(bits_) >> kSlotBits; }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  constexpr bool valid() const { return slot() != kMaxBodies; }

  // The body's name in the tree.
  constexpr ProxyId proxy() const { return valid() ? ProxyId(slot(), generation()) : ProxyId(); }

  friend constexpr bool operator==(BodyId, BodyId) = default;
  // By slot first, which is the order in which states are hashed and contacts are sorted.
  friend constexpr bool operator<(BodyId a, BodyId b) {
    return a.slot() != b.slot() ? a.slot() < b.slot() : a.bits_ < b.bits_;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::uint64_t bits_ = kNone;
};

static_assert(sizeof(BodyId) == 8);

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_ID_H_
