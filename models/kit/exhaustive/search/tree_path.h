// TreePath: the name of a graph in the tree of the search (work_list.h).
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_TREE_PATH_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_TREE_PATH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowait::model {

// For each step from the root, the number of a child among those of one visit.
using TreePath = std::vector<std::uint32_t>;

// "." is the root; ".3.0.12" is the thirteenth child of the first child of the root's fourth child.
std::string Format(const TreePath& path);
std::optional<TreePath> ParseTreePath(std::string_view text);

// Several paths, at least one: ".3.0.12:.3.1".
std::string Format(const std::vector<TreePath>& paths);
std::optional<std::vector<TreePath>> ParseTreePaths(std::string_view text);

// Whether an uninterrupted search visits `path` before `other`: a graph before its children, and
// the last child first.
bool ComesBefore(const TreePath& path, const TreePath& other);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_TREE_PATH_H_
