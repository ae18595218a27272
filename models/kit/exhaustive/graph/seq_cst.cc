#include "models/kit/exhaustive/graph/seq_cst.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace nowait::model {
namespace {

bool IsFence(const GraphEvent& event) { return event.request.effect == Effect::kFence; }

// The rank among the events of its location, in coherence order.
int RankOf(const Graph& graph, const GraphEvent& event) {
  return 2 * graph.PlaceOf(event) + (event.writes ? 0 : 1);
}

// Whether an access reads a plain store: it does not write, and reads neither an update nor the
// location's initial value.
bool ReadsStore(const Graph& graph, const GraphEvent& event) {
  return !event.writes && event.source != kInitial && !graph[event.source].reads;
}

// Whether a precedes b in coherence order and S has to respect it: seq_cst.h names the exception.
bool CountsBefore(const Graph& graph, const GraphEvent& a, const GraphEvent& b) {
  if (a.location != b.location || RankOf(graph, a) >= RankOf(graph, b)) return false;
  if (!ReadsStore(graph, b)) return true;
  return (a.writes && a.place == graph.PlaceOf(b)) || b.happens_before.Has(a.thread, a.index);
}

// The ranks of a fence for one location: the lowest rank of the events that happen after it, and
// the highest rank of those that happen before it.
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
  // besides: null if there is no additional order.
  Constraints(const Graph& graph, const Precedence* besides) : graph_(graph), besides_(besides) {
    for (int slot = 0; slot < graph.size(); ++slot) {
      const GraphEvent& event = graph[static_cast<Slot>(slot)];
      if (event.order == std::memory_order::seq_cst && event.request.effect != Effect::kChoose) {
        nodes_.push_back(static_cast<Slot>(slot));
      }
    }
  }

  // Repeatedly removes events without predecessors. Returns whether that removes all.
  bool HaveOrder() {
    if (nodes_.size() < 2) return true;
    FillReaches();
    std::vector<std::size_t> left(nodes_.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (TakeOne(left)) {
    }
    return left.empty();
  }

 private:
  // Looks only at the first remaining event of each thread, because the others come after it.
  bool TakeOne(std::vector<std::size_t>& left) {
    std::array<bool, kMaxThreads> looked_at{};
    const auto can_be_taken = [&](std::size_t k) {
      if (std::exchange(looked_at[graph_[nodes_[k]].thread], true)) return false;
      return std::ranges::none_of(left, [&](std::size_t i) { return i != k && ComesBefore(i, k); });
    };
    const auto taken = std::ranges::find_if(left, can_be_taken);
    if (taken == left.end()) return false;
    left.erase(taken);
    return true;
  }

  void FillReaches() {
    if (std::ranges::none_of(nodes_, [&](Slot node) { return IsFence(graph_[node]); })) return;
    const auto locations = static_cast<std::size_t>(graph_.locations());
    reaches_.assign(nodes_.size() * locations, Reach());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const GraphEvent& node = graph_[nodes_[i]];
      if (!IsFence(node)) continue;
      for (int slot = 0; slot < graph_.size(); ++slot) {
        const GraphEvent& event = graph_[static_cast<Slot>(slot)];
        if (event.location == kNoLocation || IsOfMemory(event.request.effect)) continue;
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
    const GraphEvent& a = graph_[nodes_[i]];
    const GraphEvent& b = graph_[nodes_[k]];
    if (StronglyHappensBefore(a, b)) return true;
    if (besides_ != nullptr && besides_->earlier.Has(a.thread, a.index) && IsLater(b)) return true;
    if (IsFence(a)) return IsFence(b) ? FencesInOrder(i, k) : FenceBefore(a, b);
    return IsFence(b) ? BeforeFence(a, b) : CountsBefore(graph_, a, b);
  }

  // The second, third and fourth conditions.
  bool FenceBefore(const GraphEvent& fence, const GraphEvent& b) const {
    for (int slot = 0; slot < graph_.size(); ++slot) {
      const GraphEvent& a = graph_[static_cast<Slot>(slot)];
      if (a.location == b.location && a.happens_before.Has(fence.thread, fence.index) &&
          CountsBefore(graph_, a, b)) {
        return true;
      }
    }
    return false;
  }
  bool BeforeFence(const GraphEvent& a, const GraphEvent& fence) const {
    for (int slot = 0; slot < graph_.size(); ++slot) {
      const GraphEvent& b = graph_[static_cast<Slot>(slot)];
      if (b.location == a.location && fence.happens_before.Has(b.thread, b.index) &&
          CountsBefore(graph_, a, b)) {
        return true;
      }
    }
    return false;
  }
  bool FencesInOrder(std::size_t i, std::size_t k) {
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

  bool IsLater(const GraphEvent& event) const {
    const GraphEvent& first = graph_[besides_->later];
    return event.happens_before.Has(first.thread, first.index);
  }

  const Graph& graph_;
  const Precedence* const besides_;
  std::vector<Slot> nodes_;     // the seq_cst events
  std::vector<Reach> reaches_;  // of fences, by node and location
};

}  // namespace

bool HasTotalOrder(const Graph& graph) {
  return graph.seq_cst_requests() < 2 || Constraints(graph, nullptr).HaveOrder();
}

bool HasTotalOrder(const Graph& graph, const Precedence& besides) {
  return graph.seq_cst_requests() < 2 || Constraints(graph, &besides).HaveOrder();
}

}  // namespace nowait::model
