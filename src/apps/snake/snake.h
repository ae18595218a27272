// Snake: a boss of many links that rears up in a coil, held by the motors of its joints, and dies.
//
// Each link is a convex hull, a tapered prism; the head is thinner than the tail. A joint of two
// links lets them swing within a cone and twist a little. While the snake lives, a drive in each
// joint holds the coil. A dead snake has no drives.
//
// Thread safety: a value; the shapes live as long as it does, and longer than its bodies.
// Source: [rouwe2022]: the game's worst case for the solver, a long articulated machine.
#ifndef NOWAIT_SRC_APPS_SNAKE_SNAKE_H_
#define NOWAIT_SRC_APPS_SNAKE_SNAKE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/bodies/body_snapshot.h"
#include "src/collision/convex_hull.h"
#include "src/dynamics/joint_def.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

class Snake {
 public:
  static constexpr float kLinkLength = 0.5f;  // metres, from joint to joint

  // links: 2 .. 1,000. tail: the end of the lowest link, from where the coil rises around an
  // upright axis. motor_hertz: of the drives (JointDrive::hertz). kInvalidArgument "links", and the
  // errors of ConvexHull::Create.
  static Result<Snake> Create(std::uint32_t links, Vec3 tail, float motor_hertz);

  // One definition for each link, from the tail to the head.
  std::span<const BodyDef> bodies() const { return bodies_; }
  // One less than links. ids: of the bodies, in their order.
  std::vector<JointDef> Joints(std::span<const BodyId> ids) const;

  // A joint of a snake that does not live any more.
  static JointKind Dead();
  // How far the two ends that a joint holds together have come apart, in metres.
  static float Gap(const JointDef& joint, const BodySnapshot& a, const BodySnapshot& b);

 private:
  struct Link {
    Vec3 end;  // towards the tail
    Quat rotation;
  };

  explicit Snake(float motor_hertz) : motor_hertz_(motor_hertz) {}

  float motor_hertz_;
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
  std::vector<Link> links_;
  std::vector<BodyDef> bodies_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SNAKE_SNAKE_H_
