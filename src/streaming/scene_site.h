// SceneSite: where a scene is, and its two radii.
//
// Source: [rouwe2022], "Open world - scenes".
#ifndef NOWAIT_SRC_STREAMING_SCENE_SITE_H_
#define NOWAIT_SRC_STREAMING_SCENE_SITE_H_

#include <cmath>

#include "src/resource/blob_data.h"

namespace nowait {

struct SceneSite {
  static constexpr float kMostEncounter = 125.0f;
  static constexpr float kMostActivation = 200.0f;

  float x = 0.0f;  // metres, of its middle
  float z = 0.0f;
  float encounter = 0.0f;   // metres: its objects and game objects stay within
  float activation = 0.0f;  // metres: a player within makes it active

  friend bool operator==(const SceneSite&, const SceneSite&) = default;

  // Whether the radii are within their bounds, and the place is one of a world.
  bool IsValid() const {
    return std::abs(x) <= 1e6f && std::abs(z) <= 1e6f && encounter > 0.0f &&
           encounter <= kMostEncounter && activation > 0.0f && activation <= kMostActivation;
  }
};
static_assert(BlobData<SceneSite> && sizeof(SceneSite) == 4 * sizeof(float));

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_SCENE_SITE_H_
