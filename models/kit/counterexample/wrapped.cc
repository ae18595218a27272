#include "models/kit/counterexample/wrapped.h"

#include <algorithm>
#include <cstddef>

namespace nowait::model::counterexample {
namespace {

const char* CodeOf(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kFaint:
      return "\x1b[2m";
    case Ink::kCall:
      return "\x1b[1m";
    case Ink::kStale:
    case Ink::kBroken:
      return "\x1b[1;31m";
    case Ink::kSync:
      return "\x1b[36m";
  }
  return "";
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string Inked(Ink ink, const std::string& text) {
  const std::string code = CodeOf(ink);
  return code.empty() ? text : code + text + "\x1b[0m";
}

int WidthOf(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

std::string Cut(std::string_view text, int width) {
  if (WidthOf(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (int taken = 0; end < text.size(); ++end) {
    if (!IsContinuation(text[end]) && ++taken == width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::vector<std::string> Wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (WidthOf(text) > width) {
    std::size_t end = 0;
    std::size_t space = text.npos;
    for (int taken = 0; end < text.size() && taken <= width; ++end) {
      if (text[end] == ' ' && end > 0) space = end;
      if (!IsContinuation(text[end])) ++taken;
    }
    if (space == text.npos) break;
    lines.emplace_back(text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  lines.push_back(Cut(text, width));
  return lines;
}

std::string Trim(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return "";
  const std::size_t end = line.find_last_not_of(" \t\r");
  return std::string(line.substr(begin, end - begin + 1));
}

}  // namespace nowait::model::counterexample
