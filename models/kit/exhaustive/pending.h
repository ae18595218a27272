// Pending: the graphs that the search has found and not yet visited.
//
// The search is a walk through a tree. Visiting a graph means to run the program along it to its end;
// on the way every other choice becomes a graph of its own, a child. The child that was found last
// is visited first. So the numbers of the children from the root to a graph name it, and name what
// is still to be visited when it is: its elder siblings, and those of each of its ancestors.
//
// Each graph also carries its share of the whole: a visit keeps a part for itself and divides the
// rest evenly. What has been visited adds up to an estimate of how far the search is (Knuth,
// "Estimating the Efficiency of Backtrack Programs", 1975): right on average, and often far off.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_PENDING_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_PENDING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/graph.h"
#include "models/kit/exhaustive/tree_path.h"

namespace nowait::model {

class Pending {
 public:
  // Begins with one graph: the root of the tree, or of the part of it below `path`.
  void Begin(const Graph& graph, const TreePath& path, double share) {
    size_ = 0;
    path_ = path;
    Push() = graph;
    entries_[0].number = path.empty() ? 0 : path.back();
    entries_[0].depth = path.size();
    entries_[0].share = share;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // A child of the graph being visited, to be filled in. Good until the next call.
  Graph& Push() {
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    entry.number = children_++;
    entry.depth = path_.size() + 1;
    return entry.graph;
  }
  // Takes the last Push back.
  void Drop() {
    --size_;
    --children_;
  }

  // The next graph to visit, exchanged for `graph`, whose memory is used again.
  void Pop(Graph& graph) {
    Entry& entry = entries_[--size_];
    std::swap(graph, entry.graph);
    if (entry.depth > 0) {
      path_.resize(entry.depth);
      path_.back() = entry.number;
    }
    current_share_ = entry.share;
    children_ = 0;
    first_child_ = size_;
  }
  // Ends the visit: its share is divided among its children and itself. Returns its own part.
  double EndVisit() {
    const double share = current_share_ / static_cast<double>(children_ + 1);
    for (std::size_t i = first_child_; i < size_; ++i) entries_[i].share = share;
    return share;
  }
  // Of the children of the graph being visited, drops those after `number`, which is next.
  void DropAfter(std::uint32_t number) { size_ = first_child_ + number + 1; }

  // The graph being visited.
  const TreePath& path() const { return path_; }
  // The i-th of size() graphs, the last of which Pop would give. It is a sibling of the graph that was
  // visited last, or of an ancestor of that.
  TreePath PathOf(std::size_t i) const {
    const Entry& entry = entries_[i];
    TreePath path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(
                                                     entry.depth > 0 ? entry.depth - 1 : 0));
    if (entry.depth > 0) path.push_back(entry.number);
    return path;
  }
  TreePath NextPath() const { return PathOf(size_ - 1); }
  // How many the graph being visited has so far.
  std::uint32_t children() const { return children_; }
  double next_share() const { return entries_[size_ - 1].share; }
  const Graph& next() const { return entries_[size_ - 1].graph; }
  void DropNext() { --size_; }
  // The first one, which Pop would give last. Not during a visit.
  void DropOldest() {
    const auto begin = entries_.begin();
    std::rotate(begin, begin + 1, begin + static_cast<std::ptrdiff_t>(size_));
    --size_;
  }

 private:
  struct Entry {
    Graph graph;
    std::uint32_t number = 0;
    std::size_t depth = 0;
    double share = 1;
  };

  std::vector<Entry> entries_;  // those from size_ on are spare
  std::size_t size_ = 0;
  TreePath path_;
  double current_share_ = 1;
  std::uint32_t children_ = 0;  // of the graph being visited
  std::size_t first_child_ = 0;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PENDING_H_
