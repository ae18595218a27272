#include "src/apps/command_line/print.h"

#include <fmt/format.h>

#include <cstdio>

namespace nowait {
namespace {

bool Write(std::FILE* stream, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  return std::fflush(stream) == 0 && written;
}

}  // namespace

bool PrintOut(std::string_view text) { return Write(stdout, text); }

void PrintError(std::string_view program, std::string_view what) {
  Write(stderr, fmt::format("{}: {}\n", program, what.substr(0, what.find('\n'))));
}

void PrintProgress(std::string_view text) { Write(stderr, text); }

}  // namespace nowait
