#include "src/resource/blob.h"

#include <zlib.h>

#include <cstring>
#include <limits>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

constexpr std::array<char, 8> kMagic = {'N', 'O', 'W', 'A', 'I', 'T', 'B', 'L'};
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kCovered = offsetof(BlobHeader, kind);  // by the checksum, from here on

static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= kBlobAlignment, "a vector's bytes may be a blob");

std::size_t RoundedUp(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

std::uint32_t ChecksumOf(std::span<const std::byte> blob) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(blob.data()) + kCovered, blob.size() - kCovered));
}

std::unexpected<Error> Wrong(std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, "blob", static_cast<std::int64_t>(place), why);
}

}  // namespace

Result<Blob> Blob::Open(std::span<const std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kBlobAlignment != 0) {
    return Fail(ErrorCode::kInvalidArgument, "blob", 0, "does not lie at a multiple of 16");
  }
  if (bytes.size() < sizeof(BlobHeader)) return Wrong(bytes.size(), "cut off in its header");
  BlobHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kMagic) return Wrong(0, "does not begin as one");
  if (header.format != kFormat) return Wrong(offsetof(BlobHeader, format), "of another format");
  if (header.bytes < sizeof header || header.bytes % kBlobAlignment != 0 ||
      header.bytes > std::numeric_limits<std::uint32_t>::max()) {
    return Wrong(offsetof(BlobHeader, bytes), "has a size that no blob has");
  }
  if (header.bytes > bytes.size()) return Wrong(bytes.size(), "shorter than its header says");
  bytes = bytes.first(static_cast<std::size_t>(header.bytes));
  if (header.checksum != ChecksumOf(bytes)) {
    return Wrong(offsetof(BlobHeader, checksum), "its checksum does not match");
  }
  return Blob(bytes);
}

Result<void> Blob::Expect(std::uint32_t kind, std::uint32_t version) const {
  if (header().kind != kind) return Wrong(offsetof(BlobHeader, kind), "of another kind");
  if (header().version != version) {
    return Wrong(offsetof(BlobHeader, version), "its content is of another version");
  }
  return {};
}

Result<void> Blob::Check(std::uint64_t at, std::uint64_t count, std::uint64_t size,
                         std::uint64_t alignment) const {
  // No sum or product overflows: each factor is below 2^32.
  if (at % alignment == 0 && at >= sizeof(BlobHeader) && at <= bytes_.size() &&
      size <= bytes_.size() && count <= (bytes_.size() - at) / size) {
    return {};
  }
  return Wrong(static_cast<std::size_t>(at), "an offset leads out of it");
}

Result<std::optional<Blob>> BlobSequence::TakeNext() {
  if (place_ == bytes_.size()) return std::optional<Blob>();
  Result<Blob> blob = Blob::Open(bytes_.subspan(place_));
  if (!blob) {
    Error error = blob.error();
    error.amount += static_cast<std::int64_t>(place_);
    return std::unexpected(error);
  }
  place_ += blob->bytes().size();
  return std::optional<Blob>(*blob);
}

// Appends zeros up to `size`.
Result<void> BlobWriter::Grow(std::size_t size) {
  if (size > most_bytes_) return Fail(ErrorCode::kCapacity, "blob bytes", most_bytes_);
  return OrNoMemory([&]() -> Result<void> {
    bytes_.resize(size);
    return {};
  });
}

Result<std::uint32_t> BlobWriter::Put(std::span<const std::byte> bytes, std::size_t alignment) {
  const std::size_t at = RoundedUp(bytes_.empty() ? sizeof(BlobHeader) : bytes_.size(), alignment);
  if (bytes.size() > most_bytes_) return Fail(ErrorCode::kCapacity, "blob bytes", most_bytes_);
  if (Result<void> grown = Grow(at + bytes.size()); !grown) {
    return std::unexpected(grown.error());
  }
  Overwrite(at, bytes);
  return static_cast<std::uint32_t>(at);
}

void BlobWriter::Overwrite(std::size_t at, std::span<const std::byte> bytes) {
  NOWAIT_ASSERT(at <= bytes_.size() && bytes.size() <= bytes_.size() - at,
                "an object that is set has been added");
  if (!bytes.empty()) std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
}

Result<std::vector<std::byte>> BlobWriter::Finish() {
  const std::size_t size =
      RoundedUp(bytes_.empty() ? sizeof(BlobHeader) : bytes_.size(), kBlobAlignment);
  if (Result<void> grown = Grow(size); !grown) return std::unexpected(grown.error());
  BlobHeader header{kMagic, kFormat, 0, kind_, version_, size};
  Overwrite(0, std::as_bytes(std::span(&header, 1)));
  header.checksum = ChecksumOf(bytes_);
  Overwrite(0, std::as_bytes(std::span(&header, 1)));
  return std::exchange(bytes_, {});
}

}  // namespace nowait
