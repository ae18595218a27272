// TreeBuilder: builds a tree over bodies and subtrees that are still private to its thread.
//
// A loading thread uses it to build a batch, and the rebuild to build a whole tree, as in
// [rouwe2022].
//
// Thread safety: a builder belongs to one thread; several builders may use one storage at once.
// Progress: lock-free (it takes nodes from the shared pool).
//
// Invariants
//   1. Build writes only to nodes that it took itself. A builder whose nodes were not adopted
//      returns them when it ends, and nothing has changed. Pointing the items at their new parents
//      is a second step, Adopt, which cannot fail.
//   2. The nodes are written with relaxed stores: they are private until InsertAtRoot or Swap
//      publishes their root with a release.
//
// Source: [rouwe2022], "Quad tree - adding bodies". Lecture: conservative bounds and the quad tree.
#ifndef NOWAIT_SRC_BROADPHASE_BUILD_H_
#define NOWAIT_SRC_BROADPHASE_BUILD_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/broadphase/node_reserve.h"
#include "src/broadphase/split.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

template <class Sync, int Axes, int Fanout>
class TreeBuilder {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;
  using Item = TreeItem<Axes>;

  // nodes: empty, and empty again at the end; its memory is the caller's to keep for the next tree.
  // reserve: its nodes are used where the storage has no other; null: no reserve.
  TreeBuilder(Storage& storage, std::vector<std::uint32_t>& nodes,
              NodeReserve<Storage>* reserve = nullptr)
      : storage_(storage), reserve_(reserve), nodes_(nodes) {}
  // Returns the nodes of a tree that was not adopted.
  ~TreeBuilder() {
    for (const std::uint32_t index : nodes_) storage_.ReturnNode(index);
    nodes_.clear();
  }
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;

  // Builds a tree over `items` (at least one; reordered) and returns its root, which is the item
  // itself if there is only one. kCapacity "tree nodes".
  Result<Item> Build(std::span<Item> items) {
    if (items.size() == 1) return items[0];
    return BuildNode(items, MidpointLevels<Fanout>(items.size()));
  }

  // Returns a node with at most one child: a root must be a node. kCapacity "tree nodes".
  Result<Item> Wrap(std::span<const Item> child) {
    const Result<std::uint32_t> index = TakeNode();
    if (!index) return std::unexpected(index.error());
    Item root{child_id::OfNode(*index), 1, Bounds<Axes>::Empty()};
    if (!child.empty()) Put(root, 0, child[0]);
    return root;
  }

  // Stores `parent` as the root's parent, and every child's new location in the nodes that were
  // built. Called only while no other thread may change the bodies below.
  void Adopt(std::uint32_t root, std::uint32_t parent) {
    if (child_id::IsNode(root)) {
      storage_.node(root).parent.store(parent, std::memory_order::relaxed);
    }
    // Parents were taken before their children. This loop goes down from the root, and a body's
    // location is stored after all parents above it.
    for (std::uint32_t index : nodes_) {
      for (int slot = 0; slot < Fanout; ++slot) {
        const std::uint32_t id = storage_.node(index).child[slot].load(std::memory_order::relaxed);
        const std::uint32_t at = location::Of<Fanout>(index, slot);
        if (child_id::IsNode(id)) {
          storage_.node(id).parent.store(at, std::memory_order::relaxed);
        } else if (child_id::IsBody(id)) {
          // release: pairs with the acquire in LocationOf. A thread that asks whether the body is
          // in the tree climbs from here, and must see that the way up ends in a private root.
          storage_.leaf(child_id::Body(id)).location.store(at, std::memory_order::release);
        }
      }
    }
    nodes_.clear();
  }

 private:
  // Recursive: MaxBuildHeight bounds its depth.
  // midpoint_levels: how many levels from here on may be split in the middle.
  Result<Item> BuildNode(std::span<Item> items, std::uint32_t midpoint_levels) {
    const Result<std::uint32_t> index = TakeNode();
    if (!index) return std::unexpected(index.error());
    Item node{child_id::OfNode(*index), 1, Bounds<Axes>::Empty()};
    const auto groups = SplitAll<Axes, Fanout>(items, midpoint_levels == 0);
    const std::uint32_t levels_below = midpoint_levels == 0 ? 0 : midpoint_levels - 1;
    int slot = 0;
    for (std::span<Item> group : groups) {
      if (group.empty()) continue;
      Result<Item> child =
          group.size() == 1 ? Result<Item>(group[0]) : BuildNode(group, levels_below);
      if (!child) return child;
      Put(node, slot++, *child);
    }
    return node;
  }

  void Put(Item& parent, int slot, const Item& child) {
    auto& node = storage_.node(parent.child);
    node.child[slot].store(child.child, std::memory_order::relaxed);
    node.occupied.store(static_cast<std::uint32_t>(slot) + 1, std::memory_order::relaxed);
    node.SetBox(slot, child.box, std::memory_order::relaxed);
    parent.box.Include(child.box);
    parent.height = std::max<std::uint8_t>(parent.height, child.height + 1);
    node.height.set(parent.height);
  }

  Result<std::uint32_t> TakeNode() {
    nodes_.emplace_back();  // first: if memory for the index runs out, no node is taken
    Result<std::uint32_t> index = reserve_ == nullptr ? storage_.TakeNode() : reserve_->Take();
    if (index) {
      nodes_.back() = *index;
    } else {
      nodes_.pop_back();
    }
    return index;
  }

  Storage& storage_;
  NodeReserve<Storage>* const reserve_;
  std::vector<std::uint32_t>& nodes_;  // taken so far, until they are adopted
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_BUILD_H_
