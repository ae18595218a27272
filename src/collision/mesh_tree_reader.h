// MeshTreeReader: a tree from outside, which is used if a build could have made it.
//
//   const auto box_of = [&](std::uint32_t item) { return boxes[item]; };
//   auto tree = MeshTreeReader(nodes, count, box_of, kMeshTreeNames).Read();
//   if (!tree) return std::unexpected(tree.error());
//
// A build numbers nodes and items in the order in which a walk meets them, and rounds each box from
// those below it. So it is checked that each walk ends, that each item is in one leaf, and that
// each box is the one that a build makes.
//
// Thread safety: one thread. Errors: kCorrupt by the names that the caller gives, with the place in
// the list or its length. Complexity: linear in nodes and items.
// Test: tests/collision/shape_blobs_test.cc, compound_blob_test.cc.
#ifndef NOWAIT_SRC_COLLISION_MESH_TREE_READER_H_
#define NOWAIT_SRC_COLLISION_MESH_TREE_READER_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "src/base/result.h"
#include "src/collision/mesh_tree.h"
#include "src/collision/shared_array.h"
#include "src/math/bounds.h"

namespace nowait {

// The names of a tree's parts in errors.
struct MeshTreeNames {
  const char* node;
  const char* nodes;
  const char* item;
};

template <class BoxOf>
class MeshTreeReader {
 public:
  // items: how many there are, 1 .. MeshTree::kMaxTriangles. box_of(item): its box.
  MeshTreeReader(SharedArray<MeshNode> nodes, std::uint32_t items, BoxOf box_of,
                 const MeshTreeNames& names)
      : nodes_(std::move(nodes)), items_(items), box_of_(std::move(box_of)), names_(names) {}

  Result<MeshTree> Read() {
    if (nodes_.empty()) return Wrong(names_.nodes, 0, "there is no tree");
    Bounds<3> bounds = Bounds<3>::Empty();
    for (std::uint32_t item = 0; item < items_; ++item) bounds.Include(box_of_(item));
    tree_ = MeshTree(bounds);
    if (Result<Bounds<3>> all = CheckNode(0, 1); !all) return std::unexpected(all.error());
    if (next_node_ != nodes_.size()) return Wrong(names_.nodes, nodes_.size(), "too many");
    if (next_item_ != items_) return Wrong(names_.item, next_item_, "is in no leaf");
    tree_.nodes_ = std::move(nodes_);
    return std::move(tree_);
  }

 private:
  static std::unexpected<Error> Wrong(const char* subject, std::size_t place, const char* why) {
    return Fail(ErrorCode::kCorrupt, subject, static_cast<std::int64_t>(place), why);
  }

  static bool IsThere(const MeshNode& node, std::size_t child) {
    return node.min[0][child] <= node.max[0][child];
  }

  // Returns the box of the node's items. No node is below itself: nodes are met in their order.
  Result<Bounds<3>> CheckNode(std::uint32_t number, std::uint32_t level) {
    next_node_ = number + 1;
    const MeshNode& node = nodes_[number];
    Bounds<3> all = Bounds<3>::Empty();
    MeshNode made{};
    std::size_t count = 0;
    for (; count < MeshNode::kChildren && IsThere(node, count); ++count) {
      const Result<Bounds<3>> box = CheckChild(number, count, level);
      if (!box) return box;
      tree_.Quantise(*box, made, count);
      all.Include(*box);
    }
    if (count == 0) return Wrong(names_.node, number, "has no child");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t c = count; c < MeshNode::kChildren; ++c) {
        made.min[axis][c] = std::numeric_limits<std::uint16_t>::max();
      }
    }
    if (node.min != made.min || node.max != made.max) {
      return Wrong(names_.node, number, "has another box than its children");
    }
    return all;
  }

  Result<Bounds<3>> CheckChild(std::uint32_t number, std::size_t c, std::uint32_t level) {
    const MeshChild child = nodes_[number].children[c];
    if (!child.is_leaf()) {
      if (child.node() != next_node_ || child.node() >= nodes_.size()) {
        return Wrong(names_.node, number, "a child is not the next node");
      }
      if (level == MeshTree::kMaxLevels) return Wrong(names_.node, number, "lies too deep");
      return CheckNode(child.node(), level + 1);
    }
    const std::uint32_t first = child.first(), count = child.count();
    if (first != next_item_ || count > MeshChild::kLeafSize || count > items_ - first) {
      return Wrong(names_.node, number, "a leaf does not have the next items");
    }
    next_item_ += count;
    Bounds<3> box = Bounds<3>::Empty();
    for (std::uint32_t item = first; item < first + count; ++item) box.Include(box_of_(item));
    return box;
  }

  SharedArray<MeshNode> nodes_;
  const std::uint32_t items_;
  const BoxOf box_of_;
  const MeshTreeNames names_;
  MeshTree tree_;
  std::uint32_t next_node_ = 0, next_item_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_TREE_READER_H_
