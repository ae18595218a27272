// TreeStats: the size and shape of a quad tree, by a walk through it.
//
// Thread safety: while no thread inserts, moves or removes; a reader's pin is not needed then.
#ifndef NOWAIT_SRC_BROADPHASE_TREE_STATS_H_
#define NOWAIT_SRC_BROADPHASE_TREE_STATS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/broadphase/tree_storage.h"

namespace nowait {

struct TreeStats {
  std::uint32_t nodes = 0;
  std::uint32_t changed_nodes = 0;
  std::uint32_t bodies = 0;
  std::uint32_t depth = 0;  // nodes on the longest way from the root to a slot
};

template <class Sync, int Axes, int Fanout>
TreeStats StatsOf(const TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t root) {
  TreeStats stats;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes = {{root, 1}};
  while (!nodes.empty()) {
    const auto [index, depth] = nodes.back();
    nodes.pop_back();
    ++stats.nodes;
    stats.depth = std::max(stats.depth, depth);
    const auto& node = storage.node(index);
    if (node.changed.load(std::memory_order::relaxed)) ++stats.changed_nodes;
    for (const auto& child : node.child) {
      const std::uint32_t id = child.load(std::memory_order::relaxed);
      if (child_id::IsNode(id)) nodes.push_back({id, depth + 1});
      if (child_id::IsBody(id)) ++stats.bodies;
    }
  }
  return stats;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TREE_STATS_H_
