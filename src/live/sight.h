// LiveCamera, LiveSight: where a viewer looks from, and what it sees.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_LIVE_SIGHT_H_
#define NOWAIT_SRC_LIVE_SIGHT_H_

#include <cstdint>
#include <vector>

#include "src/math/view_frustum.h"

namespace nowait {

struct LiveCamera {
  std::uint64_t viewer = 0;  // its number, which no other viewer of the server has
  ViewFrustum camera;

  friend bool operator==(const LiveCamera&, const LiveCamera&) = default;
};

struct LiveSight {
  std::uint64_t viewer = 0;
  std::vector<std::uint32_t> slots;   // of the bodies that it sees, ascending
  std::vector<std::uint32_t> lights;  // the numbers of those that shine on what it sees, ascending
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_SIGHT_H_
