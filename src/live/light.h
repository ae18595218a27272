// LiveLight: a lamp in the scene, for viewers.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_LIVE_LIGHT_H_
#define NOWAIT_SRC_LIVE_LIGHT_H_

#include <array>
#include <cstddef>

#include "src/math/vec3.h"

namespace nowait {

inline constexpr std::size_t kMostLights = 32;  // of a scene; further ones are left out

struct LiveLight {
  Vec3 position;
  float reach = 1.0f;                       // metres, above zero; beyond, it is dark
  std::array<float, 3> colour = {1, 1, 1};  // red, green and blue, each 0 .. 1

  friend bool operator==(const LiveLight&, const LiveLight&) = default;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_LIVE_LIGHT_H_
