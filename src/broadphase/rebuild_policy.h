// RebuildPolicy: when the tree of a layer is built anew, and how much of it.
//
// A tree in which nothing has changed is left alone, whatever its policy. What each costs and gives:
// tests/bench/rebuild_bench.cc, and the table in docs/benchmarks.md.
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
  // In each update in which it has changed, its boxes are made tight where its bodies hang (refit.h), and
  // every kUpdatesARebuild-th time it is rebuilt, with what has not changed kept: the cheapest, for a
  // layer whose bodies move little at a time.
  kRefit,
};
inline constexpr std::uint32_t kUpdatesARebuild = 16;

// What rebuilds did.
struct RebuildStats {
  std::array<std::uint32_t, kMaxLayers> rebuilds{};  // by layer
  std::array<std::uint32_t, kMaxLayers> refits{};    // by layer
  std::uint64_t replaced_nodes = 0;                  // of the old trees
  std::uint64_t items = 0;                           // bodies and kept subtrees that were dealt anew
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
