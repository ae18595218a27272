#include "src/apps/demo/outputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "src/apps/command_line/output_file.h"

namespace nowait {

std::optional<std::string> CheckOutputs(const DemoOptions& options) {
  const std::pair<const char*, const std::string&> files[] = {
      {"--json", options.json}, {"--trace", options.trace}, {"--events", options.events}};
  for (const auto& [option, path] : files) {
    if (path.empty()) continue;
    for (const auto& [other, same] : files) {
      if (option == other) break;
      if (path == same) return fmt::format("{} and {} name the same file: {}", other, option, path);
    }
    if (auto wrong = CheckOutputFile(option, path)) return wrong;
  }
  if (options.pictures.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(options.pictures, error);
  if (error) return fmt::format("--pictures: {}: {}", options.pictures, error.message());
  return CheckOutputFile("--pictures", options.pictures + "/terrain.svg");
}

}  // namespace nowait
