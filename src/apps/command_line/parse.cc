#include "src/apps/command_line/parse.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace nowait {

std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    // CLI11's message may have several lines; the first names the mistake.
    const std::string what = error.what();
    fmt::print(stderr, "{}: {}\n", app.get_name(), what.substr(0, what.find('\n')));
    return kUsage;
  }
  return std::nullopt;
}

}  // namespace nowait
