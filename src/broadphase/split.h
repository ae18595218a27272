// Splitting: how a set of boxes is distributed to the children of a new node.
//
// A set is split at the middle of the longest axis, by each box's centre, and each half is split
// once more. That costs a few passes over the boxes, which a loading thread can afford, and makes
// good trees of ordinary scenes. Alone it bounds nothing: it cannot distinguish coincident boxes,
// and it splits off one at a time the boxes whose distances double (1, 2, 4, 8, ...). A split that
// would leave one side empty, and every split below a given level, is therefore made at the median,
// which halves the count whatever the boxes are. A tree over n boxes is never deeper than
// MaxBuildHeight(n) below.
//
// Deterministic: equal centres are ordered by child id, and the same items in the same order give
// the same tree with every compiler and number of threads.
//
// Source: [rouwe2022], "Quad tree - adding bodies". The median is the fallback of every textbook on
// bounding volume hierarchies ([ericson2005], 6.2.1). Lecture: conservative bounds and the quad
// tree.
#ifndef NOWAIT_SRC_BROADPHASE_SPLIT_H_
#define NOWAIT_SRC_BROADPHASE_SPLIT_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/math/bounds.h"

namespace nowait {

// Something to link into a tree: a body or a whole subtree.
template <int Axes>
struct TreeItem {
  std::uint32_t child;  // child_id
  std::uint8_t height;  // of the subtree; 0 for a body
  Bounds<Axes> box;
};

// ceil(log_Fanout(n)): the height of a full tree over n items.
template <int Fanout>
constexpr std::uint32_t FullHeight(std::size_t n) {
  std::uint32_t height = 0;
  for (std::size_t reach = 1; reach < n; reach *= Fanout) ++height;
  return height;
}

// The number of levels that may be split in the middle before the median takes over.
template <int Fanout>
constexpr std::uint32_t MidpointLevels(std::size_t n) {
  return 2 * FullHeight<Fanout>(n);
}

// A tree built over n items has at most this many levels above the items.
template <int Fanout>
constexpr std::uint32_t MaxBuildHeight(std::size_t n) {
  return MidpointLevels<Fanout>(n) + FullHeight<Fanout>(n);
}

// Reorders the items into two non-empty parts and returns the size of the first.
// items: at least two.
template <int Axes>
std::size_t SplitInTwo(std::span<TreeItem<Axes>> items, bool at_median) {
  Bounds<Axes> hull = Bounds<Axes>::Empty();
  for (const TreeItem<Axes>& item : items) hull.Include(item.box);
  int axis = 0;
  for (int other = 1; other < Axes; ++other) {
    if (hull.Extent(other) > hull.Extent(axis)) axis = other;
  }
  if (!at_median) {
    const float middle = hull.Centre(axis);
    const auto upper = std::partition(items.begin(), items.end(), [=](const TreeItem<Axes>& item) {
      return item.box.Centre(axis) < middle;
    });
    const auto lower_count = static_cast<std::size_t>(upper - items.begin());
    if (lower_count != 0 && lower_count != items.size()) return lower_count;
  }
  const std::size_t half = (items.size() + 1) / 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(),
                   [=](const TreeItem<Axes>& a, const TreeItem<Axes>& b) {
                     const float centre_a = a.box.Centre(axis);
                     const float centre_b = b.box.Centre(axis);
                     return centre_a != centre_b ? centre_a < centre_b : a.child < b.child;
                   });
  return half;
}

// Distributes the items to Fanout groups. Some may be empty; no group holds all items. If there are
// at most as many items as slots, each gets its own. items: at least two.
template <int Axes, int Fanout>
std::array<std::span<TreeItem<Axes>>, Fanout> SplitAll(std::span<TreeItem<Axes>> items,
                                                       bool at_median) {
  std::array<std::span<TreeItem<Axes>>, Fanout> groups{};
  if (items.size() <= Fanout) {
    for (std::size_t i = 0; i < items.size(); ++i) groups[i] = items.subspan(i, 1);
    return groups;
  }
  groups[0] = items;
  // Halve group 0, then groups 0 and 1, and so on: each pass fills the slots `parts` ahead.
  for (int parts = 1; parts < Fanout; parts *= 2) {
    for (int i = 0; i < parts; ++i) {
      if (groups[i].size() < 2) continue;
      const std::size_t lower = SplitInTwo<Axes>(groups[i], at_median);
      groups[i + parts] = groups[i].subspan(lower);
      groups[i] = groups[i].first(lower);
    }
  }
  return groups;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_SPLIT_H_
