// Reading files: a whole one, or a range of one, into memory.
//
// Each call opens the file, reads and closes it, and may stall for as long as the disk does: it is
// meant for a device's thread (src/jobs/file_read.h).
//
// Only regular files: a pipe or a terminal would block the thread without a bound.
//
// Errors: kNotFound or kIo with errno, kInvalidArgument (not a regular file, or a path with a NUL),
// kCapacity (a whole file of more bytes than the caller takes, or than there is memory for),
// kCorrupt (`amount` bytes could be read, fewer than were asked for). `subject` is the path, which
// outlives the error (Error holds no copy), `detail` says why in the system's words.
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

// The longest file that is read whole: 4 GiB. A longer one, for example a sparse file of 1 TiB, is
// read in ranges.
inline constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 32;

// The whole file, at its length when it was opened. A file that reports length zero is read to its
// end: those under /proc report it and are not empty. most: the length of the longest file that the
// caller takes.
Result<std::vector<std::byte>> ReadFile(const std::string& path,
                                        std::int64_t most = kMostFileBytes);

// The bytes from `offset` on, as many as there is room for. On an error `into` may have been
// written in part.
Result<void> ReadFileRange(const std::string& path, std::uint64_t offset,
                           std::span<std::byte> into);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_FILE_H_
