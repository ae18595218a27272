// More probes: which boxes a ball, an oriented box or a swept box touches, and which are nearest to
// a point. (A point is a BoxProbe whose box has no extent; a batch of rays is one view and one
// query per ray.)
//
// Like the probes of probe.h they hit nothing when a number in them is not finite, and they miss
// the inside-out boxes of slots without a child. Where rounding could lose a box that touches
// exactly, they err towards a hit: a hit is only a candidate for the narrow phase.
//
// Thread safety: a probe belongs to one query.
//
// Source: ball against box: Arvo, "A simple method for box-sphere intersection testing", Graphics
// Gems, 1990. Oriented boxes: Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996 (15 separating
// axes). A box swept along a line is that line against boxes grown by it (Minkowski). Lecture: body
// locks and what a query promises.
#ifndef NOWAIT_SRC_BROADPHASE_SHAPE_PROBES_H_
#define NOWAIT_SRC_BROADPHASE_SHAPE_PROBES_H_

#include <array>
#include <cmath>

#include "src/broadphase/probe.h"
#include "src/broadphase/probe_numbers.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/ray.h"
#include "src/math/simd.h"
#include "src/math/vec3.h"

namespace nowait {

namespace probe_internal {

// The squared distance from `point` to each box; 0 inside, infinite for an inside-out box.
template <int Axes, int N>
Floats<N> SquaredDistances(const BoxRows<Axes, N>& rows, const auto& point) {
  using Lanes = Floats<N>;
  Lanes sum(0.0f);
  for (int axis = 0; axis < Axes; ++axis) {
    const Lanes at(point[axis]);
    const Lanes out = Max(Max(rows.min(axis) - at, at - rows.max(axis)), Lanes(0.0f));
    sum = sum + out * out;
  }
  return sum;
}

}  // namespace probe_internal

// Which boxes a ball touches. A negative radius touches nothing.
template <int Axes>
class BallProbe {
 public:
  BallProbe(const std::array<float, Axes>& centre, float radius) : centre_(centre) {
    const bool usable = probe_internal::AllFinite(centre) && std::isfinite(radius) && radius >= 0;
    // Without the limit it is infinite for a huge radius, and would hit slots without a child.
    squared_radius_ = usable ? std::fmin(radius * radius * kAbove, kLargeFloat) : -1.0f;
    if (!usable) centre_.fill(0.0f);
  }

  template <int N>
  LaneBits Hits(const BoxRows<Axes, N>& rows, typename BoxRows<Axes, N>::Row& nearest) const {
    static_cast<void>(nearest);
    const auto distances = probe_internal::SquaredDistances(rows, centre_);
    return (distances <= Floats<N>(squared_radius_)).Bits();
  }

  static constexpr bool kOrdered = false;
  static bool IsBeyond(float) { return false; }

 private:
  // More than the seven roundings between the squares of a radius and of a distance can lose.
  static constexpr float kAbove = 1.0f + 1e-6f;

  std::array<float, Axes> centre_;
  float squared_radius_;
};

// Which boxes are within a given distance of a point, the nearest first. A caller that has found
// one at some distance lowers the limit to that distance.
template <int Axes>
class NearestProbe {
 public:
  NearestProbe(const std::array<float, Axes>& point, float distance) : point_(point) {
    const bool usable =
        probe_internal::AllFinite(point) && std::isfinite(distance) && distance >= 0;
    squared_limit_ = usable ? std::fmin(distance * distance, kLargeFloat) : -1.0f;
    if (!usable) point_.fill(0.0f);
  }

  float squared_limit() const { return squared_limit_; }
  void set_squared_limit(float limit) { squared_limit_ = limit; }

  template <int N>
  LaneBits Hits(const BoxRows<Axes, N>& rows, typename BoxRows<Axes, N>::Row& nearest) const {
    const auto distances = probe_internal::SquaredDistances(rows, point_);
    nearest = distances.ToArray();
    return (distances <= Floats<N>(squared_limit_)).Bits();
  }

  static constexpr bool kOrdered = true;
  bool IsBeyond(float nearest) const { return !(nearest <= squared_limit_); }

 private:
  std::array<float, Axes> point_;
  float squared_limit_;
};

// Which boxes an axis-aligned box touches on its way, and where; `ray` is the path of its centre.
template <int Axes>
class SweptBoxProbe {
 public:
  // half: half its extents, not negative.
  SweptBoxProbe(const Ray<Axes>& ray, const std::array<float, Axes>& half)
      : ray_(ray), half_(half) {
    bool usable = probe_internal::AllFinite(half);
    for (float& extent : half_) {
      usable = usable && extent >= 0;
      extent = probe_internal::Cut(extent);
    }
    if (!usable) {
      half_.fill(0.0f);
      ray_.Stop();
    }
  }

  float max_fraction() const { return ray_.max_fraction(); }
  void set_max_fraction(float fraction) { ray_.set_max_fraction(fraction); }

  template <int N>
  LaneBits Hits(const BoxRows<Axes, N>& rows, typename BoxRows<Axes, N>::Row& nearest) const {
    return ray_.Hits(rows.Expanded(half_), nearest);
  }

  static constexpr bool kOrdered = true;
  bool IsBeyond(float nearest) const { return ray_.IsBeyond(nearest); }

 private:
  RayProbe<Axes> ray_;
  std::array<float, Axes> half_;
};

// Which boxes an oriented box touches: no axis of either, and no product of two, separates them.
class OrientedBoxProbe {
 public:
  // half: half the extents along its own axes, not negative. rotation: of unit length.
  OrientedBoxProbe(Vec3 centre, Vec3 half, Quat rotation)
      : centre_{centre.x, centre.y, centre.z},
        half_{probe_internal::Cut(half.x), probe_internal::Cut(half.y),
              probe_internal::Cut(half.z)} {
    const Vec3 axes[3] = {Rotate(rotation, {1, 0, 0}), Rotate(rotation, {0, 1, 0}),
                          Rotate(rotation, {0, 0, 1})};
    usable_ = probe_internal::AllFinite(centre_) && IsFinite(half) && half.x >= 0 && half.y >= 0 &&
              half.z >= 0;
    for (int j = 0; j < 3; ++j) {
      const std::array<float, 3> axis = {axes[j].x, axes[j].y, axes[j].z};
      usable_ = usable_ && probe_internal::AllFinite(axis);
      for (int i = 0; i < 3; ++i) {
        axis_[i][j] = axis[i];
        // More than rounding can lose; it also covers the products of nearly parallel axes, which
        // separate nothing.
        positive_[i][j] = std::abs(axis[i]) + probe_internal::kSlack;
      }
    }
    for (int i = 0; i < 3; ++i) {
      reach_[i] = 0;
      for (int j = 0; j < 3; ++j) reach_[i] += half_[j] * positive_[i][j];
    }
  }

  template <int N>
  LaneBits Hits(const BoxRows<3, N>& rows, typename BoxRows<3, N>::Row& nearest) const {
    static_cast<void>(nearest);
    if (!usable_) return 0;
    using Lanes = Floats<N>;
    const Lanes zero(0.0f);
    std::array<Lanes, 3> between = {zero, zero, zero};
    std::array<Lanes, 3> extent = {zero, zero, zero};
    // The error of the centres and extents, over all axes together.
    Lanes slack(0.0f);
    auto touch = zero <= zero;
    for (int i = 0; i < 3; ++i) {
      touch = touch & (rows.min(i) <= Lanes(centre_[i] + reach_[i])) &
              (Lanes(centre_[i] - reach_[i]) <= rows.max(i));
      const Lanes half(0.5f);
      between[i] = Lanes(centre_[i]) - (rows.min(i) + rows.max(i)) * half;
      extent[i] = (rows.max(i) - rows.min(i)) * half;
      slack = slack + probe_internal::Sizes(rows, i) + Lanes(std::abs(centre_[i]));
    }
    slack = slack * Lanes(probe_internal::kSlack);
    for (int j = 0; j < 3; ++j) {
      Lanes distance = zero;
      Lanes reach(half_[j]);
      for (int i = 0; i < 3; ++i) {
        distance = distance + between[i] * Lanes(axis_[i][j]);
        reach = reach + extent[i] * Lanes(positive_[i][j]);
      }
      touch = touch & (probe_internal::Abs(distance) <= reach + slack);
    }
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3;
      const int i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3;
        const int j2 = (j + 2) % 3;
        const Lanes distance =
            between[i2] * Lanes(axis_[i1][j]) - between[i1] * Lanes(axis_[i2][j]);
        const Lanes reach = extent[i1] * Lanes(positive_[i2][j]) +
                            extent[i2] * Lanes(positive_[i1][j]) +
                            Lanes(half_[j1] * positive_[i][j2] + half_[j2] * positive_[i][j1]);
        touch = touch & (probe_internal::Abs(distance) <= reach + slack);
      }
    }
    return touch.Bits();
  }

  static constexpr bool kOrdered = false;
  static bool IsBeyond(float) { return false; }

 private:
  std::array<float, 3> centre_;
  std::array<float, 3> half_;
  std::array<std::array<float, 3>, 3> axis_;      // [coordinate][own axis]
  std::array<std::array<float, 3>, 3> positive_;  // their absolute values, plus a little
  std::array<float, 3> reach_;                    // along the world's axes
  bool usable_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_SHAPE_PROBES_H_
