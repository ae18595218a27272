#include "src/jobs/file_read.h"

#include <utility>

#include "src/resource/file.h"

namespace nowait {

FileRead::FileRead(std::string path) : path_(std::move(path)) {}

FileRead::FileRead(std::string path, std::uint64_t offset, std::span<std::byte> into)
    : path_(std::move(path)), offset_(offset), into_(into) {}

Result<std::span<const std::byte>> FileRead::bytes() const {
  if (!request_.answer()) return std::unexpected(request_.answer().error());
  return into_ ? std::span<const std::byte>(*into_) : std::span<const std::byte>(own_);
}

Result<void> FileRead::Serve(void* data) {
  auto& read = *static_cast<FileRead*>(data);
  if (read.into_) return ReadFileRange(read.path_, read.offset_, *read.into_);
  auto bytes = ReadFile(read.path_);
  if (!bytes) return std::unexpected(bytes.error());
  read.own_ = *std::move(bytes);
  return {};
}

}  // namespace nowait
