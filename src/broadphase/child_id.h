// ChildId and Location: the two kinds of 32-bit references inside a quad tree.
//
// A child id names the occupant of a node's slot: nothing, a body, or another node. A location
// names the place of a child: a node and one of its slots. Each is packed into one word, because
// threads read it while others change it, and a word is always read whole.
//
//   child id   bit 31 set: a body, the ProxyId's bits below      bit 31 clear: the index of a node
//   location   node * Fanout + slot; climbing therefore needs no search for the slot
//
// Source: [rouwe2022], "Quad tree - node" (ChildNodeIndex refers to node or body) and "Moving body"
// (a body stores its node index and child index). Lecture: conservative bounds and the quad tree.
#ifndef NOWAIT_SRC_BROADPHASE_CHILD_ID_H_
#define NOWAIT_SRC_BROADPHASE_CHILD_ID_H_

#include <cstdint>

#include "src/bodies/proxy_id.h"

namespace nowait {

namespace child_id {

inline constexpr std::uint32_t kBodyBit = 1u << 31;

// Nothing. OfBody yields these bits for the ProxyId that means no body: there is no second rule.
inline constexpr std::uint32_t kNone = kBodyBit | ProxyId().bits();

constexpr std::uint32_t OfNode(std::uint32_t node) { return node; }
constexpr std::uint32_t OfBody(ProxyId body) { return kBodyBit | body.bits(); }

constexpr bool IsBody(std::uint32_t id) { return (id & kBodyBit) != 0 && id != kNone; }
constexpr bool IsNode(std::uint32_t id) { return (id & kBodyBit) == 0; }
constexpr ProxyId Body(std::uint32_t id) { return ProxyId::FromBits(id & ~kBodyBit); }

}  // namespace child_id

namespace location {

// No location: a body that is not in the tree, or the root.
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};
// The root of a subtree that is still private to the thread that prepared it.
inline constexpr std::uint32_t kUnlinked = kNone - 1;

template <int Fanout>
constexpr std::uint32_t Of(std::uint32_t node, int slot) {
  return node * Fanout + static_cast<std::uint32_t>(slot);
}
template <int Fanout>
constexpr std::uint32_t Node(std::uint32_t location) {
  return location / Fanout;
}
template <int Fanout>
constexpr int Slot(std::uint32_t location) {
  return static_cast<int>(location % Fanout);
}

// The largest number of nodes of a tree: no location then equals one of the special values above.
template <int Fanout>
inline constexpr std::uint32_t kMaxNodes = kUnlinked / Fanout;

}  // namespace location
}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_CHILD_ID_H_
