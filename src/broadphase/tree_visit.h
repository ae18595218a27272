// VisitNodes: the nodes of a quad tree from the root downwards, up to a number of them.
//
//   const std::size_t left_out = VisitNodes(storage, tree.Root(), 1000, [&](const auto& visited) {
//     Draw(visited.level, visited.node.BoxOfAll());
//   });
//
// Each level is visited completely before the next one, so nodes left out lie below those visited.
// Nothing is written, no lock is held and no pin is taken.
//
// Thread safety: only while no thread inserts, moves, removes or swaps; queries may continue.
// Complexity: linear in the nodes that are visited, in time and in memory.
#ifndef NOWAIT_SRC_BROADPHASE_TREE_VISIT_H_
#define NOWAIT_SRC_BROADPHASE_TREE_VISIT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/broadphase/tree_storage.h"

namespace nowait {

template <class Node>
struct VisitedNode {
  std::uint32_t index;   // in the storage
  std::uint32_t level;   // 0: the root
  std::uint32_t bodies;  // in its slots
  bool changed;          // in it or below it, since it was built
  const Node& node;
};

// Calls f(VisitedNode) for at most `limit` nodes. Returns the number of further known nodes: the
// children of the visited nodes. The nodes below these are not counted.
template <class Sync, int Axes, int Fanout, class F>
std::size_t VisitNodes(const TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t root,
                       std::size_t limit, F&& f) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes = {{root, 0}};  // and their levels
  std::size_t next = 0;
  for (; next < nodes.size() && next < limit; ++next) {
    const auto [index, level] = nodes[next];
    const auto& node = storage.node(index);
    std::uint32_t bodies = 0;
    // relaxed, here and below: no thread changes the tree now, and this phase came after every
    // change.
    for (const auto& child : node.child) {
      const std::uint32_t id = child.load(std::memory_order::relaxed);
      if (child_id::IsNode(id)) nodes.push_back({id, level + 1});
      if (child_id::IsBody(id)) ++bodies;
    }
    const bool changed = node.changed.load(std::memory_order::relaxed);
    f(VisitedNode<typename TreeStorage<Sync, Axes, Fanout>::Node>{index, level, bodies, changed,
                                                                  node});
  }
  return nodes.size() - next;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TREE_VISIT_H_
