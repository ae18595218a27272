// Contours: lines of equal height through a grid of samples.
//
// Marching squares: a line crosses a cell's edge where the height between its two samples passes
// the level, and each cell joins its crossings. Crossings are then joined into lines of maximal
// length, closed ones included.
//
// Thread safety: one thread. The order of the lines depends on the samples alone.
#ifndef NOWAIT_SRC_APPS_DEMO_CONTOURS_H_
#define NOWAIT_SRC_APPS_DEMO_CONTOURS_H_

#include <vector>

#include "src/resource/terrain.h"

namespace nowait {

// In samples, from the first column and the first row.
struct MapPoint {
  double column;
  double row;
};

struct ContourLine {
  bool closed = false;
  std::vector<MapPoint> points;
};

// level: y in the terrain's frame.
std::vector<ContourLine> TraceContours(const Terrain& terrain, double level);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_CONTOURS_H_
