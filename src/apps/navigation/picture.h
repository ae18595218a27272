// DrawNavigation: the valley from above, with the mesh, the obstacles and the walkers' tracks.
#ifndef NOWAIT_SRC_APPS_NAVIGATION_PICTURE_H_
#define NOWAIT_SRC_APPS_NAVIGATION_PICTURE_H_

#include <string>

#include "src/apps/navigation/run.h"

namespace nowait {

// subtitle: a description of the picture, in one line.
std::string DrawNavigation(const NavigationReport& report, const std::string& subtitle);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_NAVIGATION_PICTURE_H_
