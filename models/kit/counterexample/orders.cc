#include "models/kit/counterexample/orders.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/kit/counterexample/kinds.h"
#include "models/kit/program/operation.h"

namespace nowait::model::counterexample {
Orders::Orders(const Trace& trace)
    : thread_(trace.last() + 1u),
      rank_(trace.last() + 1u),
      clocks_(trace.last() + 1u),
      heads_(trace.last() + 1u) {
  std::array<Thread, kMaxThreads> threads;
  std::map<std::uint32_t, EventNumber> unlocked;  // the latest unlocking of each mutex
  std::map<std::uint32_t, EventNumber> freed;     // by block
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    thread_[number] = event.thread;
    if (event.thread < 0) continue;
    Thread& self = threads[static_cast<std::size_t>(event.thread)];
    Clock& clock = self.clock;
    const auto synchronise = [&](EventNumber from) { Synchronise(from, number, clock); };
    if (event.blocks) {
      // The synchronisation has not taken place.
    } else if (IsAtomicAccess(event.kind) && event.reads && event.from != kNoEvent) {
      for (const EventNumber head : heads_[event.from]) {
        if (Acquires(event.order)) {
          synchronise(head);
        } else {
          self.acquirable.push_back(head);
        }
      }
    } else if (event.kind == OperationKind::kFence && Acquires(event.order)) {
      for (const EventNumber head : self.acquirable) synchronise(head);
      self.acquirable.clear();
    } else if (event.kind == OperationKind::kLock ||
               (event.kind == OperationKind::kTryLock && !event.failed)) {
      synchronise(unlocked[event.object]);
    } else if (event.kind == OperationKind::kNew) {
      synchronise(freed[event.object]);
    }
    rank_[number] = ++self.events;
    clock[static_cast<std::size_t>(event.thread)] = self.events;
    clocks_[number] = clock;
    if (IsAtomicAccess(event.kind) && event.writes) heads_[number] = HeadsOf(trace, number, self);
    if (event.kind == OperationKind::kFence && Releases(event.order)) self.release_fence = number;
    if (event.kind == OperationKind::kUnlock) unlocked[event.object] = number;
    if (event.kind == OperationKind::kDelete) freed[event.object] = number;
  }
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto thread = static_cast<std::size_t>(thread_[static_cast<std::size_t>(edges_[i].from)]);
    edges_from_[thread].push_back(static_cast<int>(i));
  }
  for (std::vector<int>& edges : edges_from_) {
    std::ranges::stable_sort(
        edges, {}, [this](int edge) { return edges_[static_cast<std::size_t>(edge)].from; });
  }
}

void Orders::Synchronise(EventNumber from, EventNumber to, Clock& clock) {
  if (from == kNoEvent || thread_[from] < 0 || IsIn(from, clock)) return;
  edges_.push_back({static_cast<int>(from), static_cast<int>(to)});
  for (std::size_t t = 0; t < clock.size(); ++t) {
    clock[t] = std::max(clock[t], clocks_[from][t]);
  }
}

// The store itself if it releases, otherwise the release fence before it. In addition, the release
// that the replaced store passes on, unless that happens before it.
std::vector<EventNumber> Orders::HeadsOf(const Trace& trace, EventNumber store,
                                         const Thread& writer) {
  std::vector<EventNumber> heads;
  const model::Event& event = trace[store];
  if (Releases(event.order)) {
    heads.push_back(store);
  } else if (writer.release_fence != kNoEvent) {
    heads.push_back(writer.release_fence);
  }
  if (!event.reads || event.from == kNoEvent) return heads;
  for (const EventNumber head : heads_[event.from]) {
    const auto has_it = [&](EventNumber other) { return IsIn(head, clocks_[other]); };
    if (std::ranges::none_of(heads, has_it)) heads.push_back(head);
  }
  return heads;
}

bool Orders::IsIn(EventNumber event, const Clock& clock) const {
  return rank_[event] <= clock[static_cast<std::size_t>(thread_[event])];
}

bool Orders::HappensBefore(EventNumber a, EventNumber b) const {
  if (a == b) return false;
  if (thread_[a] == kSetUp || thread_[b] == kAfter) {
    return thread_[a] != thread_[b] ? thread_[a] != kAfter : a < b;
  }
  if (thread_[a] == kAfter || thread_[b] == kSetUp) return false;
  return IsIn(a, clocks_[b]);
}

std::vector<Step> Orders::Path(EventNumber a, EventNumber b) const {
  constexpr const char* kProgramOrder = "program order";
  constexpr const char* kSynchronises = "synchronises with";
  if (!HappensBefore(a, b)) return {};
  const int from = static_cast<int>(a);
  const int to = static_cast<int>(b);
  if (thread_[a] == thread_[b]) return {{from, to, kProgramOrder}};
  if (thread_[a] == kSetUp) return {{from, to, "set-up comes before every thread"}};
  if (thread_[b] == kAfter) return {{from, to, "every thread has ended"}};
  // Breadth-first search over the edges. From an edge it reaches those that begin in the thread
  // where the edge ended, at that point or later: a suffix of each thread's edges is reached.
  constexpr int kNone = -1;
  std::vector<int> before(edges_.size(), kNone);  // the edge that led to each edge
  std::vector<int> queue;
  std::array<std::size_t, kMaxThreads> reached_from;
  for (std::size_t t = 0; t < kMaxThreads; ++t) reached_from[t] = edges_from_[t].size();
  const auto reach = [&](int at, int by) {
    const auto thread = static_cast<std::size_t>(thread_[static_cast<std::size_t>(at)]);
    const std::vector<int>& edges = edges_from_[thread];
    for (std::size_t& next = reached_from[thread]; next > 0; --next) {
      const int edge = edges[next - 1];
      if (edges_[static_cast<std::size_t>(edge)].from < at) break;
      before[static_cast<std::size_t>(edge)] = by;
      queue.push_back(edge);
    }
  };
  reach(from, kNone);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const int edge = queue[next];
    const int end = edges_[static_cast<std::size_t>(edge)].to;
    if (thread_[static_cast<std::size_t>(end)] != thread_[b] || end > to) {
      reach(end, edge);
      continue;
    }
    std::vector<Step> path;
    int at = to;
    for (int i = edge; i != kNone; i = before[static_cast<std::size_t>(i)]) {
      const Edge& step = edges_[static_cast<std::size_t>(i)];
      if (step.to != at) path.push_back({step.to, at, kProgramOrder});
      path.push_back({step.from, step.to, kSynchronises});
      at = step.from;
    }
    if (at != from) path.push_back({from, at, kProgramOrder});
    std::ranges::reverse(path);
    return path;
  }
  return {};
}

}  // namespace nowait::model::counterexample
