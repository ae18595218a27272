#include "src/collision/mesh_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace nowait {
namespace {

constexpr int kBins = 16;
constexpr float kSteps = 65535.0f;
constexpr float kFlatStep = 1e-6f;  // the least step, as a part of the mesh's diagonal

// Steps by which a box is widened before it is rounded outwards: more than what rounding makes of
// the division, of the way back and of a ray in steps.
constexpr float kRounding = 0.1f;

// Half the surface of a box; of one that is inside out, nothing.
float HalfSurface(const Bounds<3>& box) {
  const float x = box.Extent(0), y = box.Extent(1), z = box.Extent(2);
  return x < 0.0f ? 0.0f : (x * y + y * z) + z * x;
}

}  // namespace

class MeshTreeBuilder {
 public:
  MeshTreeBuilder(std::span<const Bounds<3>> boxes, std::vector<std::uint32_t>& order,
                  MeshTree& tree)
      : boxes_(boxes), order_(order), tree_(tree) {}

  void Build() {
    order_.resize(boxes_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    const Range all{0, static_cast<std::uint32_t>(order_.size())};
    tree_ = MeshTree(BoundsOf(all));
    nodes_.emplace_back();
    Fill(0, all);
    nodes_.shrink_to_fit();
    tree_.nodes_ = SharedArray<MeshNode>(std::move(nodes_));
  }

 private:
  struct Range {
    std::uint32_t begin, end;
    std::uint32_t size() const { return end - begin; }
  };

  Bounds<3> BoundsOf(const Range& range) const {
    Bounds<3> box = Bounds<3>::Empty();
    for (std::uint32_t i = range.begin; i < range.end; ++i) box.Include(boxes_[order_[i]]);
    return box;
  }

  // Fills the node with the range cut in up to four. The node's children follow it, the whole of
  // one child before the next.
  void Fill(std::uint32_t node, const Range& range) {
    std::array<Range, MeshNode::kChildren> parts;
    std::size_t count = 0;
    const auto halve = [this](const Range& whole, auto visit) {
      if (whole.size() <= MeshChild::kLeafSize) return visit(whole);
      const std::uint32_t middle = Cut(whole);
      visit(Range{whole.begin, middle});
      visit(Range{middle, whole.end});
    };
    halve(range, [&](const Range& half) {
      halve(half, [&](const Range& quarter) { parts[count++] = quarter; });
    });
    MeshNode made{};
    for (std::size_t c = 0; c < MeshNode::kChildren; ++c) {
      if (c < count) {
        tree_.Quantise(BoundsOf(parts[c]), made, c);
      } else {
        for (std::size_t axis = 0; axis < 3; ++axis) made.min[axis][c] = 0xffff;
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (parts[c].size() <= MeshChild::kLeafSize) {
        // By their numbers, so that the order depends on the cuts alone.
        std::sort(order_.begin() + parts[c].begin, order_.begin() + parts[c].end);
        made.children[c] = MeshChild::Leaf(parts[c].begin, parts[c].size());
        continue;
      }
      const auto child = static_cast<std::uint32_t>(nodes_.size());
      made.children[c] = MeshChild::Node(child);
      nodes_.emplace_back();
      Fill(child, parts[c]);
    }
    nodes_[node] = made;
  }

  // Reorders the range, which has at least two triangles, and returns where its second half begins.
  std::uint32_t Cut(const Range& range) {
    Bounds<3> centres = Bounds<3>::Empty();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const Vec3 centre = CentreOf(order_[i]);
      centres.Include(ToBounds(centre, centre));
    }
    int axis = 0;
    for (int other = 1; other < 3; ++other) {
      if (centres.Extent(other) > centres.Extent(axis)) axis = other;
    }
    const float extent = centres.Extent(axis);
    if (extent > 0.0f) {
      const float low = centres.min[static_cast<std::size_t>(axis)];
      const auto bin_of = [&](std::uint32_t triangle) {
        const float part = (CentreOf(triangle)[axis] - low) / extent;  // no extent is too small
        return std::min(static_cast<int>(part * kBins), kBins - 1);
      };
      const int bin = CheapestCut(range, bin_of);
      const auto middle = std::partition(order_.begin() + range.begin, order_.begin() + range.end,
                                         [&](std::uint32_t i) { return bin_of(i) < bin; });
      const auto at = static_cast<std::uint32_t>(middle - order_.begin());
      const std::uint32_t least = std::max(range.size() / 8, 1u);
      if (at - range.begin >= least && range.end - at >= least) return at;
    }
    // In the middle, by the centres; of equals by their numbers, so that the order is one.
    const std::uint32_t at = range.begin + range.size() / 2;
    std::nth_element(order_.begin() + range.begin, order_.begin() + at, order_.begin() + range.end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const float of_a = CentreOf(a)[axis], of_b = CentreOf(b)[axis];
                       return of_a != of_b ? of_a < of_b : a < b;
                     });
    return at;
  }

  // The bin before which the cut has the least surface times triangles on both sides.
  template <class BinOf>
  int CheapestCut(const Range& range, BinOf bin_of) const {
    struct Bin {
      Bounds<3> box = Bounds<3>::Empty();
      std::uint32_t count = 0;

      void Include(const Bin& other) {
        box.Include(other.box);
        count += other.count;
      }
      float Cost() const { return HalfSurface(box) * static_cast<float>(count); }
    };
    std::array<Bin, kBins> bins;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      bins[static_cast<std::size_t>(bin_of(order_[i]))].Include({boxes_[order_[i]], 1});
    }
    std::array<float, kBins> above;
    Bin sum;
    for (std::size_t i = kBins; i-- > 0;) {
      sum.Include(bins[i]);
      above[i] = sum.Cost();
    }
    sum = {};
    int best = kBins / 2;
    float least = std::numeric_limits<float>::max();
    for (std::size_t i = 1; i < kBins; ++i) {
      sum.Include(bins[i - 1]);
      const float cost = sum.Cost() + above[i];
      if (cost >= least) continue;
      least = cost;
      best = static_cast<int>(i);
    }
    return best;
  }

  Vec3 CentreOf(std::uint32_t triangle) const {
    const Bounds<3>& box = boxes_[triangle];
    return {box.Centre(0), box.Centre(1), box.Centre(2)};
  }

  const std::span<const Bounds<3>> boxes_;
  std::vector<std::uint32_t>& order_;
  MeshTree& tree_;
  std::vector<MeshNode, OnCacheLines<MeshNode>> nodes_;
};

MeshTree MeshTree::Build(std::span<const Bounds<3>> boxes, std::vector<std::uint32_t>& order) {
  NOWAIT_ASSERT(!boxes.empty() && boxes.size() <= kMaxTriangles, "a tree has triangles");
  MeshTree tree;
  MeshTreeBuilder(boxes, order, tree).Build();
  return tree;
}

MeshTree::MeshTree(const Bounds<3>& bounds) : bounds_(bounds) {
  // A flat mesh has steps too, or places would be divided by zero.
  const float size = Length(MaxOf(bounds) - MinOf(bounds));
  for (int axis = 0; axis < 3; ++axis) {
    // The last step is room for the rounding at the upper end.
    step_.Set(axis, std::max(bounds.Extent(axis) / (kSteps - 1.0f), kFlatStep * size));
  }
}

void MeshTree::Quantise(const Bounds<3>& box, MeshNode& node, std::size_t child) const {
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const float low = (box.min[a] - bounds_.min[a]) / step_[axis];
    const float high = (box.max[a] - bounds_.min[a]) / step_[axis];
    node.min[a][child] =
        static_cast<std::uint16_t>(std::clamp(std::floor(low - kRounding), 0.0f, kSteps));
    node.max[a][child] =
        static_cast<std::uint16_t>(std::clamp(std::ceil(high + kRounding), 0.0f, kSteps));
  }
}

Bounds<3> MeshTree::ChildBounds(const MeshNode& node, std::size_t child) const {
  Bounds<3> box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const float low = bounds_.min[a];
    box.min[a] = low + static_cast<float>(node.min[a][child]) * step_[axis];
    box.max[a] = low + static_cast<float>(node.max[a][child]) * step_[axis];
  }
  return box;
}

}  // namespace nowait
