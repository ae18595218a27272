#include "src/apps/command_line/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace nowait {

std::optional<std::string> CheckOutputFile(std::string_view option, const std::string& path) {
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

}  // namespace nowait
