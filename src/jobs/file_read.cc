#include "src/jobs/file_read.h"

#include <memory>
#include <utility>

#include "src/resource/file.h"

namespace nowait {

FileRead::FileRead(std::string path) : state_(std::make_shared<State>(std::move(path))) {}

FileRead::FileRead(std::string path, std::uint64_t offset, std::span<std::byte> into)
    : state_(std::make_shared<State>(std::move(path), offset, into)) {}

Result<std::span<const std::byte>> FileRead::bytes() const {
  if (!request_.answer()) return std::unexpected(request_.answer().error());
  return state_->into ? std::span<const std::byte>(*state_->into)
                      : std::span<const std::byte>(state_->own);
}

Result<void> FileRead::Serve(void* state) {
  auto& read = *static_cast<State*>(state);
  if (read.into) return ReadFileRange(read.path, read.offset, *read.into);
  auto bytes = ReadFile(read.path);
  if (!bytes) return std::unexpected(bytes.error());
  read.own = *std::move(bytes);
  return {};
}

}  // namespace nowait
