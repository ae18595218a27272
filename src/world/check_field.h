// Checks of the fields of a definition from outside.
#ifndef NOWAIT_SRC_WORLD_CHECK_FIELD_H_
#define NOWAIT_SRC_WORLD_CHECK_FIELD_H_

#include "src/base/result.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// False for NaN, like every comparison here.
inline bool Within(float value, float low, float high) { return value >= low && value <= high; }

inline bool Within(Vec3 v, float size) {
  return Within(v.x, -size, size) && Within(v.y, -size, size) && Within(v.z, -size, size);
}

inline bool IsUnit(Quat rotation) { return Within(LengthSquared(rotation), 0.998f, 1.002f); }

// kInvalidArgument `name`, with the range as its detail.
inline Result<void> Check(float value, float low, float high, const char* name, const char* range) {
  if (Within(value, low, high)) return {};
  return Fail(ErrorCode::kInvalidArgument, name, 0, range);
}

// The first error, if any.
template <class... Results>
Result<void> All(Results... results) {
  Result<void> first;
  const auto take = [&](const Result<void>& result) {
    if (first && !result) first = result;
  };
  (take(results), ...);
  return first;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_CHECK_FIELD_H_
