#include "models/kit/process/command_line.h"

#include <fmt/format.h>

#include <cstdio>

namespace nowait::model {

std::optional<int> ReadCommandLine(CLI::App& app, int argc, char** argv) {
  constexpr int kUsageError = 2;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kUsageError;
  }
  return std::nullopt;
}

}  // namespace nowait::model
