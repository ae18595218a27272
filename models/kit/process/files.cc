#include "models/kit/process/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace nowait::model {
namespace {

enum class Place { kNothing, kFile, kDirectory, kDevice };

Place PlaceAt(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return Place::kNothing;
  if (S_ISREG(status.st_mode)) return Place::kFile;
  return S_ISDIR(status.st_mode) ? Place::kDirectory : Place::kDevice;
}

// The file that a symbolic link leads to, because the link itself must remain.
std::string Resolved(const std::string& path) {
  char* const found = realpath(path.c_str(), nullptr);
  if (found == nullptr) return path;
  std::string resolved = found;
  std::free(found);
  return resolved;
}

std::string Beside(const std::string& path) { return path + ".new"; }

// Creates a file, and replaces one that an earlier attempt left behind.
int OpenBeside(const std::string& path) {
  return open(Beside(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool WriteAll(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

bool WriteTo(const std::string& device, const std::string& text) {
  const int file = open(device.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = WriteAll(file, text);
  const int why = errno;
  close(file);
  errno = why;
  return written;
}

}  // namespace

std::optional<std::string> ReadAll(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  char piece[1 << 16];
  ssize_t size;
  do {
    size = read(file, piece, sizeof piece);
    if (size > 0 && text.size() + size > kMaxFile) break;
    if (size > 0) text.append(piece, piece + size);
  } while (size > 0 || (size < 0 && errno == EINTR));
  const int why = size > 0 ? EFBIG : errno;
  close(file);
  errno = why;
  if (size != 0) return std::nullopt;
  return text;
}

bool WriteWhole(const std::string& path, const std::string& text) {
  if (PlaceAt(path) == Place::kDevice) return WriteTo(path, text);
  const std::string resolved = Resolved(path);
  const int file = OpenBeside(resolved);
  if (file < 0) return false;
  const bool written = WriteAll(file, text) && fsync(file) == 0;
  const int why_unwritten = errno;
  const bool closed = close(file) == 0;
  if (written && closed && std::rename(Beside(resolved).c_str(), resolved.c_str()) == 0)
    return true;
  const int why = written ? errno : why_unwritten;
  unlink(Beside(resolved).c_str());
  errno = why;
  return false;
}

bool CanWrite(const std::string& path) {
  const Place place = PlaceAt(path);
  if (place == Place::kDirectory) {
    errno = EISDIR;
    return false;
  }
  if (place == Place::kDevice) return access(path.c_str(), W_OK) == 0;
  const std::string resolved = Resolved(path);
  const int file = OpenBeside(resolved);
  if (file < 0) return false;
  close(file);
  unlink(Beside(resolved).c_str());
  return true;
}

}  // namespace nowait::model
