#include "models/kit/exhaustive/run/lost_wakeups.h"

#include <algorithm>
#include <cstddef>

#include "models/kit/exhaustive/graph/coherence.h"
#include "models/kit/exhaustive/graph/evaluate.h"
#include "models/kit/exhaustive/graph/happens_before.h"
#include "models/kit/exhaustive/graph/seq_cst.h"

namespace nowait::model {
namespace {

// Whether a change at a later place than `place` happens before the notification.
bool FollowsChange(const Graph& graph, const Notification& notification, int place) {
  for (Slot slot = graph.location(notification.location).newest;
       slot != kNoSlot && graph[slot].place > place; slot = graph[slot].older) {
    if (notification.known.Has(graph[slot].thread, graph[slot].index)) return true;
  }
  return false;
}

bool HappensBefore(const Notification& a, const Notification& b) {
  return b.known[a.thread] > a.done;
}

// Whether the last look of a waiting operation can come after the notification in S.
bool CanLookAfter(const Graph& graph, Slot wait, const Notification& notification) {
  return HasTotalOrder(graph, {notification.known, wait});
}

// Whether an earlier look, which found the value of this write, can come before the notification.
bool CanLookBefore(const Graph& graph, Slot wait, Slot seen, const Notification& notification) {
  GraphEvent look = graph[wait];
  if (seen != kInitial && graph[seen].porf.Has(look.thread, look.index)) return false;
  look.source = seen;
  look.read = graph.ValueOf(look.location, seen);
  Evaluate(look);
  ComputeClocks(graph, look);
  Graph before = graph;
  before.Replace(wait, look);
  if (graph.Length(notification.thread) <= notification.done) return HasTotalOrder(before);
  const Slot next = graph.At(notification.thread, notification.done);
  return HasTotalOrder(before, {look.happens_before, next});
}

// A waiting operation, blocked in the end or returned, and the changes that have unblocked it. Each
// time, it saw a value that another thread had changed, and checked again whether it was still the
// old value.
struct Sleeper {
  Slot wait = kNoSlot;
  Clock before;  // the events that happen before it
  int lowest = kInitialPlace;
  const Notification* unblocked_by = nullptr;  // last

  // Takes the notification if it may have unblocked the operation at that time. The operation could
  // be blocked by a value older than the change; if it was blocked again, a value that it saw after
  // that is not older. Returns whether it took the notification.
  bool Take(const Graph& graph, const Notification& notification) {
    const GraphEvent& event = graph[wait];
    if (event.location != notification.location) return false;
    const bool was_over = !event.blocks && notification.known.Has(event.thread, event.index);
    const bool came_before = before[notification.thread] > notification.done;
    if (was_over || came_before) return false;
    const int last = graph.PlaceOf(event);
    if (event.blocks && FollowsChange(graph, notification, last)) return false;
    if (unblocked_by != nullptr && HappensBefore(notification, *unblocked_by)) return false;
    if (!CanLookAfter(graph, wait, notification)) return false;
    for (int place = lowest; place < last; ++place) {
      const Slot seen = place == kInitialPlace ? kInitial : graph.WriteAt(event.location, place);
      if (graph.ValueOf(event.location, seen) != event.request.operand) continue;
      if (unblocked_by != nullptr && FollowsChange(graph, *unblocked_by, place)) continue;
      if (!FollowsChange(graph, notification, place)) continue;
      if (!CanLookBefore(graph, wait, seen, notification)) continue;
      lowest = place + 1;
      unblocked_by = &notification;
      return true;
    }
    return false;
  }
};

// Whether each notification may have unblocked a sleeper, in any order of the notifications.
bool AllTaken(const Graph& graph, const std::vector<const Notification*>& notifications,
              const std::vector<Sleeper>& sleepers) {
  if (notifications.empty()) return true;
  for (std::size_t n = 0; n < notifications.size(); ++n) {
    std::vector<const Notification*> others = notifications;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
    for (std::size_t s = 0; s < sleepers.size(); ++s) {
      std::vector<Sleeper> after = sleepers;
      if (after[s].Take(graph, *notifications[n]) && AllTaken(graph, others, after)) return true;
    }
  }
  return false;
}

}  // namespace

bool AreLost(const Graph& graph, const std::vector<Notification>& notifications) {
  std::vector<Sleeper> sleepers;
  for (int i = 0; i < graph.size(); ++i) {
    const Slot slot = static_cast<Slot>(i);
    const GraphEvent& event = graph[slot];
    if (event.request.effect != Effect::kReadUnlessEqual) continue;
    const Clock before = HappensBefore(graph.Before(event));
    sleepers.push_back({slot, before, Floor(graph, before, event.location), nullptr});
  }
  std::vector<const Notification*> used;
  for (const Notification& notification : notifications) {
    const bool must_unblock = std::ranges::any_of(sleepers, [&](const Sleeper& sleeper) {
      const GraphEvent& event = graph[sleeper.wait];
      return event.blocks && event.location == notification.location &&
             FollowsChange(graph, notification, graph.PlaceOf(event));
    });
    if (!must_unblock) continue;
    if (notification.all) return false;
    used.push_back(&notification);
  }
  return AllTaken(graph, used, sleepers);
}

}  // namespace nowait::model
