#include "src/resource/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace nowait {
namespace {

std::unexpected<Error> Refused(const std::string& path) {
  const int error = errno;
  const char* const text = strerrordesc_np(error);  // a literal of the C library's
  return Fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, path.c_str(), error,
              text == nullptr ? "" : text);
}

std::unexpected<Error> TooLong(const std::string& path, std::int64_t most) {
  return Fail(ErrorCode::kCapacity, path.c_str(), most, "bytes of a file");
}

class Descriptor {
 public:
  // Non-blocking: opening a pipe would wait for a writer.
  explicit Descriptor(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

// Its length in bytes.
Result<std::uint64_t> CheckRegular(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return Refused(path);
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return Refused(path);
  }
  if (!S_ISREG(status.st_mode)) {
    return Fail(ErrorCode::kInvalidArgument, path.c_str(), 0, "not a regular file");
  }
  return static_cast<std::uint64_t>(status.st_size);
}

Result<void> ReadAll(const Descriptor& file, const std::string& path, std::uint64_t offset,
                     std::span<std::byte> into) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()) - into.size()) {
    return Fail(ErrorCode::kInvalidArgument, path.c_str(), 0, "an offset that no file has");
  }
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = pread(file.number(), into.data() + done, into.size() - done,
                                static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Refused(path);
    if (count == 0) {
      return Fail(ErrorCode::kCorrupt, path.c_str(), static_cast<std::int64_t>(done),
                  "it ends before the range does");
    }
    done += static_cast<std::size_t>(count);
  }
  return {};
}

// The kernel's files (/proc) report that they are empty: read to the end.
Result<std::vector<std::byte>> ReadToEnd(const Descriptor& file, const std::string& path,
                                         std::int64_t most) {
  constexpr std::size_t kStep = 1 << 16;
  std::vector<std::byte> bytes;
  for (std::size_t done = 0;;) {
    if (std::cmp_greater(done, most)) return TooLong(path, most);
    if (done == bytes.size()) bytes.resize(done + kStep);
    const ssize_t count =
        pread(file.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Refused(path);
    done += static_cast<std::size_t>(count);
    if (count == 0) {
      bytes.resize(done);
      return bytes;
    }
  }
}

Result<void> CheckPath(const std::string& path) {
  if (path.find('\0') == std::string::npos) return {};
  return Fail(ErrorCode::kInvalidArgument, path.c_str(), 0, "a path has no NUL inside");
}

Result<std::vector<std::byte>> ReadWhole(const std::string& path, std::int64_t most) {
  const Descriptor file(path);
  const auto length = CheckRegular(file, path);
  if (!length) return std::unexpected(length.error());
  if (*length == 0) return ReadToEnd(file, path, most);
  if (std::cmp_greater(*length, most)) return TooLong(path, most);
  std::vector<std::byte> bytes(*length);
  if (auto read = ReadAll(file, path, 0, bytes); !read) return std::unexpected(read.error());
  return bytes;
}

}  // namespace

Result<std::vector<std::byte>> ReadFile(const std::string& path, std::int64_t most) {
  if (auto good = CheckPath(path); !good) return std::unexpected(good.error());
  try {
    return ReadWhole(path, most);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kCapacity, path.c_str(), 0, "no memory for it");
  }
}

Result<void> ReadFileRange(const std::string& path, std::uint64_t offset,
                           std::span<std::byte> into) {
  if (auto good = CheckPath(path); !good) return good;
  const Descriptor file(path);
  const auto length = CheckRegular(file, path);
  if (!length) return std::unexpected(length.error());
  return ReadAll(file, path, offset, into);
}

}  // namespace nowait
