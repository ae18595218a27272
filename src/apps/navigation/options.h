// The command line of the navigation program.
#ifndef NOWAIT_SRC_APPS_NAVIGATION_OPTIONS_H_
#define NOWAIT_SRC_APPS_NAVIGATION_OPTIONS_H_

#include <optional>
#include <string>

#include "src/apps/navigation/run.h"

namespace nowait {

struct NavigationOptions {
  NavigationRunDef run;
  std::string svg;  // the picture's path; empty: none is wanted
};

// Reads the arguments. Returns the exit status if the program is to end here: after --help, or a
// wrong argument, which was named in one line.
std::optional<int> ParseOptions(int argc, char** argv, NavigationOptions& options);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_NAVIGATION_OPTIONS_H_
