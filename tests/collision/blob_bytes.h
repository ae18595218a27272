// The bytes of blobs, to read and to damage.
#ifndef NOWAIT_TESTS_COLLISION_BLOB_BYTES_H_
#define NOWAIT_TESTS_COLLISION_BLOB_BYTES_H_

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/resource/blob.h"

namespace nowait::test {

using Bytes = std::vector<std::byte>;

inline Bytes Good(const Result<Bytes>& bytes) {
  REQUIRE(bytes);
  return *bytes;
}

// With the checksum that belongs to the bytes.
inline Bytes Sealed(Bytes bytes) {
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()) + offsetof(BlobHeader, kind),
              bytes.size() - offsetof(BlobHeader, kind)));
  std::memcpy(bytes.data() + offsetof(BlobHeader, checksum), &sum, sizeof sum);
  return bytes;
}

// With a value in place of the bytes there.
template <class T>
Bytes With(Bytes bytes, std::size_t at, const T& value) {
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return Sealed(std::move(bytes));
}

template <class T>
T At(const Bytes& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace nowait::test

#endif  // NOWAIT_TESTS_COLLISION_BLOB_BYTES_H_
