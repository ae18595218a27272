#include "src/apps/demo/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace nowait {
namespace {

// Whether a file can be made beside `path`, which is where WriteFileWhole makes its own.
std::optional<std::string> CheckFile(std::string_view option, const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return fmt::format("{}: {}: is a folder", option, path);
  }
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return fmt::format("{}: {}: is not an ordinary file", option, path);
  }
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return fmt::format("{}: {}: {}", option, path, std::strerror(errno));
  ::close(file);
  ::unlink(temporary.c_str());
  return {};
}

}  // namespace

std::optional<std::string> CheckOutputs(const DemoOptions& options) {
  const std::pair<const char*, const std::string&> files[] = {
      {"--json", options.json}, {"--trace", options.trace}, {"--events", options.events}};
  for (const auto& [option, path] : files) {
    if (path.empty()) continue;
    for (const auto& [other, same] : files) {
      if (option == other) break;
      if (path == same) return fmt::format("{} and {} name the same file: {}", other, option, path);
    }
    if (auto wrong = CheckFile(option, path)) return wrong;
  }
  if (options.pictures.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(options.pictures, error);
  if (error) return fmt::format("--pictures: {}: {}", options.pictures, error.message());
  return CheckFile("--pictures", options.pictures + "/terrain.svg");
}

}  // namespace nowait
