// DrawMap: the terrain from above, with the bodies on it, as SVG.
//
// Hill shading lit from the north-west, contour lines every two metres, bodies by their outline
// from above. One colour an island; bodies without contacts are grey; sleeping bodies are paler.
#ifndef NOWAIT_SRC_APPS_DEMO_MAP_PICTURE_H_
#define NOWAIT_SRC_APPS_DEMO_MAP_PICTURE_H_

#include <span>
#include <string>

#include "src/bodies/body_snapshot.h"
#include "src/resource/terrain.h"

namespace nowait {

// subtitle: a description of the picture, in one line below the title. bodies: any; those that are
// neither spheres nor boxes are left out.
std::string DrawMap(const Terrain& terrain, std::span<const BodySnapshot> bodies,
                    const std::string& subtitle);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_MAP_PICTURE_H_
