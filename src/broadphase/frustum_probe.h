// FrustumProbe: which boxes may be in sight of a camera.
//
//   view.Query(FrustumProbe(frustum), f);
//
// A box is missed where the box around the frustum, or one of its five planes, has it outside. A
// large box near an edge of the frustum may be hit although it is outside. No box is missed that
// touches the frustum; where rounding decides, a box is hit.
//
// As the probes of probe.h it misses the inside-out boxes of slots without a child, and hits
// nothing when a number in the frustum is not finite.
//
// Thread safety: a probe belongs to one query. Test: tests/broadphase/frustum_probe_test.cc.
// Source: Assarsson and Moeller, "Optimized view frustum culling algorithms for bounding boxes",
// Journal of Graphics Tools, 2000: of a box the corner that lies deepest along a plane's normal.
#ifndef NOWAIT_SRC_BROADPHASE_FRUSTUM_PROBE_H_
#define NOWAIT_SRC_BROADPHASE_FRUSTUM_PROBE_H_

#include <algorithm>
#include <array>
#include <cmath>

#include "src/broadphase/probe.h"
#include "src/broadphase/probe_numbers.h"
#include "src/math/bounds.h"
#include "src/math/simd.h"
#include "src/math/vec3.h"
#include "src/math/view_frustum.h"

namespace nowait {

class FrustumProbe {
 public:
  explicit FrustumProbe(const ViewFrustum& view)
      : eye_{view.eye.x, view.eye.y, view.eye.z},
        planes_{PlaneOf(view.across() - view.forward * view.right, 0.0f, view.reach),
                PlaneOf(view.forward * view.left - view.across(), 0.0f, view.reach),
                PlaneOf(view.up - view.forward * view.top, 0.0f, view.reach),
                PlaneOf(view.forward * view.bottom - view.up, 0.0f, view.reach),
                PlaneOf(view.forward, view.far, view.reach)} {
    usable_ = view.left < view.right && view.bottom < view.top && view.far > 0.0f &&
              std::isfinite(view.far) && IsFinite(view.reach);
    for (const Plane& plane : planes_) {
      usable_ = usable_ && std::isfinite(plane.end) && probe_internal::AllFinite(plane.normal);
    }
    usable_ = usable_ && probe_internal::AllFinite(eye_);
    SetAround(view);
  }

  template <int N>
  LaneBits Hits(const BoxRows<3, N>& rows, typename BoxRows<3, N>::Row& nearest) const {
    static_cast<void>(nearest);
    if (!usable_) return 0;
    using Lanes = Floats<N>;
    const Lanes zero(0.0f);
    std::array<Lanes, 3> low = {zero, zero, zero};
    std::array<Lanes, 3> high = {zero, zero, zero};
    Lanes size(0.0f);
    auto touch = zero <= zero;
    for (int axis = 0; axis < 3; ++axis) {
      const Lanes eye(eye_[axis]);
      const Lanes slack =
          (probe_internal::Sizes(rows, axis) + probe_internal::Abs(eye)) * Lanes(kSlack);
      touch = touch & (rows.min(axis) <= Lanes(around_.max[axis]) + slack) &
              (Lanes(around_.min[axis]) <= rows.max(axis) + slack);
      low[axis] = rows.min(axis) - eye;
      high[axis] = rows.max(axis) - eye;
      size = size + slack;
    }
    for (const Plane& plane : planes_) {
      Lanes deepest = zero;
      for (int axis = 0; axis < 3; ++axis) {
        const float n = plane.normal[axis];
        deepest = deepest + (n > 0.0f ? low[axis] : high[axis]) * Lanes(n);
      }
      touch = touch & (deepest <= Lanes(plane.end) + size * Lanes(plane.length));
    }
    return touch.Bits();
  }

  static constexpr bool kOrdered = false;
  static bool IsBeyond(float) { return false; }

 private:
  static constexpr float kSlack = probe_internal::kSlack;

  // The points p with normal * (p - eye) <= end are inside.
  struct Plane {
    std::array<float, 3> normal;
    float length;  // of the normal, by the sum of its parts
    float end;
  };

  // The way that counts moves the plane outwards by as much as it leads through it.
  static Plane PlaneOf(Vec3 normal, float end, Vec3 reach) {
    const Vec3 parts = Abs(normal);
    return {{normal.x, normal.y, normal.z},
            parts.x + parts.y + parts.z + std::abs(end) * kSlack,
            end + std::max(0.0f, -Dot(normal, reach))};
  }

  void SetAround(const ViewFrustum& view) {
    Vec3 low = view.eye;
    Vec3 high = view.eye;
    for (const float x : {view.left, view.right}) {
      for (const float y : {view.bottom, view.top}) {
        const Vec3 corner = view.eye + (view.forward + view.across() * x + view.up * y) * view.far;
        low = Min(low, corner);
        high = Max(high, corner);
      }
    }
    low = Min(low, low - view.reach);
    high = Max(high, high - view.reach);
    around_ = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    for (int axis = 0; axis < 3; ++axis) {
      around_.min[axis] = std::max(around_.min[axis], -probe_internal::kFarthest);
      around_.max[axis] = std::min(around_.max[axis], probe_internal::kFarthest);
    }
  }

  std::array<float, 3> eye_;
  std::array<Plane, 5> planes_;
  Bounds<3> around_;
  bool usable_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_FRUSTUM_PROBE_H_
