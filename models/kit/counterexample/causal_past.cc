#include "models/kit/counterexample/causal_past.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "models/kit/counterexample/kinds.h"
#include "models/kit/operation.h"

namespace nowait::model::counterexample {
namespace {

bool IsPlain(OperationKind kind) { return KindOfObject(kind) == ObjectKind::kPlain; }

// What wakes a thread, and who sleeps: their order shows in who is woken.
bool IsOfSleep(OperationKind kind) {
  return kind == OperationKind::kSleep || kind == OperationKind::kNotify;
}

// The last access to the datum that is not ordered before this one, which is not ordered after it.
EventNumber RacesWith(const Trace& trace, const Orders& orders, EventNumber access) {
  const model::Event& event = trace[access];
  const bool ends =
      event.kind == OperationKind::kEndPlain || event.kind == OperationKind::kEndAtomic;
  const bool is_atomic = event.kind == OperationKind::kEndAtomic;
  for (EventNumber other = access - 1; other > 0; --other) {
    const model::Event& earlier = trace[other];
    if (earlier.object != event.object || earlier.thread == event.thread || earlier.thread < 0) {
      continue;
    }
    const bool same = is_atomic
                          ? earlier.place != kUnplaced || earlier.kind == OperationKind::kLoad ||
                                earlier.kind == OperationKind::kCompareExchange
                          : IsPlain(earlier.kind);
    const bool conflicts = ends || event.writes || earlier.writes;
    if (same && conflicts && !orders.HappensBefore(other, access)) return other;
  }
  return kNoEvent;
}

// The events without those that no execution graph has.
std::vector<EventNumber> Relevant(const Trace& trace, bool with_set_up) {
  std::vector<EventNumber> relevant;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    if (event.kind == OperationKind::kLateStore) continue;
    if (event.thread != kSetUp || with_set_up) relevant.push_back(number);
  }
  return relevant;
}

// What was put aside and never took effect is the newest store of its object.
void PlaceDeferred(Trace& trace) {
  std::map<std::uint32_t, std::uint32_t> places;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    if (event.place == kUnplaced) continue;
    places[event.object] = std::max(places[event.object], event.place + 1);
  }
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    model::Event& event = trace[number];
    if (event.deferred && event.place == kUnplaced) event.place = places[event.object]++;
  }
}

bool IsInsideThread(const Trace& trace, const model::Failure& failure) {
  return failure.thread >= 0 && failure.kind != FailureKind::kDeadlock &&
         failure.kind != FailureKind::kLivelock && trace.last() != 0;
}

}  // namespace

std::vector<EventNumber> Blamed(const Trace& trace, const Orders& orders,
                                const model::Failure& failure) {
  std::vector<EventNumber> blamed;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    if (trace[number].blocks) blamed.push_back(number);
  }
  if (failure.kind != FailureKind::kDataRace || failure.thread < 0) return blamed;
  EventNumber last = trace.last();
  while (last > 0 && trace[last].thread != failure.thread) --last;
  if (last == kNoEvent) return blamed;
  if (const EventNumber other = RacesWith(trace, orders, last)) blamed = {other, last};
  return blamed;
}

std::vector<std::vector<EventNumber>> Needs(const Trace& trace, const Orders& orders) {
  std::vector<std::vector<EventNumber>> needs(trace.last() + 1u);
  for (const Edge& edge : orders.synchronises_with()) {
    needs[static_cast<std::size_t>(edge.to)].push_back(static_cast<EventNumber>(edge.from));
  }
  // The last event of what shows its order, by object.
  std::map<std::uint32_t, EventNumber> mutexes, sleeps, conditions, writes;
  std::map<std::uint32_t, std::vector<EventNumber>> reads;  // of plain data, since the last write
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    const auto follow = [&](std::map<std::uint32_t, EventNumber>& last) {
      const EventNumber before = std::exchange(last[event.object], number);
      if (before != kNoEvent) needs[number].push_back(before);
    };
    if (event.from != kNoEvent) needs[number].push_back(event.from);
    if (KindOfObject(event.kind) == ObjectKind::kMutex) follow(mutexes);
    if (IsOfSleep(event.kind)) follow(sleeps);
    if (KindOfObject(event.kind) == ObjectKind::kCondition) follow(conditions);
    if (!IsPlain(event.kind)) continue;
    if (event.kind == OperationKind::kPlainRead) {
      if (const EventNumber write = writes[event.object]) needs[number].push_back(write);
      reads[event.object].push_back(number);
    } else {
      follow(writes);
      for (const EventNumber read : std::exchange(reads[event.object], {})) {
        needs[number].push_back(read);
      }
    }
  }
  return needs;
}

Trace CausalPast(const Trace& trace, const model::Failure& failure) {
  Trace placed = trace;
  PlaceDeferred(placed);
  const bool has_threads = [&] {
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      if (trace[number].thread != kSetUp) return true;
    }
    return false;
  }();
  const bool failed_in_set_up = failure.thread == kSetUp || !has_threads;
  Trace whole = placed.Take(Relevant(placed, failed_in_set_up));
  if (!IsInsideThread(whole, failure)) return whole;
  const Orders orders(whole);
  const std::vector<std::vector<EventNumber>> needs = Needs(whole, orders);
  std::vector<bool> needed(whole.last() + 1u, false);
  std::vector<EventNumber> before(whole.last() + 1u, kNoEvent);  // in its thread
  std::map<int, EventNumber> last;
  for (EventNumber number = 1; number <= whole.last(); ++number) {
    before[number] = std::exchange(last[whole[number].thread], number);
  }
  std::vector<EventNumber> left = Blamed(whole, orders, failure);
  left.push_back(last[failure.thread]);
  while (!left.empty()) {
    const EventNumber event = left.back();
    left.pop_back();
    if (event == kNoEvent || needed[event]) continue;
    needed[event] = true;
    left.push_back(before[event]);
    left.insert(left.end(), needs[event].begin(), needs[event].end());
  }
  std::vector<EventNumber> order;
  for (EventNumber number = 1; number <= whole.last(); ++number) {
    if (needed[number]) order.push_back(number);
  }
  return whole.Take(order);
}

}  // namespace nowait::model::counterexample
