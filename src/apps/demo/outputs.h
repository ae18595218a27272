// Outputs: the files that a run will write, looked at before it.
//
// A run that takes a minute should not find out at its end that it cannot write its results. Each
// place is tried beforehand with a temporary file, and every file is written whole or not at all.
#ifndef NOWAIT_SRC_APPS_DEMO_OUTPUTS_H_
#define NOWAIT_SRC_APPS_DEMO_OUTPUTS_H_

#include <optional>
#include <string>

#include "src/apps/demo/options.h"

namespace nowait {

// Makes the folder for the pictures if need be. What is wrong with a place, in one line that names
// its option, or nothing.
std::optional<std::string> CheckOutputs(const DemoOptions& options);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_OUTPUTS_H_
