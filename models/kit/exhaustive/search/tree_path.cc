#include "models/kit/exhaustive/search/tree_path.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <system_error>

namespace nowait::model {

std::string Format(const TreePath& path) {
  std::string text = path.empty() ? "." : "";
  for (const std::uint32_t number : path) text.append(1, '.').append(std::to_string(number));
  return text;
}

std::optional<TreePath> ParseTreePath(std::string_view text) {
  TreePath path;
  if (text == ".") return path;
  while (!text.empty()) {
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    path.push_back(number);
  }
  if (path.empty()) return std::nullopt;
  return path;
}

std::string Format(const std::vector<TreePath>& paths) {
  std::string text;
  for (const TreePath& path : paths) {
    if (!text.empty()) text += ':';
    text += Format(path);
  }
  return text;
}

std::optional<std::vector<TreePath>> ParseTreePaths(std::string_view text) {
  std::vector<TreePath> paths;
  for (;;) {
    const std::size_t colon = text.find(':');
    const std::optional<TreePath> path = ParseTreePath(text.substr(0, colon));
    if (!path) return std::nullopt;
    paths.push_back(*path);
    if (colon == text.npos) return paths;
    text.remove_prefix(colon + 1);
  }
}

bool ComesBefore(const TreePath& path, const TreePath& other) {
  const auto [differs, from] = std::ranges::mismatch(path, other);
  if (differs == path.end()) return from != other.end();
  return from != other.end() && *differs > *from;
}

}  // namespace nowait::model
