#include "models/kit/exhaustive/seq_cst.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace nowait::model {
namespace {

bool IsFence(const GraphEvent& event) { return event.request.effect == Effect::kFence; }

// Among the events of its location, in the order of coherence.
int RankOf(const Graph& graph, const GraphEvent& event) {
  return 2 * graph.PlaceOf(event) + (event.writes ? 0 : 1);
}

// What a seq_cst event has to be between: coherence-ordered before it must come what must come
// before anything ranked above `first`, and after it what is ranked below `last`. An access's own
// rank is both; a fence speaks for what happens after it and what happens before it.
struct Reach {
  int first = std::numeric_limits<int>::max();
  int last = std::numeric_limits<int>::min();

  void Add(int rank, bool after, bool before) {
    if (after) first = std::min(first, rank);
    if (before) last = std::max(last, rank);
  }
};

class Constraints {
 public:
  explicit Constraints(const Graph& graph) : graph_(graph) {
    for (int slot = 0; slot < graph.size(); ++slot) {
      const GraphEvent& event = graph[static_cast<Slot>(slot)];
      if (event.order == std::memory_order::seq_cst && event.request.effect != Effect::kChoose) {
        nodes_.push_back(static_cast<Slot>(slot));
      }
    }
  }

  // Takes away what nothing must come before, until nothing is left or nothing can be taken.
  bool HaveOrder() {
    if (nodes_.size() < 2) return true;
    FillReaches();
    std::vector<std::size_t> indices(nodes_.size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
    while (!indices.empty()) {
      const auto taken = std::erase_if(indices, [&](std::size_t i) {
        return std::ranges::none_of(indices,
                                    [&](std::size_t k) { return k != i && ComesBefore(k, i); });
      });
      if (taken == 0) return false;
    }
    return true;
  }

 private:
  void FillReaches() {
    const auto locations = static_cast<std::size_t>(graph_.locations());
    reaches_.assign(nodes_.size() * locations, Reach());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const GraphEvent& node = graph_[nodes_[i]];
      if (!IsFence(node)) {
        ReachOf(i, node.location).Add(RankOf(graph_, node), true, true);
        continue;
      }
      for (int slot = 0; slot < graph_.size(); ++slot) {
        const GraphEvent& event = graph_[static_cast<Slot>(slot)];
        if (event.location == kNoLocation) continue;
        ReachOf(i, event.location)
            .Add(RankOf(graph_, event), event.happens_before.Has(node.thread, node.index),
                 node.happens_before.Has(event.thread, event.index));
      }
    }
  }
  Reach& ReachOf(std::size_t node, LocationIndex location) {
    return reaches_[node * static_cast<std::size_t>(graph_.locations()) + location];
  }

  bool ComesBefore(std::size_t i, std::size_t k) {
    if (StronglyHappensBefore(graph_[nodes_[i]], graph_[nodes_[k]])) return true;
    for (int l = 0; l < graph_.locations(); ++l) {
      const auto location = static_cast<LocationIndex>(l);
      if (ReachOf(i, location).first < ReachOf(k, location).last) return true;
    }
    return false;
  }

  bool StronglyHappensBefore(const GraphEvent& a, const GraphEvent& b) const {
    if (a.thread == b.thread) return a.index < b.index;
    const GraphEvent* before_b = graph_.Before(b);
    return before_b != nullptr && before_b->happens_before.Has(a.thread, a.index + 1u);
  }

  const Graph& graph_;
  std::vector<Slot> nodes_;     // the seq_cst events
  std::vector<Reach> reaches_;  // by node and location
};

}  // namespace

bool HasTotalOrder(const Graph& graph) { return Constraints(graph).HaveOrder(); }

}  // namespace nowait::model
