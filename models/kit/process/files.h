// Files that are read and written as a whole.
#ifndef NOWAIT_MODELS_KIT_PROCESS_FILES_H_
#define NOWAIT_MODELS_KIT_PROCESS_FILES_H_

#include <cstddef>
#include <optional>
#include <string>

namespace nowait::model {

// The limit of a file's size here, in bytes: far more than any record, far less than memory.
inline constexpr std::size_t kMaxFile = std::size_t{1} << 28;

// Nothing: errno says why. A directory is no file, and contents longer than kMaxFile (a device may
// have no end) are EFBIG. A pipe is read to its end, at the pace of its writer.
std::optional<std::string> ReadAll(const std::string& path);

// Replaces the file at once: at any time it is whole, the old one or the new. A path that is no
// regular file, as /dev/full or a pipe, is written to and stays as it is. False: errno says why,
// and a file is as it was.
bool WriteWhole(const std::string& path, const std::string& text);

// Whether WriteWhole could succeed, found out by creating a file beside it. False: errno says why.
bool CanWrite(const std::string& path);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_FILES_H_
