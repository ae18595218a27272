// The command line of a small program, read by CLI11.
#ifndef NOWAIT_MODELS_KIT_PROCESS_COMMAND_LINE_H_
#define NOWAIT_MODELS_KIT_PROCESS_COMMAND_LINE_H_

#include <CLI/CLI.hpp>
#include <optional>

namespace nowait::model {

// Returns the exit status if nothing is to run: 0 after --help, and 2 after a line on stderr that
// names the mistake.
std::optional<int> ReadCommandLine(CLI::App& app, int argc, char** argv);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_COMMAND_LINE_H_
