// MeshTree: the bounding-volume tree of a triangle mesh, with four children a node and boxes in
// sixteen bits.
//
// The box of the whole mesh is divided into 65,534 steps along each axis, and a child's box is
// rounded outwards to whole steps. A node is one cache line: the boxes of four children, axis by
// axis, and where each of them is. A leaf is a range of at most kLeafSize triangles; so the
// triangles of a mesh stand in the order of the leaves, and no list of numbers is kept.
//
// Building cuts a range in two where the surface-area heuristic finds the cut cheapest, and cuts
// both halves again. Each half has an eighth of the triangles at least, which bounds the depth.
//
// Thread safety: immutable after Build; any thread. No allocation in a walk.
// Complexity: of Build, n log n; of a walk, the nodes whose boxes it accepts.
// Determinism: the tree and the order of each walk depend on the arguments alone.
// Source: [ericson2005], section 6.5 (quantised boxes); I. Wald, "On fast Construction of SAH-based
// Bounding Volume Hierarchies", 2007 (bins); four children: H. Dammertz et al., "Shallow Bounding
// Volume Hierarchies for Fast SIMD Ray Tracing of Incoherent Rays", 2008.
#ifndef NOWAIT_SRC_COLLISION_MESH_TREE_H_
#define NOWAIT_SRC_COLLISION_MESH_TREE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/collision/shared_array.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

// Where a child is: another node, a range of triangles, or nowhere.
class MeshChild {
 public:
  static constexpr std::uint32_t kLeafSize = 8;

  MeshChild() = default;  // any: a walk's list of them is not cleared
  static constexpr MeshChild Node(std::uint32_t node) { return MeshChild(node); }
  // count: 1 .. kLeafSize.
  static constexpr MeshChild Leaf(std::uint32_t first, std::uint32_t count) {
    return MeshChild(kLeaf | (count - 1) << kFirstBits | first);
  }

  constexpr bool is_leaf() const { return (word_ & kLeaf) != 0; }
  constexpr std::uint32_t node() const { return word_; }
  constexpr std::uint32_t first() const { return word_ & ((1u << kFirstBits) - 1); }
  constexpr std::uint32_t count() const { return ((word_ & ~kLeaf) >> kFirstBits) + 1; }

 private:
  static constexpr std::uint32_t kLeaf = 1u << 31, kFirstBits = 28;
  explicit constexpr MeshChild(std::uint32_t word) : word_(word) {}

  std::uint32_t word_;
};

// The children's boxes, in steps. A child that is not there has a box that is inside out.
struct alignas(16) MeshNode {
  static constexpr std::size_t kChildren = 4;

  std::array<std::array<std::uint16_t, kChildren>, 3> min;  // by axis, then by child
  std::array<std::array<std::uint16_t, kChildren>, 3> max;
  std::array<MeshChild, kChildren> children;
};
static_assert(sizeof(MeshNode) == 64);

class MeshTree {
 public:
  // A range of n triangles becomes at most 7/8 n with each cut, and a node makes two cuts on each
  // way down: 2^21 triangles have fewer than 50 levels. A walk keeps at most three children a
  // level.
  static constexpr std::uint32_t kMaxTriangles = 1u << 21;
  static constexpr std::uint32_t kMaxLevels = 50;
  static constexpr std::size_t kMaxKept = 160;
  static_assert(kMaxKept > 3 * kMaxLevels);

  MeshTree() = default;
  // boxes: of the triangles, 1 .. kMaxTriangles; at its end their order in the leaves is `order`.
  static MeshTree Build(std::span<const Bounds<3>> boxes, std::vector<std::uint32_t>& order);

  const Bounds<3>& bounds() const { return bounds_; }
  std::span<const MeshNode> nodes() const { return nodes_.all(); }

  // From places to steps and back, along an axis. A box in steps encloses the box that was given.
  Vec3 low() const { return MinOf(bounds_); }
  Vec3 step() const { return step_; }
  Bounds<3> ChildBounds(const MeshNode& node, std::size_t child) const;
  // Makes it the box of a child of the node.
  void Quantise(const Bounds<3>& box, MeshNode& node, std::size_t child) const;

  // Calls visit(first, count) for each leaf whose box overlaps `box`.
  template <class Visit>
  void VisitLeaves(const Bounds<3>& box, Visit visit) const;

  // Branch and bound: bound(box) is what nothing in the box is below. Calls visit(first, count),
  // which returns the least so far, for the leaves with a bound below that, the lowest of each node
  // first. limit: the least before the first call.
  template <class Bound, class Visit>
  void VisitLowest(float limit, Bound bound, Visit visit) const;

 private:
  friend class MeshTreeBuilder;
  template <class BoxOf>
  friend class MeshTreeReader;

  explicit MeshTree(const Bounds<3>& bounds);

  Bounds<3> bounds_;
  Vec3 step_;
  SharedArray<MeshNode> nodes_;
};

// The children that a walk has still to look at, each with a bound.
class KeptChildren {
 public:
  struct Entry {
    float bound;
    MeshChild child;
  };

  bool empty() const { return count_ == 0; }
  Entry Pop() { return entries_[--count_]; }
  // Adds up to four, so that the lowest is popped first; of equals the one that was found first.
  void PushSorted(std::span<Entry> found) {
    for (std::size_t i = 1; i < found.size(); ++i) {
      const Entry entry = found[i];
      std::size_t at = i;
      for (; at > 0 && !(found[at - 1].bound > entry.bound); --at) found[at] = found[at - 1];
      found[at] = entry;
    }
    for (const Entry& entry : found) Push(entry);
  }
  void Push(const Entry& entry) {
    NOWAIT_ASSERT(count_ < entries_.size(), "the depth of a tree is bounded");
    entries_[count_++] = entry;
  }

 private:
  std::size_t count_ = 0;
  std::array<Entry, MeshTree::kMaxKept> entries_;
};

template <class Visit>
void MeshTree::VisitLeaves(const Bounds<3>& box, Visit visit) const {
  if (!Overlaps(box, bounds_)) return;
  // In steps, outwards; the one step more covers rounding. A box begins below the last step, and a
  // child that is not there at it.
  std::array<std::uint16_t, 3> low, high;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float step = step_[static_cast<int>(axis)];
    const auto to_steps = [&](float place, float more) {
      const float steps = (place - bounds_.min[axis]) / step + more;
      return static_cast<std::uint16_t>(std::clamp(steps, 0.0f, 65534.0f));
    };
    low[axis] = to_steps(box.min[axis], -1.0f);
    high[axis] = to_steps(box.max[axis], 2.0f);
  }
  KeptChildren kept;
  kept.Push({0.0f, MeshChild::Node(0)});
  while (!kept.empty()) {
    const MeshChild child = kept.Pop().child;
    if (child.is_leaf()) {
      visit(child.first(), child.count());
      continue;
    }
    const MeshNode& node = nodes_[child.node()];
    std::array<bool, MeshNode::kChildren> meets;
    meets.fill(true);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t c = 0; c < MeshNode::kChildren; ++c) {
        meets[c] &= node.min[axis][c] <= high[axis];
        meets[c] &= node.max[axis][c] >= low[axis];
      }
    }
    for (std::size_t c = MeshNode::kChildren; c-- > 0;) {
      if (meets[c]) kept.Push({0.0f, node.children[c]});
    }
  }
}

template <class Bound, class Visit>
void MeshTree::VisitLowest(float limit, Bound bound, Visit visit) const {
  KeptChildren kept;
  kept.Push({bound(bounds_), MeshChild::Node(0)});
  while (!kept.empty()) {
    const KeptChildren::Entry entry = kept.Pop();
    if (!(entry.bound < limit)) continue;
    if (entry.child.is_leaf()) {
      limit = visit(entry.child.first(), entry.child.count());
      continue;
    }
    const MeshNode& node = nodes_[entry.child.node()];
    std::array<KeptChildren::Entry, MeshNode::kChildren> found;
    std::size_t count = 0;
    for (std::size_t c = 0; c < MeshNode::kChildren; ++c) {
      if (node.min[0][c] > node.max[0][c]) continue;
      const float least = bound(ChildBounds(node, c));
      if (least < limit) found[count++] = {least, node.children[c]};
    }
    kept.PushSorted(std::span(found).first(count));
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_TREE_H_
