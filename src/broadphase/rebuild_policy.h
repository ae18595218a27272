// RebuildPolicy: when the tree of a layer is built anew, and how much of it.
//
// A tree without changes is left alone, whatever its policy. For the cost and gain of each policy,
// see tests/bench/rebuild_bench.cc and the table in docs/benchmarks.md.
//
// Source: [rouwe2022], "Quad tree - rebuilding".
#ifndef NOWAIT_SRC_BROADPHASE_REBUILD_POLICY_H_
#define NOWAIT_SRC_BROADPHASE_REBUILD_POLICY_H_

#include <array>
#include <cstdint>

#include "src/bodies/layers.h"

namespace nowait {

enum class RebuildPolicy : std::uint8_t {
  // Rebuilds one tree with this policy in each update: the tree that changed most, counted twice
  // for each time that it was passed over. Unchanged subtrees are kept.
  kByTurns,
  // Rebuilds in each update in which the tree has changed, and keeps unchanged subtrees: right for
  // a layer that is queried often and changes little at a time.
  kKeepUnchanged,
  // Rebuilds down to the bodies in each update in which the tree has changed: the best tree, for a
  // layer whose bodies mostly move all the time.
  kWhole,
  // Refits the boxes tightly around the bodies (refit.h) in each update in which the tree has
  // changed. Every kUpdatesARebuild-th time it rebuilds the tree instead, and keeps unchanged
  // subtrees. The cheapest policy, for a layer whose bodies move little at a time.
  kRefit,
};
inline constexpr std::uint32_t kUpdatesARebuild = 16;

// The work of rebuilds.
struct RebuildStats {
  std::array<std::uint32_t, kMaxLayers> rebuilds{};  // by layer
  std::array<std::uint32_t, kMaxLayers> refits{};    // by layer
  std::uint64_t replaced_nodes = 0;                  // of the old trees
  std::uint64_t items = 0;                           // bodies and kept subtrees, distributed anew
  std::uint64_t refitted_nodes = 0;

  RebuildStats& operator+=(const RebuildStats& other) {
    for (std::size_t i = 0; i < kMaxLayers; ++i) {
      rebuilds[i] += other.rebuilds[i];
      refits[i] += other.refits[i];
    }
    replaced_nodes += other.replaced_nodes;
    items += other.items;
    refitted_nodes += other.refitted_nodes;
    return *this;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REBUILD_POLICY_H_
