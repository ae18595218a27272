// Parse: a program's command line, with one line for a mistake in it.
#ifndef NOWAIT_SRC_APPS_COMMAND_LINE_PARSE_H_
#define NOWAIT_SRC_APPS_COMMAND_LINE_PARSE_H_

#include <CLI/CLI.hpp>
#include <optional>

namespace nowait {

// The exit status for a mistake in the command line.
inline constexpr int kUsage = 2;

// Gives the app's options their values. Returns nothing when the program is to go on, otherwise its
// exit status: the help has been printed, or a line with the app's name and the mistake.
std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_COMMAND_LINE_PARSE_H_
