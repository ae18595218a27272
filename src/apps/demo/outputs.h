// Outputs: the files that a run will write, checked before it.
//
// A run of a minute should not find at its end that it cannot write its results. Each path is tried
// beforehand with a temporary file, and every file is written whole or not at all.
#ifndef NOWAIT_SRC_APPS_DEMO_OUTPUTS_H_
#define NOWAIT_SRC_APPS_DEMO_OUTPUTS_H_

#include <optional>
#include <string>

#include "src/apps/demo/options.h"

namespace nowait {

// Makes the folder for the pictures if necessary. Returns an error of one line that names the
// option of a bad path, or nothing.
std::optional<std::string> CheckOutputs(const DemoOptions& options);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_OUTPUTS_H_
