#include "models/kit/exhaustive/lost_wakeups.h"

#include <algorithm>
#include <utility>

#include "models/kit/exhaustive/coherence.h"
#include "models/kit/exhaustive/happens_before.h"

namespace nowait::model {
namespace {

// Whether a change later than `place` happens before the notification.
bool FollowsChange(const Graph& graph, const Notification& notification, int place) {
  for (Slot slot = graph.location(notification.location).newest;
       slot != kNoSlot && graph[slot].place > place; slot = graph[slot].older) {
    if (notification.known.Has(graph[slot].thread, graph[slot].index)) return true;
  }
  return false;
}

// Whether the notification may have unblocked the waiting operation at `wait`, blocked or returned:
// they overlap, and it could read the old value in time.
bool MayUnblock(const Graph& graph, const Notification& notification, Slot slot) {
  const GraphEvent& wait = graph[slot];
  if (wait.request.effect != Effect::kReadUnlessEqual || wait.location != notification.location) {
    return false;
  }
  if (wait.blocks) return FollowsChange(graph, notification, graph.PlaceOf(wait));
  const Clock before = HappensBefore(graph.Before(wait));
  const bool was_over = notification.known.Has(wait.thread, wait.index);
  const bool came_before = before[notification.thread] > notification.done;
  if (was_over || came_before) return false;
  for (int place = Floor(graph, before, wait.location); place < graph.PlaceOf(wait); ++place) {
    const Slot observed = place == kInitialPlace ? kInitial : graph.WriteAt(wait.location, place);
    if (graph.ValueOf(wait.location, observed) == wait.request.operand &&
        FollowsChange(graph, notification, place)) {
      return true;
    }
  }
  return false;
}

// Gives each notification a waiting operation of its own to unblock (Kuhn, 1955: augmenting paths).
class Assignment {
 public:
  Assignment(const std::vector<std::vector<Slot>>& candidates, std::size_t slots)
      : candidates_(candidates), taken_by_(slots, kNobody) {}

  bool IsComplete() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      visited_.assign(taken_by_.size(), false);
      if (!Place(i)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  bool Place(std::size_t notification) {
    for (const Slot wait : candidates_[notification]) {
      if (visited_[wait]) continue;
      visited_[wait] = true;
      if (taken_by_[wait] == kNobody || Place(taken_by_[wait])) {
        taken_by_[wait] = notification;
        return true;
      }
    }
    return false;
  }

  const std::vector<std::vector<Slot>>& candidates_;
  std::vector<std::size_t> taken_by_;
  std::vector<bool> visited_;
};

}  // namespace

bool AreLost(const Graph& graph, const std::vector<Notification>& notifications) {
  std::vector<std::vector<Slot>> returned;
  for (const Notification& notification : notifications) {
    std::vector<Slot> candidates;
    bool may_unblock = false;
    for (int i = 0; i < graph.size(); ++i) {
      const Slot slot = static_cast<Slot>(i);
      if (!MayUnblock(graph, notification, slot)) continue;
      if (graph[slot].blocks) {
        may_unblock = true;
      } else {
        candidates.push_back(slot);
      }
    }
    if (!may_unblock) continue;
    if (notification.all) return false;
    returned.push_back(std::move(candidates));
  }
  return Assignment(returned, static_cast<std::size_t>(graph.size())).IsComplete();
}

}  // namespace nowait::model
