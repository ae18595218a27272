// Printing for a program that goes on when its lines cannot be written: fmt::print throws then.
#ifndef NOWAIT_SRC_APPS_COMMAND_LINE_PRINT_H_
#define NOWAIT_SRC_APPS_COMMAND_LINE_PRINT_H_

#include <string_view>

namespace nowait {

// Whether all of the text has reached the standard output.
bool PrintOut(std::string_view text);

// A line with the program's name and the first line of `what`, on the standard error stream. If
// that is closed or full, the line is lost.
void PrintError(std::string_view program, std::string_view what);

// The text as it is, on the standard error stream; lost likewise.
void PrintProgress(std::string_view text);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_COMMAND_LINE_PRINT_H_
