#include "models/kit/counterexample/source_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <utility>

namespace nowait::model::counterexample {
namespace {

bool IsName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The beginning of the name that ends before `end`.
std::size_t BeginOfName(std::string_view text, std::size_t end) {
  while (end > 0 && IsName(text[end - 1])) --end;
  return end;
}

// The beginning of the bracket that closes right before `end`; npos if there is no opening bracket.
std::size_t BeginOfBracket(std::string_view text, std::size_t end) {
  int depth = 0;
  for (std::size_t i = end; i > 0; --i) {
    const char c = text[i - 1];
    if (c == ')' || c == ']') ++depth;
    if (c == '(' || c == '[') --depth;
    if (depth == 0) return i - 1;
  }
  return text.npos;
}

// The length of the "." or "->" that ends before `end`.
std::size_t LengthOfAccess(std::string_view text, std::size_t end) {
  if (end >= 1 && text[end - 1] == '.') return 1;
  if (end >= 2 && text[end - 2] == '-' && text[end - 1] == '>') return 2;
  return 0;
}

// The expression that ends before `end`: names, subscripts and calls, joined by "." and "->".
std::string_view ExpressionBefore(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  for (;;) {
    std::size_t part = begin;
    while (part > 0 && (text[part - 1] == ')' || text[part - 1] == ']')) {
      part = BeginOfBracket(text, part);
      if (part == text.npos) return {};
    }
    part = BeginOfName(text, part);
    if (part == begin) break;
    begin = part;
    const std::size_t access = LengthOfAccess(text, begin);
    if (access == 0) break;
    begin -= access;
  }
  return text.substr(begin, end - begin);
}

// How many lines above its use a reference is searched for.
constexpr std::size_t kLinesAbove = 30;

// The expression that a local reference stands for: "banks_[b].readers" after `auto& count =
// banks_[b].readers;`, and "min[]", an element of it, after `for (auto& row : min)`. Empty if this
// line does not declare the reference.
std::string ReferredTo(std::string_view line, std::string_view name) {
  for (const std::string_view sign : {" = ", " : "}) {
    const std::string start = "& " + std::string(name) + std::string(sign);
    const std::size_t at = line.find(start);
    if (at == line.npos) continue;
    const std::string_view rest = line.substr(at + start.size());
    const bool is_loop = sign == " : ";
    const std::size_t end = is_loop ? rest.find(')') : rest.find(';');
    if (end == rest.npos || ExpressionBefore(rest, end) != rest.substr(0, end)) continue;
    return std::string(rest.substr(0, end)) + (is_loop ? "[]" : "");
  }
  return "";
}

}  // namespace

const std::vector<std::string>& SourceText::Lines(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  if (!is_new || file.empty() || file.front() == '<') return entry->second;
  const bool is_rooted = file.front() == '/';
  if (is_rooted && rooted_ == Rooted::kLeftOut) return entry->second;
  for (const std::string& directory : directories_) {
    std::ifstream stream(is_rooted ? file : directory + "/" + file);
    for (std::string line; std::getline(stream, line);) {
      // In a patched copy, the line that names the file for the compiler. Counting starts at the
      // next line.
      if (entry->second.empty() && line.starts_with("#line 1 ")) continue;
      entry->second.push_back(std::move(line));
    }
    if (!entry->second.empty()) break;
  }
  return entry->second;
}

// g++ reports the opening bracket as the place of a call.
std::string SourceText::ReceiverAt(const Place& place) {
  const std::vector<std::string>& lines = Lines(place.file);
  if (place.line == 0 || place.line > lines.size() || place.column == 0) return "";
  const std::string_view text = lines[place.line - 1];
  const std::size_t bracket = place.column - 1;
  if (bracket >= text.size() || text[bracket] != '(') return "";
  std::size_t end = BeginOfName(text, bracket);
  const std::size_t access = LengthOfAccess(text, end);
  if (access == 0) return "";
  std::string receiver(ExpressionBefore(text, end - access));
  const std::size_t length = receiver.find_first_of(".-[(");
  const std::string first = receiver.substr(0, length);
  if (first.empty() || first.back() == '_') return receiver;  // a member is not a reference
  for (std::size_t above = 0; above < std::min<std::size_t>(kLinesAbove, place.line); ++above) {
    const std::string stands_for = ReferredTo(lines[place.line - 1 - above], first);
    if (!stands_for.empty()) return stands_for + receiver.substr(first.size());
  }
  return receiver;
}

}  // namespace nowait::model::counterexample
