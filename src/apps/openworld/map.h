// DrawRide: the map of a ride: tiles with their states, scenes, the player's track, bodies.
//
// Relief and bodies are one image, a pixel for 4 m; the rest is drawn on it.
// Thread safety: pure.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_MAP_H_
#define NOWAIT_SRC_APPS_OPENWORLD_MAP_H_

#include <string>

#include "src/apps/openworld/ride.h"
#include "src/resource/elevation.h"
#include "src/streaming/world_index.h"
#include "src/streaming/world_source.h"

namespace nowait {

// An SVG file.
std::string DrawRide(const RideResult& ride, const WorldIndex& index, const WorldSource& source,
                     const Elevation& elevation);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_MAP_H_
