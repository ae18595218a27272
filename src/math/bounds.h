// Bounds: an axis-aligned box in one, two or three dimensions, and the value that means
// "everywhere".
//
// The quad tree is generic in its axes (models use one, the engine three), and so are its boxes.
#ifndef NOWAIT_SRC_MATH_BOUNDS_H_
#define NOWAIT_SRC_MATH_BOUNDS_H_

#include <algorithm>
#include <array>

namespace nowait {

// LargeFloat of [rouwe2022]: covers every world, and sums and differences of it stay finite.
inline constexpr float kLargeFloat = 1e30f;

template <int Axes>
struct Bounds {
  std::array<float, Axes> min{};
  std::array<float, Axes> max{};

  friend bool operator==(const Bounds&, const Bounds&) = default;

  // Inside out: overlaps no usable box, and the union with a box is that box.
  static constexpr Bounds Empty() {
    Bounds bounds;
    bounds.min.fill(kLargeFloat);
    bounds.max.fill(-kLargeFloat);
    return bounds;
  }

  // Overlaps every usable box.
  static constexpr Bounds Everywhere() {
    Bounds bounds;
    bounds.min.fill(-kLargeFloat);
    bounds.max.fill(kLargeFloat);
    return bounds;
  }

  // Whether the bounds can go into a tree: ordered and within LargeFloat, which excludes infinities
  // and NaN. A point (min == max) is usable.
  constexpr bool IsUsable() const {
    for (int axis = 0; axis < Axes; ++axis) {
      if (!(-kLargeFloat < min[axis] && min[axis] <= max[axis] && max[axis] < kLargeFloat)) {
        return false;
      }
    }
    return true;
  }

  constexpr void Include(const Bounds& other) {
    for (int axis = 0; axis < Axes; ++axis) {
      min[axis] = std::min(min[axis], other.min[axis]);
      max[axis] = std::max(max[axis], other.max[axis]);
    }
  }

  constexpr float Centre(int axis) const { return 0.5f * (min[axis] + max[axis]); }
  constexpr float Extent(int axis) const { return max[axis] - min[axis]; }
};

// Touching boxes overlap.
template <int Axes>
constexpr bool Overlaps(const Bounds<Axes>& a, const Bounds<Axes>& b) {
  for (int axis = 0; axis < Axes; ++axis) {
    if (a.min[axis] > b.max[axis] || b.min[axis] > a.max[axis]) return false;
  }
  return true;
}

template <int Axes>
constexpr bool Contains(const Bounds<Axes>& outer, const Bounds<Axes>& inner) {
  for (int axis = 0; axis < Axes; ++axis) {
    if (inner.min[axis] < outer.min[axis] || outer.max[axis] < inner.max[axis]) return false;
  }
  return true;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_BOUNDS_H_
