// Ray: a line segment from a point along a displacement, cut off at a fraction of it.
#ifndef NOWAIT_SRC_MATH_RAY_H_
#define NOWAIT_SRC_MATH_RAY_H_

#include <array>

namespace nowait {

// The points origin + t * displacement for t from 0 to max_fraction.
template <int Axes>
struct Ray {
  std::array<float, Axes> origin{};
  std::array<float, Axes> displacement{};
  float max_fraction = 1.0f;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_RAY_H_
