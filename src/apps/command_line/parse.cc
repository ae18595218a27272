#include "src/apps/command_line/parse.h"

#include "src/apps/command_line/print.h"

namespace nowait {

std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    // CLI11's message may have several lines; the first names the mistake.
    PrintError(app.get_name(), error.what());
    return kUsage;
  }
  return std::nullopt;
}

}  // namespace nowait
