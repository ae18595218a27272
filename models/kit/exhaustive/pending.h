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

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/graph.h"

namespace nowait::model {

// The number of a child among those of one visit, for each step from the root.
using TreePath = std::vector<std::uint32_t>;

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
  // Takes the last Push back: there is no such graph. Its number stays.
  void Drop() {
    --size_;
    ++skipped_;
  }
  // A child that is not worth a visit. It has a number, so that others have theirs whoever skips it.
  void Skip() {
    ++children_;
    ++skipped_;
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
    skipped_ = 0;
    first_child_ = size_;
  }
  // Ends the visit: its share is divided among its children and itself. Returns its own part.
  double EndVisit() {
    const double share = current_share_ / static_cast<double>(children_ + 1);
    for (std::size_t i = first_child_; i < size_; ++i) entries_[i].share = share;
    return share * (1 + skipped_);
  }
  // Of the children that EndVisit left, drops those after `number`, which is next; returns the share
  // of what it drops. False at `exists` if there is no such child.
  double DropAfter(std::uint32_t number, bool& exists) {
    double dropped = 0;
    while (size_ > first_child_ && entries_[size_ - 1].number > number) {
      dropped += entries_[--size_].share;
    }
    exists = size_ > first_child_ && entries_[size_ - 1].number == number;
    return dropped;
  }

  // The graph being visited.
  const TreePath& path() const { return path_; }
  // The graph that Pop would give.
  TreePath NextPath() const {
    const Entry& entry = entries_[size_ - 1];
    TreePath next(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(
                                                     entry.depth > 0 ? entry.depth - 1 : 0));
    if (entry.depth > 0) next.push_back(entry.number);
    return next;
  }
  // How many numbers the graph being visited has given so far.
  std::uint32_t children() const { return children_; }
  double next_share() const { return entries_[size_ - 1].share; }
  const Graph& next() const { return entries_[size_ - 1].graph; }
  void DropNext() { --size_; }

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
  std::uint32_t skipped_ = 0;   // of them
  std::size_t first_child_ = 0;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_PENDING_H_
