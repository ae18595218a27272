// Files that are read and written as a whole.
#ifndef NOWAIT_MODELS_KIT_PROCESS_FILES_H_
#define NOWAIT_MODELS_KIT_PROCESS_FILES_H_

#include <cstddef>
#include <optional>
#include <string>

namespace nowait::model {

// The largest size of a file, in bytes: far more than any record, far less than memory.
inline constexpr std::size_t kMaxFile = std::size_t{1} << 28;

// Nothing: errno says why. A directory is not a file; contents longer than kMaxFile (a device may
// be endless) are EFBIG. A pipe is read to its end, at its writer's pace.
std::optional<std::string> ReadAll(const std::string& path);

// Replaces the file atomically: at any time the file is whole, either old or new. A path that is
// not a regular file, such as /dev/full or a pipe, is written to and remains what it is. Returns
// false on an error, which errno names; a file is then unchanged.
bool WriteWhole(const std::string& path, const std::string& text);

// Whether WriteWhole could succeed, tested by creating a file beside it. False: errno says why.
bool CanWrite(const std::string& path);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_FILES_H_
