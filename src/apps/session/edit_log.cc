#include "src/apps/session/edit_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

struct Header {
  std::uint32_t length;
  std::uint32_t checksum;
  std::uint32_t own_checksum;  // of the two before
};
static_assert(sizeof(Header) == 12);
constexpr std::size_t kChecked = offsetof(Header, own_checksum);

std::unexpected<Error> Refused() {
  const int error = errno;
  const auto code = error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
  return Fail(code, "log", error, std::strerror(error));
}

std::uint32_t ChecksumOf(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

Header HeaderOf(std::string_view text) {
  Header header{static_cast<std::uint32_t>(text.size()), ChecksumOf(text), 0};
  std::array<char, kChecked> head;
  std::memcpy(head.data(), &header, head.size());
  header.own_checksum = ChecksumOf({head.data(), head.size()});
  return header;
}

// The header that `bytes` begin with, if they begin with one.
std::optional<Header> TakeHeader(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof header) return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.length == 0 || ChecksumOf(bytes.substr(0, kChecked)) != header.own_checksum) return {};
  return header;
}

// The text of the record that `bytes` begin with; empty if it is not whole.
std::string_view TakeText(std::string_view bytes) {
  const auto header = TakeHeader(bytes);
  if (!header || header->length > bytes.size() - sizeof(Header)) return {};
  const std::string_view text = bytes.substr(sizeof(Header), header->length);
  return ChecksumOf(text) == header->checksum ? text : std::string_view();
}

// Whether something that was written later stands behind the place of a record that is not whole.
bool HasMoreBehind(std::string_view bytes) {
  if (const auto header = TakeHeader(bytes)) {
    return header->length < bytes.size() - sizeof(Header);
  }
  for (std::size_t at = 1; at < bytes.size(); ++at) {
    if (!TakeText(bytes.substr(at)).empty()) return true;
  }
  return false;
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

Result<std::string> BytesOf(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return Refused();
  if (!S_ISREG(status.st_mode)) return Fail(ErrorCode::kInvalidArgument, "log", 0, "not a file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > EditLog::kMostBytes) {
    return Fail(ErrorCode::kCapacity, "log bytes", EditLog::kMostBytes);
  }
  std::string bytes(size, '\0');
  if (!ReadAll(file, bytes.data(), bytes.size())) return Refused();
  return bytes;
}

}  // namespace

Result<LogContent> ReadLog(std::string_view bytes) {
  return OrNoMemory([&]() -> Result<LogContent> {
    const auto wrong = [](std::uint64_t at, const char* why) {
      return Fail(ErrorCode::kCorrupt, "log", static_cast<std::int64_t>(at), why);
    };
    LogContent content;
    const std::string_view mark = EditLog::kMark;
    if (!bytes.starts_with(mark)) {
      // It was made and not yet marked, or has the mark's length before its bytes.
      const auto other = std::ranges::mismatch(bytes, mark).in1;
      const bool begun = bytes.size() <= mark.size() &&
                         std::all_of(other, bytes.end(), [](char c) { return c == '\0'; });
      if (!begun) return wrong(0, "it is no log of a session");
      return content;
    }
    content.whole = mark.size();
    while (content.whole < bytes.size()) {
      const std::string_view rest = bytes.substr(content.whole);
      const std::string_view text = TakeText(rest);
      if (text.empty()) {
        if (HasMoreBehind(rest)) return wrong(content.whole, "its checksum");
        break;
      }
      content.texts.emplace_back(text);
      content.whole += sizeof(Header) + text.size();
    }
    return content;
  });
}

Result<EditLog::Opened> EditLog::Open(const std::string& path) {
  return OrNoMemory([&]() -> Result<Opened> {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return Refused();
    EditLog log(file);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return Refused();
      return Fail(ErrorCode::kIo, "log", EWOULDBLOCK, "another session has it");
    }
    if (!SyncFolderOf(path)) return Refused();
    auto texts = log.Read();
    if (!texts) return std::unexpected(texts.error());
    return Opened{std::move(log), std::move(*texts)};
  });
}

Result<std::vector<std::string>> EditLog::Look(const std::string& path) {
  return OrNoMemory([&]() -> Result<std::vector<std::string>> {
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return Refused();
    const EditLog closes(file);
    const auto bytes = BytesOf(file);
    if (!bytes) return std::unexpected(bytes.error());
    auto content = ReadLog(*bytes);
    if (!content) return std::unexpected(content.error());
    return std::move(content->texts);
  });
}

EditLog::EditLog(EditLog&& other) noexcept
    : file_(std::exchange(other.file_, -1)), bytes_(other.bytes_), broken_(other.broken_) {}

EditLog::~EditLog() {
  if (file_ >= 0) ::close(file_);
}

Result<std::vector<std::string>> EditLog::Read() {
  const auto bytes = BytesOf(file_);
  if (!bytes) return std::unexpected(bytes.error());
  auto content = ReadLog(*bytes);
  if (!content) return std::unexpected(content.error());
  bytes_ = content->whole;
  if (bytes_ < bytes->size() &&
      (::ftruncate(file_, static_cast<off_t>(bytes_)) != 0 || ::fsync(file_) != 0)) {
    return Refused();
  }
  if (bytes_ == 0) {
    if (!WriteAll(file_, kMark, 0) || ::fdatasync(file_) != 0) return Refused();
    bytes_ = kMark.size();
  }
  return std::move(content->texts);
}

Result<void> EditLog::Append(std::string_view text) {
  if (broken_) return Fail(ErrorCode::kIo, "log", EIO, "an earlier write could not be undone");
  if (text.size() > kMostBytes - bytes_ || sizeof(Header) > kMostBytes - bytes_ - text.size()) {
    return Fail(ErrorCode::kCapacity, "log bytes", kMostBytes);
  }
  const Header header = HeaderOf(text);
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
