// Rebuilding: a new tree beside the old one, built from the changed parts and whole unchanged
// subtrees.
//
// Boxes only widen and inserts only add to the root, so the tree gets worse with every change.
// While no thread changes it (the physics update, phase kCollide) it is built anew:
//
//   Collect   walk down through changed nodes; take bodies with their true boxes, and unchanged
//             nodes whole, with everything below them
//   Build     the same splitter as for batches, over these items
//   Swap      store the new root; the old tree's changed nodes wait for their readers (Retire)
//
// Thread safety: one thread at a time, and no thread inserts, moves or removes between Collect and
// Swap. Queries run throughout: Collect and Build write nothing that a query reads. (Adopt writes
// parents and locations, which queries never look at.)
//
// Source: [rouwe2022], "Quad tree - rebuilding". Model: models/broadphase/swap. Lecture:
// rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_BROADPHASE_REBUILD_H_
#define NOWAIT_SRC_BROADPHASE_REBUILD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/broadphase/build.h"
#include "src/broadphase/node_reserve.h"
#include "src/broadphase/split.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// Twice the height of a full tree: the splitter stays well below it in ordinary scenes.
template <int Fanout>
constexpr std::uint32_t KeptHeight(std::size_t bodies) {
  return 2 * FullHeight<Fanout>(bodies) + 2;
}

// The parts that a rebuild carries over unchanged.
enum class Keep : std::uint8_t {
  kUnchanged,  // whole subtrees without any change
  kNothing,    // only bodies: a costlier rebuild but a better tree, if most bodies have moved
};

// The work of a rebuild; all zero if nothing had changed.
struct RebuiltTree {
  std::size_t replaced_nodes = 0;
  std::size_t items = 0;  // bodies and kept subtrees over which the new tree was built
};

template <class Sync, int Axes, int Fanout>
class TreeRebuild {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;

  explicit TreeRebuild(Storage& storage)
      : storage_(storage), kept_height_(KeptHeight<Fanout>(storage.max_bodies())) {}

  // Collects the parts below `root` that a rebuild would replace, and returns the number of nodes:
  // 0, whatever `keep` says, if nothing has changed.
  std::size_t Collect(std::uint32_t root, Keep keep = Keep::kUnchanged) {
    items_.clear();
    replaced_.clear();
    if (IsKept(storage_.node(root))) return 0;
    replaced_.push_back(root);
    for (std::size_t next = 0; next < replaced_.size(); ++next) {
      // relaxed, here and below: no thread changes the tree now, and the phase came after every
      // change.
      for (const auto& child : storage_.node(replaced_[next]).child) {
        const std::uint32_t id = child.load(std::memory_order::relaxed);
        if (child_id::IsBody(id)) {
          items_.push_back({id, 0, storage_.leaf(child_id::Body(id)).box.get()});
        } else if (child_id::IsNode(id)) {
          const auto& node = storage_.node(id);
          if (keep == Keep::kUnchanged && IsKept(node)) {
            items_.push_back({id, node.height.get(), node.BoxOfAll()});
          } else {
            replaced_.push_back(id);
          }
        }
      }
    }
    return replaced_.size();
  }

  // Builds the new tree over the items of Collect and returns its root; the old tree stays as it
  // is. reserve: as TreeBuilder has it. kCapacity "tree nodes"; after an error nothing has changed.
  Result<std::uint32_t> Build(NodeReserve<Storage>* reserve) {
    TreeBuilder<Sync, Axes, Fanout> builder(storage_, built_, reserve);
    Result<TreeItem<Axes>> root = std::unexpected(Error{});
    if (items_.empty()) {
      root = builder.Wrap({});
    } else {
      root = builder.Build(items_);
      if (root && child_id::IsBody(root->child)) root = builder.Wrap({&*root, 1});
    }
    if (!root) return std::unexpected(root.error());
    storage_.node(root->child).Open();
    builder.Adopt(root->child, location::kNone);
    return root->child;
  }

  // The number of bodies and kept subtrees that Collect found.
  std::size_t items() const { return items_.size(); }
  // The nodes of the old tree that are not part of the new one.
  const std::vector<std::uint32_t>& replaced() const { return replaced_; }

 private:
  using Node = typename Storage::Node;

  bool IsKept(const Node& node) const {
    return !node.changed.load(std::memory_order::relaxed) && node.height.get() <= kept_height_;
  }

  Storage& storage_;
  const std::uint32_t kept_height_;
  std::vector<TreeItem<Axes>> items_;  // members, so that a rebuild per frame allocates nothing
  std::vector<std::uint32_t> replaced_;
  std::vector<std::uint32_t> built_;
};

// Implementation: why this is right
//
// Invariants
//   1. Every body is in the new tree exactly once: below a node that was taken whole, or as an
//      item. Nodes that removals have emptied are changed, and therefore not carried over.
//   2. A subtree that is taken whole belongs to the old and to the new tree at once. From the swap
//      on, movers widen it through the new tree. A reader of the old tree sees those wider boxes or
//      the earlier ones, and either keeps the promise of query.h.
//   3. Depth stays bounded however often parts are carried over. An unchanged node is taken whole
//      only up to a height of KeptHeight; above that it is opened, and its children are taken. The
//      new tree is at most MaxBuildHeight(items) + KeptHeight(bodies) deep.
//
// Invariant 3 needs a rule of its own, since [rouwe2022] stops at unchanged nodes. A root that got
// three bodies, was rebuilt, got three more and so on would keep each earlier root whole below the
// next: a list that no rebuild repairs.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REBUILD_H_
