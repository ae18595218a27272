// Which boxes an area touches, worked out slowly: in double, by the definition, without the
// engine's probes.
//
// Each question has a sure yes and a sure no. Cases in between (rounding, and for oriented boxes
// all that is not obvious) are not judged.
#ifndef NOWAIT_TESTS_STRESS_OPEN_WORLD_AREAS_H_
#define NOWAIT_TESTS_STRESS_OPEN_WORLD_AREAS_H_

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/world/world_view.h"
#include "tests/stress/open_world_places.h"

namespace nowait::open_world {

// From a point to a box; 0 inside.
inline double Distance(const Bounds<3>& box, Vec3 point) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = static_cast<double>(box.min[axis]) - static_cast<double>(point[axis]);
    const double above = static_cast<double>(point[axis]) - static_cast<double>(box.max[axis]);
    const double out = std::max({below, above, 0.0});
    sum += out * out;
  }
  return std::sqrt(sum);
}

inline Bounds<3> GrownBy(const Bounds<3>& box, Vec3 by) {
  return ToBounds(MinOf(box) - by, MaxOf(box) + by);
}

// Whether the way from `from` to `from + by` passes through the box.
inline bool Passes(const Bounds<3>& box, Vec3 from, Vec3 by) {
  double enter = 0, leave = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double origin = static_cast<double>(from[axis]);
    const double way = static_cast<double>(by[axis]);
    const double low = static_cast<double>(box.min[axis]) - origin;
    const double high = static_cast<double>(box.max[axis]) - origin;
    if (std::abs(way) < 1e-9) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    enter = std::max(enter, std::min(low / way, high / way));
    leave = std::min(leave, std::max(low / way, high / way));
  }
  return enter <= leave;
}

inline Bounds<3> HullOf(const Bounds<3>& area) { return area; }
inline Bounds<3> HullOf(const Ball& area) {
  const Vec3 half{area.radius, area.radius, area.radius};
  return ToBounds(area.centre - half, area.centre + half);
}
inline Bounds<3> HullOf(const OrientedBox& area) {
  const float reach = Length(area.half);
  return ToBounds(area.centre - Vec3{reach, reach, reach}, area.centre + Vec3{reach, reach, reach});
}
inline Bounds<3> HullOf(const SweptBox& area) {
  const Vec3 to = area.centre + area.translation;
  return ToBounds(Min(area.centre, to) - area.half, Max(area.centre, to) + area.half);
}

// The area touches the box, beyond what rounding may decide.
inline bool SurelyTouches(const Bounds<3>& area, const Bounds<3>& box) {
  return Overlaps(area, box);
}
inline bool SurelyTouches(const Ball& area, const Bounds<3>& box) {
  return Distance(box, area.centre) <= static_cast<double>(area.radius) - 1e-3;
}
// The box's middle is well inside.
inline bool SurelyTouches(const OrientedBox& area, const Bounds<3>& box) {
  const Vec3 middle{box.Centre(0), box.Centre(1), box.Centre(2)};
  const Vec3 local = Rotate(Conjugate(area.rotation), middle - area.centre);
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(local[axis]) > area.half[axis] - kSlack) return false;
  }
  return true;
}
inline bool SurelyTouches(const SweptBox& area, const Bounds<3>& box) {
  const Vec3 by = area.half - Vec3{kSlack, kSlack, kSlack};
  return Passes(GrownBy(box, by), area.centre, area.translation);
}

// The area does not touch the box, beyond what rounding may decide.
inline bool SurelyMisses(const Bounds<3>& area, const Bounds<3>& box) {
  return !Overlaps(area, box);
}
inline bool SurelyMisses(const Ball& area, const Bounds<3>& box) {
  return Distance(box, area.centre) > static_cast<double>(area.radius) + 1e-3;
}
// The balls around the two are apart.
inline bool SurelyMisses(const OrientedBox& area, const Bounds<3>& box) {
  return Distance(box, area.centre) > static_cast<double>(Length(area.half)) + 1e-3;
}
inline bool SurelyMisses(const SweptBox& area, const Bounds<3>& box) {
  const Vec3 by = area.half + Vec3{kSlack, kSlack, kSlack};
  return !Passes(GrownBy(box, by), area.centre, area.translation);
}

// Where along the ray, from 0 to 1, it meets a ball, 0 when it begins inside; negative when it
// misses.
inline double Enters(const RayCast& ray, Vec3 centre, double radius) {
  const Vec3 to = ray.origin - centre;
  const double a = static_cast<double>(LengthSquared(ray.translation));
  const double b = static_cast<double>(Dot(to, ray.translation));
  const double c = static_cast<double>(LengthSquared(to)) - radius * radius;
  const double root = b * b - a * c;
  if (c <= 0) return 0;
  if (a <= 0 || root < 0 || b > 0) return -1;
  const double at = (-b - std::sqrt(root)) / a;
  return at <= 1 ? at : -1;
}

inline std::string Words(const Bounds<3>& area) {
  return "box " + Places::Words(MinOf(area)) + " .. " + Places::Words(MaxOf(area));
}
inline std::string Words(const Ball& area) {
  return "ball " + Places::Words(area.centre) + " radius " + std::to_string(area.radius);
}
inline std::string Words(const OrientedBox& area) {
  return "oriented box " + Places::Words(area.centre) + " half " + Places::Words(area.half);
}
inline std::string Words(const SweptBox& area) {
  return "swept box " + Places::Words(area.centre) + " half " + Places::Words(area.half) + " by " +
         Places::Words(area.translation);
}

// Over the kinds of areas.
inline Bounds<3> HullOf(const QueryArea& area) {
  return std::visit([](const auto& kind) { return HullOf(kind); }, area);
}
inline bool SurelyTouches(const QueryArea& area, const Bounds<3>& box) {
  return std::visit([&](const auto& kind) { return SurelyTouches(kind, box); }, area);
}
inline bool SurelyMisses(const QueryArea& area, const Bounds<3>& box) {
  return std::visit([&](const auto& kind) { return SurelyMisses(kind, box); }, area);
}
inline std::string Words(const QueryArea& area) {
  return std::visit([](const auto& kind) { return Words(kind); }, area);
}

}  // namespace nowait::open_world

#endif  // NOWAIT_TESTS_STRESS_OPEN_WORLD_AREAS_H_
