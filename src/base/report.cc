#include "src/base/report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

// write(2) may write fewer bytes than requested.
bool WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Json NewReport(std::string_view schema, int version) {
  Json report = Json::object();
  report["schema"] = "nowait." + std::string(schema);
  report["version"] = version;
  return report;
}

std::string HashString(std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

Result<void> WriteFileWhole(const std::string& path, std::string_view text) {
  // A rename would replace even a device, if the caller has the rights; it fails on a folder.
  struct stat there;
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)) {
    return Fail(ErrorCode::kIo, "output file", EOPNOTSUPP, "it is not an ordinary file");
  }
  Result<std::string> temporary =
      OrNoMemory([&]() -> Result<std::string> { return path + ".XXXXXX"; });
  if (!temporary) return std::unexpected(temporary.error());
  const int file = ::mkstemp(temporary->data());
  if (file < 0) return Fail(ErrorCode::kIo, "output file", errno, "cannot create it");
  // mkstemp makes files private; a report is an ordinary file.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = WriteAll(file, text) && ::fchmod(file, 0666 & ~mask) == 0;
  const bool closed = ::close(file) == 0;
  if (written && closed && std::rename(temporary->c_str(), path.c_str()) == 0) return {};
  const int error = errno;
  ::unlink(temporary->c_str());
  return Fail(ErrorCode::kIo, "output file", error, "cannot write it");
}

Result<void> WriteReport(const std::string& path, const Json& report) {
  return OrNoMemory([&] {
    // Names come from outside, and may be no UTF-8.
    const std::string text = report.dump(2, ' ', false, Json::error_handler_t::replace);
    return WriteFileWhole(path, text + "\n");
  });
}

}  // namespace nowait
