// RebuildPolicy: when the tree of a layer is built anew, and how much of it.
//
// A tree in which nothing has changed is never rebuilt, whatever its policy. What the others cost
// and give: tests/bench/rebuild_bench.cc, and the table in README.
//
// Source: the talk, "Quad tree - rebuilding".
#ifndef NOWAIT_SRC_BROADPHASE_REBUILD_POLICY_H_
#define NOWAIT_SRC_BROADPHASE_REBUILD_POLICY_H_

#include <array>
#include <cstdint>

#include "src/bodies/layers.h"

namespace nowait {

enum class RebuildPolicy : std::uint8_t {
  // One tree of this policy in each update: the one that changed most, counted twice for each time
  // that it was passed over. Subtrees that have not changed are kept.
  kByTurns,
  // In each update in which it has changed. Subtrees that have not changed are kept: right for a
  // layer that is queried much and of which little changes at a time.
  kKeepUnchanged,
  // In each update in which it has changed, down to its bodies: the best tree, for a layer of which
  // most moves all the time.
  kWhole,
};

// What rebuilds did.
struct RebuildStats {
  std::array<std::uint32_t, kMaxLayers> rebuilds{};  // by layer
  std::uint64_t replaced_nodes = 0;                  // of the old trees
  std::uint64_t items = 0;                           // bodies and kept subtrees that were dealt anew

  RebuildStats& operator+=(const RebuildStats& other) {
    for (std::size_t i = 0; i < kMaxLayers; ++i) rebuilds[i] += other.rebuilds[i];
    replaced_nodes += other.replaced_nodes;
    items += other.items;
    return *this;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REBUILD_POLICY_H_
