// RayTrace: what a ray has met on its way to its first hit, for a viewer or for a person.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_WORLD_RAY_TRACE_H_
#define NOWAIT_SRC_WORLD_RAY_TRACE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "src/collision/ray_cast.h"
#include "src/math/bounds.h"
#include "src/world/world_view.h"

namespace nowait {

struct RayTrace {
  RayCast ray;
  std::vector<Bounds<3>> nodes;  // of the trees, in the order of the visits; their boxes
  std::uint32_t bodies = 0;      // whose boxes the ray met before its first hit was known
  std::optional<RayHit> hit;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_RAY_TRACE_H_
