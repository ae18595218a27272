// Report: fights with one step a frame and with two, side by side: a table, and a chart.
#ifndef NOWAIT_SRC_APPS_SNAKE_REPORT_H_
#define NOWAIT_SRC_APPS_SNAKE_REPORT_H_

#include <string>

#include "src/apps/snake/fight.h"

namespace nowait {

struct Fights {
  FightDef def;
  FightResult one;  // with one step a frame
  FightResult two;
};

// Both have all frames, def.frames. Busy frames are those after the first second, until the dead
// snake rests.
std::string FightTable(const Fights& fights);

// An SVG file: cost, the widest joint and the jitter over the time.
std::string FightChart(const Fights& fights);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_SNAKE_REPORT_H_
