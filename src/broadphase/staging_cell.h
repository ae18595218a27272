// Staging cells: how a staging tree divides space, and to which cell a single inserted body goes.
//
// A cell is a node of the staging tree. It has a few slots for bodies. Its other slots are links to
// the parts of its region, cut along its longest side:
//
//   four slots, the upper levels    body  third  third  third
//   four slots, the lower levels    body  body   half   half
//
// The region alone determines the cuts, not the bodies that happen to be there. A linked child
// therefore never has to be linked elsewhere, which would take two words at once (insert.h). Nor
// does the order matter in which bodies arrive, sorted or not.
//
// The depth is bounded: below kSpatialLevels a body's own number chooses the link, one digit per
// level. Bodies with different numbers part there, wherever they are. No cell is deeper than
// kSpatialLevels plus the digits of the highest number, even among coincident bodies. (A node with
// two slots has one link and no choice; its staging tree is a list, which is enough for the
// models.)
//
// A region guides the search for a cell and bounds nothing: queries test the boxes in the slots. A
// body outside the region goes to the nearest part.
//
// Source: Bentley, "Multidimensional binary search trees used for associative searching", CACM
// 18(9), 1975, for bodies in inner nodes; the cuts by region instead of by key are those of a trie.
// Test: tests/broadphase/staging_tree_test.cc. Lecture: staging trees and unlinking.
#ifndef NOWAIT_SRC_BROADPHASE_STAGING_CELL_H_
#define NOWAIT_SRC_BROADPHASE_STAGING_CELL_H_

#include <algorithm>
#include <cstdint>

#include "src/math/bounds.h"

namespace nowait {

namespace staging_region {

template <int Axes>
constexpr int LongestAxis(const Bounds<Axes>& region) {
  int axis = 0;
  for (int other = 1; other < Axes; ++other) {
    if (region.Extent(other) > region.Extent(axis)) axis = other;
  }
  return axis;
}

// Whether the region is so flat along `axis` that this side is hardly ever cut. Worlds are flat:
// spare room along a flat side would cost a level of cuts, and bodies beyond it cost nothing.
template <int Axes>
constexpr bool IsFlat(const Bounds<Axes>& region, int axis) {
  return 4 * region.Extent(axis) < region.Extent(LongestAxis(region));
}

// The first region, for bodies in `hull` and others to come: three times as long along each side.
template <int Axes>
constexpr Bounds<Axes> Around(const Bounds<Axes>& hull) {
  Bounds<Axes> region = hull;
  for (int axis = 0; axis < Axes; ++axis) {
    const float room = hull.Extent(axis) * (IsFlat(hull, axis) ? 0.25f : 1.0f);
    region.min[axis] -= room;
    region.max[axis] += room;
  }
  return region;
}

// How far outside the centre may lie before the region is too small for the body.
template <int Axes>
constexpr float Tolerance(const Bounds<Axes>& region, int axis) {
  return IsFlat(region, axis) ? region.Extent(LongestAxis(region)) / 16 : 0.0f;
}

// Whether a body with this box belongs in the region.
template <int Axes>
constexpr bool Fits(const Bounds<Axes>& region, const Bounds<Axes>& box) {
  for (int axis = 0; axis < Axes; ++axis) {
    const float tolerance = Tolerance(region, axis);
    const float centre = box.Centre(axis);
    if (centre < region.min[axis] - tolerance || region.max[axis] + tolerance < centre) {
      return false;
    }
  }
  return true;
}

// A region for a body that does not fit: four times as long towards the body. Bodies in a row
// outgrow the region as often as the logarithm of their distance.
template <int Axes>
constexpr Bounds<Axes> GrownTowards(const Bounds<Axes>& region, const Bounds<Axes>& box) {
  Bounds<Axes> grown = region;
  for (int axis = 0; axis < Axes; ++axis) {
    const float room = 3 * region.Extent(axis);
    const float centre = box.Centre(axis);
    if (centre < region.min[axis]) grown.min[axis] = std::min(centre, region.min[axis] - room);
    if (centre > region.max[axis]) grown.max[axis] = std::max(centre, region.max[axis] + room);
  }
  return grown;
}

}  // namespace staging_region

// The number of upper levels, which are cut into thirds; the lower levels are cut into halves. More
// than one body in each upper cell would cost queries a level; fewer than two in each lower cell
// would cost nodes. Eight levels of thirds are 6,561 cells; the figures are those of
// staging_tree_test.cc. A model has its own number, to reach the lower cells with few bodies.
template <int Axes, int Fanout>
inline constexpr int kStagingUpperLevels = 8;

// A body's path down through the cells of a staging tree.
template <int Axes, int Fanout>
class StagingPath {
 public:
  static constexpr int kUpperLevels = kStagingUpperLevels<Axes, Fanout>;
  // Thirds, halves, thirds, halves ... on two sides: one part in 80,000 of a world's length.
  static constexpr int kSpatialLevels = 24;

  // body: the body's slot.
  StagingPath(const Bounds<Axes>& region, const Bounds<Axes>& box, std::uint32_t body)
      : region_(region), box_(box), digits_(body) {}

  // The number of slots for bodies, which come first, in a cell of this level.
  static constexpr int BodiesAt(int level) { return level < kUpperLevels ? 1 : Fanout / 2; }
  int bodies() const { return BodiesAt(level_); }

  // Descends to the cell below, and returns the slot that links to it.
  int Descend() {
    const int first = bodies();
    const int links = Fanout - first;
    const int part = level_ < kSpatialLevels ? CutRegion(links) : NextDigit(links);
    ++level_;
    return first + part;
  }

 private:
  int CutRegion(int parts) {
    const int axis = staging_region::LongestAxis(region_);
    const float low = region_.min[axis];
    const float length = region_.Extent(axis) / static_cast<float>(parts);
    const float centre = box_.Centre(axis);
    int part = 0;
    while (part + 1 < parts && centre >= low + static_cast<float>(part + 1) * length) ++part;
    if (part + 1 < parts) region_.max[axis] = low + static_cast<float>(part + 1) * length;
    if (part > 0) region_.min[axis] = low + static_cast<float>(part) * length;
    return part;
  }

  int NextDigit(int links) {
    const auto base = static_cast<std::uint32_t>(links);
    const std::uint32_t digit = digits_ % base;
    digits_ /= base;
    return static_cast<int>(digit);
  }

  Bounds<Axes> region_;
  const Bounds<Axes> box_;
  std::uint32_t digits_;
  int level_ = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_STAGING_CELL_H_
