// Feet: puts the feet of a character on ground that is not flat.
//
// A clip was captured on a floor, at y = 0. Each foot shall be as high above the ground below it as
// it was above that floor. So a ray looks for the ground below each foot, the whole character
// stands at the lower of the two places, and the other leg bends until its foot is there as well
// (leg.h). Feet in the air follow the ground as feet on it do, hence no step begins with a jump.
//
// Thread safety: a value; Plant from any number of threads, with a view for each.
// Test: tests/apps/crowd/feet_test.cc.
#ifndef NOWAIT_SRC_APPS_CROWD_FEET_H_
#define NOWAIT_SRC_APPS_CROWD_FEET_H_

#include <array>
#include <cstddef>
#include <optional>

#include "src/animation/leg.h"
#include "src/animation/pose.h"
#include "src/animation/skeleton.h"
#include "src/math/vec3.h"
#include "src/world/world_view.h"

namespace nowait {

class Feet {
 public:
  // The legs by the names that the files of the CMU database have. A skeleton without both has no
  // feet to be put anywhere. skeleton: outlives this.
  explicit Feet(const Skeleton& skeleton);

  // Left and right; empty without feet.
  const std::optional<std::array<Leg, 2>>& legs() const { return legs_; }

  // Changes the local pose and `origin`.y, the height of the character in the world. top: higher
  // than all of the ground. Where a foot has no ground below it, the character stays as it is.
  // Returns whether both feet are where they shall be.
  bool Plant(const WorldView& ground, float top, Pose& local, Vec3& origin) const;

 private:
  const Skeleton* skeleton_;
  std::optional<std::array<Leg, 2>> legs_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_CROWD_FEET_H_
