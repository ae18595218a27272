// Probes: the question that a query asks about boxes. A probe asks it about all children of a node
// at once.
//
// The boxes come as rows of lanes. The models, ThreadSanitizer and processors without AVX load them
// element by element with relaxed atomics. Elsewhere a row of four is one load; row_load.h says why
// that is right.
//
// A slot without a child has an inside-out box, and both probes miss it. A query box or ray with a
// NaN in it hits nothing.
//
// Thread safety: a probe belongs to one query.
//
// Source: [rouwe2022], "Quad tree - node". The slab test: [kay1986]; its margin: [ize2013].
// Lecture: body locks and what a query promises.
#ifndef NOWAIT_SRC_BROADPHASE_PROBE_H_
#define NOWAIT_SRC_BROADPHASE_PROBE_H_

#include <array>
#include <atomic>
#include <cmath>

#include "src/broadphase/row_load.h"
#include "src/math/bounds.h"
#include "src/math/ray.h"
#include "src/math/simd.h"

namespace nowait {

// N boxes, a row of lanes per side and axis.
template <int Axes, int N>
class BoxRows {
 public:
  using Lanes = Floats<N>;
  using Row = std::array<float, N>;  // one number a box

  // A node's slots. relaxed: see node.h; Traverse looks again at a body that these boxes let
  // through.
  template <class AtomicFloat>
  BoxRows(const AtomicFloat (&min)[Axes][N], const AtomicFloat (&max)[Axes][N]) {
    for (int axis = 0; axis < Axes; ++axis) {
      if constexpr (kHasRowLoad<AtomicFloat, N>) {
        min_[axis] = LoadRow(min[axis]);
        max_[axis] = LoadRow(max[axis]);
      } else {
        Row low, high;
        for (int i = 0; i < N; ++i) {
          low[i] = min[axis][i].load(std::memory_order::relaxed);
          high[i] = max[axis][i].load(std::memory_order::relaxed);
        }
        min_[axis] = Lanes(low);
        max_[axis] = Lanes(high);
      }
    }
  }

  // The rows of a single box.
  explicit BoxRows(const Bounds<Axes>& box) requires(N == 1) {
    for (int axis = 0; axis < Axes; ++axis) {
      min_[axis] = Lanes(box.min[axis]);
      max_[axis] = Lanes(box.max[axis]);
    }
  }

  // The same boxes, enlarged by `half` on each side. A slot without a child stays inside out.
  BoxRows Expanded(const std::array<float, Axes>& half) const {
    BoxRows grown = *this;
    for (int axis = 0; axis < Axes; ++axis) {
      grown.min_[axis] = min(axis) - Lanes(half[axis]);
      grown.max_[axis] = max(axis) + Lanes(half[axis]);
    }
    return grown;
  }

  Lanes min(int axis) const { return min_[axis]; }
  Lanes max(int axis) const { return max_[axis]; }

 private:
  std::array<Lanes, Axes> min_;
  std::array<Lanes, Axes> max_;
};

// Which boxes overlap a box; touching counts.
template <int Axes>
class BoxProbe {
 public:
  explicit BoxProbe(const Bounds<Axes>& box) : box_(box) {}

  // One bit per box. nearest: left alone, because a box query has no near and far.
  template <int N>
  LaneBits Hits(const BoxRows<Axes, N>& rows, typename BoxRows<Axes, N>::Row& nearest) const {
    static_cast<void>(nearest);
    using Lanes = Floats<N>;
    auto hits = (rows.min(0) <= Lanes(box_.max[0])) & (Lanes(box_.min[0]) <= rows.max(0));
    for (int axis = 1; axis < Axes; ++axis) {
      hits = hits & (rows.min(axis) <= Lanes(box_.max[axis])) &
             (Lanes(box_.min[axis]) <= rows.max(axis));
    }
    return hits.Bits();
  }

  // Whether nearer children are visited first, and whether a distance has become too far.
  static constexpr bool kOrdered = false;
  static bool IsBeyond(float) { return false; }

 private:
  Bounds<Axes> box_;
};

// Which boxes a ray passes through, and where it enters them.
template <int Axes>
class RayProbe {
 public:
  explicit RayProbe(const Ray<Axes>& ray) : ray_(ray) {
    for (int axis = 0; axis < Axes; ++axis) {
      const float displacement = ray.displacement[axis];
      parallel_[axis] = std::abs(displacement) < kParallel;
      inverse_[axis] = parallel_[axis] ? 0.0f : 1.0f / displacement;
      if (!std::isfinite(displacement) || !std::isfinite(ray.origin[axis])) Stop();
    }
  }

  float max_fraction() const { return ray_.max_fraction; }
  void set_max_fraction(float fraction) { ray_.max_fraction = fraction; }
  // After this call the ray hits nothing.
  void Stop() { ray_.max_fraction = -1.0f; }

  // One bit per box. nearest: for each box that is hit, receives the fraction at which the ray
  // enters it.
  template <int N>
  LaneBits Hits(const BoxRows<Axes, N>& rows, typename BoxRows<Axes, N>::Row& nearest) const {
    using Lanes = Floats<N>;
    Lanes near(0.0f);
    Lanes far(ray_.max_fraction * kMargin);
    LaneBits inside = ~LaneBits{0};
    for (int axis = 0; axis < Axes; ++axis) {
      const Lanes origin(ray_.origin[axis]);
      if (parallel_[axis]) {
        inside &= ((rows.min(axis) <= origin) & (origin <= rows.max(axis))).Bits();
        continue;
      }
      // The ray's direction distinguishes entry and exit. Their order would not do: it would turn
      // an inside-out box into a hit.
      const bool forward = inverse_[axis] > 0.0f;
      const Lanes entry = forward ? rows.min(axis) : rows.max(axis);
      const Lanes exit = forward ? rows.max(axis) : rows.min(axis);
      near = Max((entry - origin) * Lanes(inverse_[axis]), near);
      far = Min((exit - origin) * Lanes(inverse_[axis] * kMargin), far);
    }
    nearest = near.ToArray();
    return inside & (near <= far).Bits();
  }

  static constexpr bool kOrdered = true;
  bool IsBeyond(float nearest) const { return !(nearest <= ray_.max_fraction * kMargin); }

 private:
  // A smaller displacement does not leave the plane where it starts, and its inverse stays finite.
  static constexpr float kParallel = 1e-30f;
  // The fractions carry the rounding of a subtraction, a reciprocal and a product or two. With the
  // exits this much later, every box that the exact ray passes through is hit.
  static constexpr float kMargin = 1.000001f;

  Ray<Axes> ray_;
  std::array<bool, Axes> parallel_;
  std::array<float, Axes> inverse_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_PROBE_H_
