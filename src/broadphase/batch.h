// TreeBatch: a subtree of new bodies that only its owner knows yet.
//
// Thread safety: a batch belongs to one thread at a time. Its bodies must not be moved or removed
// before its Finalise has returned or QuadTree::Has has reported them in the tree. A widening
// inside the private subtree could not reach the root, and the subtree would be linked with the box
// from before the move (asserted in ForEachAncestor).
//
// A batch holds a spare node beside its subtree, in case Finalise needs a new root: Finalise runs
// on a game thread and cannot fail. A batch that is destroyed without Finalise returns everything.
//
// Source: [rouwe2022], "Quad tree - adding bodies" (a subtree is built on the loading thread).
// Lecture: inserting at the root and removing.
#ifndef NOWAIT_SRC_BROADPHASE_BATCH_H_
#define NOWAIT_SRC_BROADPHASE_BATCH_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/broadphase/build.h"
#include "src/broadphase/insert.h"
#include "src/broadphase/move.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// A body to insert and its box.
template <int Axes>
struct TreeEntry {
  ProxyId id;
  Bounds<Axes> box;
};

// kInvalidArgument "bounds", or kCapacity "bodies" for an id without a leaf in the storage.
template <class Sync, int Axes, int Fanout>
Result<void> CheckEntry(const TreeStorage<Sync, Axes, Fanout>& storage, ProxyId id,
                        const Bounds<Axes>& box) {
  if (id.slot() >= storage.max_bodies()) {
    return Fail(ErrorCode::kCapacity, "bodies", storage.max_bodies());
  }
  if (!box.IsUsable()) return Fail(ErrorCode::kInvalidArgument, "bounds");
  return {};
}

template <class Sync, int Axes, int Fanout>
class TreeBatch {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;
  using Entry = TreeEntry<Axes>;
  using AtomicId = typename Sync::template atomic<std::uint32_t>;

  // Builds the subtree. No body may be in a tree or in another batch, or twice in this one. Errors
  // are those of CheckEntry, and kCapacity "tree nodes"; after an error nothing has changed.
  static Result<TreeBatch> Prepare(Storage& storage, std::span<const Entry> entries) {
    std::vector<TreeItem<Axes>> items;
    items.reserve(entries.size());
    for (const Entry& entry : entries) {
      if (auto checked = CheckEntry(storage, entry.id, entry.box); !checked) {
        return std::unexpected(checked.error());
      }
      NOWAIT_ASSERT(LocationOf(storage, entry.id) == location::kNone,
                    "the body is in a tree or a batch already");
      items.push_back({child_id::OfBody(entry.id), 0, entry.box});
    }
    TreeBatch batch(storage);
    if (items.empty()) return batch;
    const Result<std::uint32_t> spare = storage.TakeNode();
    if (!spare) return std::unexpected(spare.error());
    batch.spare_ = *spare;
    std::vector<std::uint32_t> nodes;
    TreeBuilder<Sync, Axes, Fanout> builder(storage, nodes);
    const Result<TreeItem<Axes>> root = builder.Build(items);
    if (!root) return std::unexpected(root.error());
    for (const Entry& entry : entries) storage.leaf(entry.id).box.set(entry.box);
    builder.Adopt(root->child, location::kUnlinked);
    // No node records that a single body is in a batch.
    if (child_id::IsBody(root->child)) batch.SetLocation(root->child, location::kUnlinked);
    batch.root_ = *root;
    return batch;
  }

  TreeBatch(TreeBatch&& other) noexcept
      : storage_(other.storage_),
        root_(std::exchange(other.root_, kNothing)),
        spare_(std::exchange(other.spare_, kNoNode)) {}
  TreeBatch& operator=(TreeBatch&& other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(root_, other.root_);
    std::swap(spare_, other.spare_);
    return *this;
  }
  ~TreeBatch() { Discard(); }

  // Links the subtree into a tree of the same storage. Lock-free; O(roots since the last update).
  // Three children of the root need one new root.
  void LinkInto(AtomicId& root) {
    if (root_.child == child_id::kNone) return;
    const TreeItem<Axes> item = std::exchange(root_, kNothing);
    const std::uint32_t spare = std::exchange(spare_, kNoNode);
    // With a spare at hand, this cannot fail.
    static_cast<void>(InsertAtRoot(*storage_, root, item.child, item.box, spare));
  }

 private:
  static constexpr TreeItem<Axes> kNothing{child_id::kNone, 0, Bounds<Axes>::Empty()};
  static constexpr std::uint32_t kNoNode = IndexPool<Sync>::kNone;

  explicit TreeBatch(Storage& storage) : storage_(&storage) {}

  // Returns the nodes and clears the bodies' locations. relaxed, here and below: all of it is still
  // private, and neither location leads anywhere.
  void Discard() {
    if (spare_ != kNoNode) storage_->ReturnNode(std::exchange(spare_, kNoNode));
    const std::uint32_t root = std::exchange(root_, kNothing).child;
    if (child_id::IsNode(root)) DiscardNode(root);
    if (child_id::IsBody(root)) SetLocation(root, location::kNone);
  }
  // Recursive, like TreeBuilder, and without allocation: a batch may be returned because memory has
  // run out.
  void DiscardNode(std::uint32_t index) {
    for (const auto& child : storage_->node(index).child) {
      const std::uint32_t id = child.load(std::memory_order::relaxed);
      if (child_id::IsNode(id)) DiscardNode(id);
      if (child_id::IsBody(id)) SetLocation(id, location::kNone);
    }
    storage_->ReturnNode(index);
  }
  void SetLocation(std::uint32_t body, std::uint32_t at) {
    storage_->leaf(child_id::Body(body)).location.store(at, std::memory_order::relaxed);
  }

  Storage* storage_;
  TreeItem<Axes> root_ = kNothing;
  std::uint32_t spare_ = kNoNode;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_BATCH_H_
