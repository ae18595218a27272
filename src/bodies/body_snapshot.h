// BodySnapshot: a copy of a body, taken under its lock and used without it.
#ifndef NOWAIT_SRC_BODIES_BODY_SNAPSHOT_H_
#define NOWAIT_SRC_BODIES_BODY_SNAPSHOT_H_

#include <cstdint>

#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/bodies/layers.h"
#include "src/bodies/shape.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct BodySnapshot {
  static constexpr std::uint32_t kNoIsland = ~std::uint32_t{0};
  static constexpr std::uint16_t kNoLane = 0xffff;

  BodyId id;
  BodyType type = BodyType::kDynamic;
  bool asleep = false;
  Layer layer = Layer::kDynamic;
  Shape shape;
  Vec3 position;
  Quat rotation;
  Vec3 linear_velocity;
  Vec3 angular_velocity;
  // The lowest slot of a body in its island: the island of the last step in which it was awake.
  // kNoIsland for static bodies and for bodies that no step has seen yet.
  std::uint32_t island = kNoIsland;
  std::uint64_t user = 0;
  float inverse_mass = 0.0f;  // a kilogram; zero for static bodies
  bool sensor = false;
  // The number of the lane of the thread that moved it in its last step, in the profile which that
  // lane belongs to; kNoLane for a body that no step has moved, and where that thread had no lane.
  // It depends on the threads' speed, and is no part of the world's state.
  std::uint16_t lane = kNoLane;
  // Another number than before where the type, the layer or the shape may be other ones
  // (World::SetProperties, World::Restore). It is no part of the world's state either.
  std::uint32_t form = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_SNAPSHOT_H_
