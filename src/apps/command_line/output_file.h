// CheckOutputFile: whether a program will be able to write a file, asked before its run.
#ifndef NOWAIT_SRC_APPS_COMMAND_LINE_OUTPUT_FILE_H_
#define NOWAIT_SRC_APPS_COMMAND_LINE_OUTPUT_FILE_H_

#include <optional>
#include <string>
#include <string_view>

namespace nowait {

// Whether a file can be made beside `path`, which is where WriteFileWhole makes its own. Returns an
// error of one line that begins with the option, or nothing.
std::optional<std::string> CheckOutputFile(std::string_view option, const std::string& path);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_COMMAND_LINE_OUTPUT_FILE_H_
