// TreeStats: the size and shape of a quad tree, by a walk through it.
//
// Thread safety: only while no thread inserts, moves or removes; a reader's pin is then not needed.
#ifndef NOWAIT_SRC_BROADPHASE_TREE_STATS_H_
#define NOWAIT_SRC_BROADPHASE_TREE_STATS_H_

#include <algorithm>
#include <cstdint>

#include "src/broadphase/tree_storage.h"
#include "src/broadphase/tree_visit.h"

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
  VisitNodes(storage, root, storage.max_nodes(), [&](const auto& visited) {
    ++stats.nodes;
    stats.depth = std::max(stats.depth, visited.level + 1);
    if (visited.changed) ++stats.changed_nodes;
    stats.bodies += visited.bodies;
  });
  return stats;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TREE_STATS_H_
