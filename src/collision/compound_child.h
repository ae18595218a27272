// CompoundChild: one of the shapes of a compound, what makes it valid, and what several weigh.
//
// Thread safety: plain data and pure functions; any thread.
// Errors: kInvalidArgument "child shape", "child position", "child rotation", "child density",
// "child number" or the name of a shape's size, with the number of the child.
// Test: tests/collision/compound_shape_test.cc.
#ifndef NOWAIT_SRC_COLLISION_COMPOUND_CHILD_H_
#define NOWAIT_SRC_COLLISION_COMPOUND_CHILD_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/base/result.h"
#include "src/bodies/shape.h"
#include "src/collision/principal_axes.h"
#include "src/math/double3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct CompoundChild {
  Shape shape;           // convex; what it refers to outlives the compound
  Vec3 position = {};    // of its centre, metres, within 10,000
  Quat rotation = {};    // of length one within 1e-3
  float density = 1.0f;  // as a multiple of the body's, 0.001 .. 1000
};

// A body's box is found from all children, in each step in which it moves.
inline constexpr std::size_t kMaxCompoundChildren = 256;

// How far a child's place may be from the frame's origin, on each axis, and how an error says it.
struct ChildRange {
  float metres;
  const char* detail;
};

// number: of the child, for errors.
Result<void> Validate(const CompoundChild& child, std::uint32_t number, const ChildRange& range);

// Each is below kMaxCompoundChildren, and there once.
Result<void> ValidateNumbers(std::span<const std::uint32_t> numbers);

// Of all children as one body, each of which counts in full.
struct CompoundMass {
  double mass = 0.0;
  Double3 centre;
  SecondMoments second{};  // about the centre
};
CompoundMass MassOf(std::span<const CompoundChild> children);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_COMPOUND_CHILD_H_
