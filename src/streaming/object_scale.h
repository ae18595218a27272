// ScaledSize: the size of an object whose document stretches its shape.
//
// The factors are along the shape's own axes, before the object is turned. A shape takes those that
// Scaled takes for it (src/collision/scaled_shape.h). A hull keeps its size, the radius of its
// rock: the rock's points are stretched.
//
// Thread safety: pure functions.
// Errors: those of Scaled; kInvalidArgument "scale" for a shape that is then smaller or larger than
// an object may be.
// Test: tests/streaming/world_source_test.cc, tests/streaming/world_compiler_test.cc.
#ifndef NOWAIT_SRC_STREAMING_OBJECT_SCALE_H_
#define NOWAIT_SRC_STREAMING_OBJECT_SCALE_H_

#include "src/base/result.h"
#include "src/math/vec3.h"
#include "src/streaming/placed_object.h"

namespace nowait {

inline constexpr Vec3 kNoScale{1.0f, 1.0f, 1.0f};

// size: as a document has it.
Result<Vec3> ScaledSize(PlacedObject::Kind kind, Vec3 size, Vec3 factors);

inline Vec3 ScaledPoint(Vec3 point, Vec3 factors) {
  return {point.x * factors.x, point.y * factors.y, point.z * factors.z};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_OBJECT_SCALE_H_
