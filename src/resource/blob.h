// Blob: plain data with offsets in place of pointers, usable in place.
//
// A blob is one piece of memory. It may be copied, saved, sent and loaded as bytes, and its
// data is read in place. Successive blobs are a sequence of blobs. The file format,
// little-endian:
//
//   offset  size  field
//        0     8  "NOWAITBL"
//        8     4  version of this format, unsigned: 1
//       12     4  CRC-32 (that of zlib) of all bytes behind this field
//       16     4  kind of content, four characters
//       20     4  version of the content, unsigned
//       24     8  bytes of the blob, unsigned, this header included; a multiple of 16
//       32        content; offsets count from the blob's first byte
//
//   BlobWriter writer(kDoors, 1, 4096);
//   const auto list = writer.AddArray<Door>(doors);                if (!list) ...
//   const auto bytes = writer.Finish();                            if (!bytes) ...
//   const auto blob = Blob::Open(*bytes);                          if (!blob) ...
//   const auto again = blob->Get(*list);                           if (!again) ...
//
// Thread safety: a blob is a view of bytes that others own; a writer belongs to one thread.
// Errors: a blob comes from outside. kCorrupt with the reason; `amount` is the offset of the error,
// in bytes from the beginning of what was opened. Test: tests/resource/blob_test.cc.
// Source: [bitsquid2010], "The Blob and I".
#ifndef NOWAIT_SRC_RESOURCE_BLOB_H_
#define NOWAIT_SRC_RESOURCE_BLOB_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/resource/blob_data.h"

namespace nowait {

struct BlobHeader {
  std::array<char, 8> magic;
  std::uint32_t format;
  std::uint32_t checksum;
  std::uint32_t kind;
  std::uint32_t version;
  std::uint64_t bytes;
};
static_assert(BlobData<BlobHeader> && sizeof(BlobHeader) == 2 * kBlobAlignment);

// The offset of a T in a blob, or of several in a row. It is itself data of a blob, by which one
// object of a blob names another. It contains no address, so it is valid after a move as before it.
template <class T>
struct BlobOffset {
  std::uint32_t at = 0;
  friend bool operator==(const BlobOffset&, const BlobOffset&) = default;
};
template <class T>
struct BlobArray {
  std::uint32_t at = 0;
  std::uint32_t count = 0;
  friend bool operator==(const BlobArray&, const BlobArray&) = default;
};

class Blob {
 public:
  // Opens the blob at the beginning of `bytes`, which may continue behind it. Reads all of it once,
  // for the checksum. kInvalidArgument "blob": the first byte is not aligned to 16 bytes.
  static Result<Blob> Open(std::span<const std::byte> bytes);

  std::uint32_t kind() const { return header().kind; }
  std::uint32_t version() const { return header().version; }
  std::span<const std::byte> bytes() const { return bytes_; }

  // kCorrupt: another kind of content, or another version of it.
  Result<void> Expect(std::uint32_t kind, std::uint32_t version) const;

  // The object in place, valid as long as the blob's bytes. kCorrupt: the offset is not that of an
  // object of that size within the content.
  template <BlobData T>
  Result<const T*> Get(BlobOffset<T> offset) const {
    if (Result<void> there = Check(offset.at, 1, sizeof(T), alignof(T)); !there) {
      return std::unexpected(there.error());
    }
    return reinterpret_cast<const T*>(bytes_.data() + offset.at);
  }
  template <BlobData T>
  Result<std::span<const T>> Get(BlobArray<T> array) const {
    if (Result<void> there = Check(array.at, array.count, sizeof(T), alignof(T)); !there) {
      return std::unexpected(there.error());
    }
    return std::span(reinterpret_cast<const T*>(bytes_.data() + array.at), array.count);
  }
  // The object at the beginning of the content, which by convention names the others.
  template <BlobData T>
  Result<const T*> First() const {
    return Get(BlobOffset<T>{sizeof(BlobHeader)});
  }

 private:
  explicit Blob(std::span<const std::byte> bytes) : bytes_(bytes) {}

  const BlobHeader& header() const { return *reinterpret_cast<const BlobHeader*>(bytes_.data()); }
  Result<void> Check(std::uint64_t at, std::uint64_t count, std::uint64_t size,
                     std::uint64_t alignment) const;

  std::span<const std::byte> bytes_;
};

// The blobs of a sequence, one after the other.
class BlobSequence {
 public:
  explicit BlobSequence(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // Returns the next blob, or nothing at the end. After an error the sequence stays where it is;
  // the error's `amount` counts from the beginning of the sequence.
  Result<std::optional<Blob>> TakeNext();

  // The offset of the next blob, in bytes from the beginning.
  std::size_t place() const { return place_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t place_ = 0;
};

// Makes a blob, object by object. The bytes between two objects are zero, so the same calls give
// the same bytes.
class BlobWriter {
 public:
  // most_bytes: the largest size of the blob, including its header.
  BlobWriter(std::uint32_t kind, std::uint32_t version, std::uint32_t most_bytes)
      : kind_(kind), version_(version), most_bytes_(most_bytes) {}

  // kCapacity "blob bytes" or "memory"; then nothing has been added.
  template <BlobData T>
  Result<BlobOffset<T>> Add(const T& value) {
    const Result<std::uint32_t> at = Put(std::as_bytes(std::span(&value, 1)), alignof(T));
    if (!at) return std::unexpected(at.error());
    return BlobOffset<T>{*at};
  }
  template <BlobData T>
  Result<BlobArray<T>> AddArray(std::span<const T> values) {
    const Result<std::uint32_t> at = Put(std::as_bytes(values), alignof(T));
    if (!at) return std::unexpected(at.error());
    return BlobArray<T>{*at, static_cast<std::uint32_t>(values.size())};
  }

  // Replaces the value of an object that was added, typically to name objects that came after it.
  template <BlobData T>
  void Set(BlobOffset<T> offset, const T& value) {
    Overwrite(offset.at, std::as_bytes(std::span(&value, 1)));
  }

  // Returns the blob, emptying the writer. kCapacity "blob bytes" or "memory": nothing has changed.
  Result<std::vector<std::byte>> Finish();

 private:
  Result<std::uint32_t> Put(std::span<const std::byte> bytes, std::size_t alignment);
  Result<void> Grow(std::size_t size);
  void Overwrite(std::size_t at, std::span<const std::byte> bytes);

  std::uint32_t kind_;
  std::uint32_t version_;
  std::uint32_t most_bytes_;
  std::vector<std::byte> bytes_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_BLOB_H_
