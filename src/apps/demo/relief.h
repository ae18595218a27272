// ReliefImage: terrain from above as a shaded picture, for maps.
#ifndef NOWAIT_SRC_APPS_DEMO_RELIEF_H_
#define NOWAIT_SRC_APPS_DEMO_RELIEF_H_

#include <string>

#include "src/resource/terrain.h"

namespace nowait {

// A data URI of a PNG, one pixel a sample; the viewer smooths it.
std::string ReliefImage(const Terrain& terrain);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_RELIEF_H_
