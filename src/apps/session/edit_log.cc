#include "src/apps/session/edit_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

struct Header {
  std::uint32_t length;
  std::uint32_t checksum;
};
static_assert(sizeof(Header) == 8);

std::unexpected<Error> Refused() {
  const int error = errno;
  const auto code = error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
  return Fail(code, "log", error, std::strerror(error));
}

std::uint32_t ChecksumOf(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

bool WriteAll(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const auto done = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
  return true;
}

bool ReadAll(int file, char* into, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    const auto done = ::pread(file, into + at, size - at, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += static_cast<std::size_t>(done);
  }
  return true;
}

// The name of a new file is on the disk when its folder is.
bool SyncFolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int opened =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return false;
  const bool synced = ::fsync(opened) == 0;
  ::close(opened);
  return synced;
}

}  // namespace

Result<EditLog::Opened> EditLog::Open(const std::string& path) {
  return OrNoMemory([&]() -> Result<Opened> {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return Refused();
    EditLog log(file);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) return Refused();
    if (!SyncFolderOf(path)) return Refused();
    auto texts = log.Read();
    if (!texts) return std::unexpected(texts.error());
    return Opened{std::move(log), std::move(*texts)};
  });
}

EditLog::EditLog(EditLog&& other) noexcept
    : file_(std::exchange(other.file_, -1)), bytes_(other.bytes_), broken_(other.broken_) {}

EditLog::~EditLog() {
  if (file_ >= 0) ::close(file_);
}

Result<std::vector<std::string>> EditLog::Read() {
  struct stat status {};
  if (::fstat(file_, &status) != 0) return Refused();
  if (!S_ISREG(status.st_mode)) return Fail(ErrorCode::kInvalidArgument, "log", 0, "not a file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > kMostBytes) return Fail(ErrorCode::kCapacity, "log bytes", kMostBytes);
  std::string bytes(size, '\0');
  if (!ReadAll(file_, bytes.data(), bytes.size())) return Refused();

  std::vector<std::string> texts;
  while (bytes_ < size) {
    const std::uint64_t left = size - bytes_;
    Header header{};
    if (left < sizeof header) break;
    std::memcpy(&header, bytes.data() + bytes_, sizeof header);
    if (header.length > left - sizeof header) break;
    const std::string_view text(bytes.data() + bytes_ + sizeof header, header.length);
    if (header.length == 0 || ChecksumOf(text) != header.checksum) {
      // The file may have got its length before its bytes: then nothing whole is behind them.
      if (bytes_ + sizeof header + header.length == size || header.length == 0) break;
      return Fail(ErrorCode::kCorrupt, "log", static_cast<std::int64_t>(bytes_), "its checksum");
    }
    texts.emplace_back(text);
    bytes_ += sizeof header + header.length;
  }
  if (bytes_ < size && ::ftruncate(file_, static_cast<off_t>(bytes_)) != 0) return Refused();
  if (bytes_ < size && ::fsync(file_) != 0) return Refused();
  return texts;
}

Result<void> EditLog::Append(std::string_view text) {
  if (broken_) return Fail(ErrorCode::kIo, "log", EIO, "an earlier write could not be undone");
  if (text.size() > kMostBytes - sizeof(Header) - bytes_) {
    return Fail(ErrorCode::kCapacity, "log bytes", kMostBytes);
  }
  const Header header{static_cast<std::uint32_t>(text.size()), ChecksumOf(text)};
  std::array<char, sizeof header> head;
  std::memcpy(head.data(), &header, sizeof header);
  const std::string_view first(head.data(), head.size());
  if (WriteAll(file_, first, bytes_) && WriteAll(file_, text, bytes_ + first.size()) &&
      ::fdatasync(file_) == 0) {
    bytes_ += first.size() + text.size();
    return {};
  }
  const auto refused = Refused();
  // After a failed fdatasync nobody knows what is on the disk (the system drops the pages).
  broken_ = ::ftruncate(file_, static_cast<off_t>(bytes_)) != 0 || ::fdatasync(file_) != 0;
  return refused;
}

}  // namespace nowait
