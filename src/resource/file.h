// Reading files: a whole one, or a range of one, into memory.
//
// Each call opens, reads and closes the file, and may stall for as long as the disk does: it is
// meant for a device's thread (src/jobs/file_read.h).
//
// Only regular files are read: a pipe or a terminal would block the thread without a bound.
//
// Errors: kNotFound or kIo with errno, kInvalidArgument (not a regular file, or a path with a NUL),
// kCapacity (a whole file with more bytes than the caller accepts, or than memory permits),
// kCorrupt (only `amount` bytes could be read, fewer than requested). `subject` is the path, which
// must outlive the error (Error holds no copy); `detail` gives the reason in the system's words.
//
// Thread safety: any thread, any time. Blocking: the file system.
#ifndef NOWAIT_SRC_RESOURCE_FILE_H_
#define NOWAIT_SRC_RESOURCE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"

namespace nowait {

// The longest file that is read whole: 4 GiB. A longer one, such as a sparse file of 1 TiB, is read
// in ranges.
inline constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 32;

// The whole file, with its length when it was opened. A file that reports length zero is read to
// its end, because files under /proc report zero without being empty. most: the length of the
// longest file that the caller accepts.
Result<std::vector<std::byte>> ReadFile(const std::string& path,
                                        std::int64_t most = kMostFileBytes);

// Reads the bytes from `offset` on, as many as there is room for. On an error `into` may have been
// written in part.
Result<void> ReadFileRange(const std::string& path, std::uint64_t offset,
                           std::span<std::byte> into);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_FILE_H_
