// WorkList: the graphs that the search has found but not yet visited.
//
// The search is a walk through a tree. To visit a graph is to run the program along it to its end;
// on the way, every other choice becomes a separate graph, a child. The child found last is visited
// first. The numbers of the children from the root to a graph therefore name the graph. They also
// name the graphs that are left when it is visited: its elder siblings, and those of each of its
// ancestors.
//
// Each graph also carries its share of the whole: a visit divides its share among its children and
// itself. The shares of the visited graphs add up to an estimate of the search's progress (Knuth,
// "Estimating the Efficiency of Backtrack Programs", 1975), which is often far off. A child that
// was found earlier has more of the program before it, and so more below it; it gets kEarlier times
// the share of the next one. (With even shares, a search of four unions by four threads reported
// 65% when a tenth of it was done, and one of the job list, 3x3, 52%. With these shares they report
// 23% and 4%.)
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_WORK_LIST_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_WORK_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/exhaustive/search/tree_path.h"

namespace nowait::model {

class WorkList {
 public:
  // Begins with one graph: the root of the tree, or of the part below `path`.
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

  // Adds a child of the graph being visited, to be filled in. The reference is valid until the next
  // call.
  Graph& Push() {
    if (size_ == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[size_++];
    entry.number = numbers_++;
    entry.depth = path_.size() + 1;
    return entry.graph;
  }
  // Undoes the last Push, because there is no such graph. Its number remains used.
  void Drop() { --size_; }
  // Gives a number to a child that is not worth a visit, so that the other numbers are the same in
  // a process that does not skip it.
  void Skip() { ++numbers_; }

  // Exchanges `graph`, whose memory is reused, for the next graph to visit.
  void Pop(Graph& graph) {
    Entry& entry = entries_[--size_];
    std::swap(graph, entry.graph);
    if (entry.depth > 0) {
      path_.resize(entry.depth);
      path_.back() = entry.number;
    }
    current_share_ = entry.share;
    numbers_ = 0;
    first_child_ = size_;
  }
  // Ends the visit: its share is divided among its children and itself. Returns its own part.
  double EndVisit() {
    double weights = 0;
    double weight = 1;
    for (std::size_t i = 0; i < children(); ++i, weight /= kEarlier) weights += weight;
    weights += weight;
    double share = current_share_ / weights;
    for (std::size_t i = first_child_; i < size_; ++i, share /= kEarlier) entries_[i].share = share;
    return share;
  }
  // Among the children, which EndVisit has given their shares, keeps the one at `place` of their
  // total, 0 <= place < 1, and those before it. Returns that child's fraction of the total. Its
  // share becomes that of the graph being visited, so that no walk is too long for a double.
  double Choose(double place) {
    double all = 0;
    for (std::size_t i = first_child_; i < size_; ++i) all += entries_[i].share;
    double left = place * all;
    std::size_t chosen = first_child_;
    while (chosen + 1 < size_ && left >= entries_[chosen].share) left -= entries_[chosen++].share;
    size_ = chosen + 1;
    return std::exchange(entries_[chosen].share, current_share_) / all;
  }

  // The path of the graph being visited.
  const TreePath& path() const { return path_; }
  // The i-th of size() graphs, the last of which Pop would return. It is a sibling of the graph
  // visited last, or of one of that graph's ancestors.
  TreePath PathOf(std::size_t i) const {
    const Entry& entry = entries_[i];
    TreePath path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(
                                                     entry.depth > 0 ? entry.depth - 1 : 0));
    if (entry.depth > 0) path.push_back(entry.number);
    return path;
  }
  TreePath NextPath() const { return PathOf(size_ - 1); }
  // For the graph being visited: the number of children so far, and of numbers needed to
  // distinguish them.
  std::size_t children() const { return size_ - first_child_; }
  std::uint32_t numbers() const { return numbers_; }
  double next_share() const { return entries_[size_ - 1].share; }
  const Graph& next() const { return entries_[size_ - 1].graph; }
  void DropNext() { --size_; }
  // Drops the first graph, which Pop would return last. Not during a visit.
  void DropOldest() {
    const auto begin = entries_.begin();
    std::rotate(begin, begin + 1, begin + static_cast<std::ptrdiff_t>(size_));
    --size_;
  }

 private:
  static constexpr double kEarlier = 1.4;

  struct Entry {
    Graph graph;
    std::uint32_t number = 0;
    std::size_t depth = 0;
    double share = 1;
  };

  std::vector<Entry> entries_;  // entries from size_ on are spare
  std::size_t size_ = 0;
  TreePath path_;
  double current_share_ = 1;
  std::uint32_t numbers_ = 0;  // of the graph being visited
  std::size_t first_child_ = 0;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_WORK_LIST_H_
