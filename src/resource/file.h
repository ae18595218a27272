// Reading files: a whole one, or a range of one, into memory.
//
// Each call opens the file, reads and closes it, and may stall for as long as the disk does: it is
// for the thread of a device (src/jobs/file_read.h).
//
// Only regular files: what a pipe or a terminal would hold the thread up for has no bound.
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

// The longest file that is read whole: 4 GiB. What is longer, as a sparse file of 1 TiB can be, is
// read in ranges.
inline constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 32;

// All of it, as long as it was when it was opened. A file that says that it is empty is read to its end:
// those under /proc say so, and are not. most: the bytes of the longest that the caller takes.
Result<std::vector<std::byte>> ReadFile(const std::string& path,
                                        std::int64_t most = kMostFileBytes);

// The bytes from `offset` on, as many as there is room for. On an error `into` may have been
// written in part.
Result<void> ReadFileRange(const std::string& path, std::uint64_t offset,
                           std::span<std::byte> into);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_FILE_H_
