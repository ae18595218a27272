#include "models/kit/counterexample/causal_past.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "models/kit/counterexample/kinds.h"
#include "models/kit/program/operation.h"

namespace nowait::model::counterexample {
namespace {

bool IsPlain(OperationKind kind) { return KindOfObject(kind) == ObjectKind::kPlain; }

// Steps of waiting, waking and notifying: their order shows in the choice of the woken thread.
bool IsOfSleep(OperationKind kind) {
  return kind == OperationKind::kSleep || kind == OperationKind::kNotify;
}

// The last access to the datum that is unordered with this one.
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

// The end of the block that was used.
EventNumber Freed(const Trace& trace, EventNumber use) {
  for (EventNumber other = use - 1; other > 0; --other) {
    if (trace[other].kind == OperationKind::kDelete && trace[other].object == trace[use].object) {
      return other;
    }
  }
  return kNoEvent;
}

// The events except those that no execution graph contains.
std::vector<EventNumber> Relevant(const Trace& trace, bool with_set_up) {
  std::vector<EventNumber> relevant;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    if (event.kind == OperationKind::kLateStore) continue;
    if (event.thread != kSetUp || with_set_up) relevant.push_back(number);
  }
  return relevant;
}

// A deferred store that never took effect counts as the newest store of its object.
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

// The call that the first line of the failure's details quotes as the wrong one, as in "Query([40,
// 41]) = nothing, by thread 1; ...".
CallNumber WrongCall(const Trace& trace, const model::Failure& failure) {
  const std::size_t end = failure.words.find('\n');
  if (end == failure.words.npos) return kNoCall;
  const std::string_view words = std::string_view(failure.words).substr(end + 1);
  const std::string_view quoted =
      words.substr(std::min(words.find_first_not_of(' '), words.size()));
  for (CallNumber number = 1; number <= trace.last_call(); ++number) {
    const RecordedCall& call = trace.call(number);
    for (const std::string& note : call.notes) {
      if (!note.empty() &&
          quoted.starts_with(fmt::format("{}, by thread {};", note, call.thread))) {
        return number;
      }
    }
  }
  return kNoCall;
}

// A part of a trace, together with everything that it needs.
class Part {
 public:
  Part(const Trace& trace, const Orders& orders)
      : trace_(trace),
        needs_(Needs(trace, orders)),
        before_(trace.last() + 1u, kNoEvent),
        is_in_(trace.last() + 1u, false) {
    std::map<int, EventNumber> last;
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      // Steps after all threads only look at the state, so no step needs the steps before it.
      if (trace[number].thread == kAfter) continue;
      before_[number] = std::exchange(last[trace[number].thread], number);
    }
  }

  void Add(EventNumber event) {
    std::vector<EventNumber> left = {event};
    while (!left.empty()) {
      const EventNumber number = left.back();
      left.pop_back();
      if (number == kNoEvent || is_in_[number]) continue;
      is_in_[number] = true;
      left.push_back(before_[number]);
      left.insert(left.end(), needs_[number].begin(), needs_[number].end());
    }
  }

  Trace Take() const {
    std::vector<EventNumber> order;
    for (EventNumber number = 1; number <= trace_.last(); ++number) {
      if (is_in_[number]) order.push_back(number);
    }
    return trace_.Take(order);
  }

 private:
  const Trace& trace_;
  const std::vector<std::vector<EventNumber>> needs_;
  std::vector<EventNumber> before_;  // the preceding event of its thread
  std::vector<bool> is_in_;
};

EventNumber LastOf(const Trace& trace, int thread) {
  EventNumber last = trace.last();
  while (last > 0 && trace[last].thread != thread) --last;
  return last;
}

// Whether it is a step of this call or of a call nested in it.
bool IsIn(const Trace& trace, EventNumber number, CallNumber call) {
  CallNumber at = trace[number].call;
  while (at != kNoCall && at != call) at = trace.call(at).outer;
  return at == call;
}

// The events that a check after all threads needs; nothing if it needs all of them. In general a
// check may depend on every answer of the calls. There are two exceptions. If a call is quoted as
// wrong, that call fails. If the check looks at the objects directly, after its last call and
// without quoting any call, the calls after all threads belong to other checks.
std::vector<EventNumber> NeededAfter(const Trace& trace, const model::Failure& failure) {
  std::vector<EventNumber> needed;
  if (const CallNumber wrong = WrongCall(trace, failure); wrong != kNoCall) {
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      if (IsIn(trace, number, wrong)) needed.push_back(number);
    }
    return needed;
  }
  if (failure.words.find('\n') != failure.words.npos) return needed;
  EventNumber last = trace.last();
  while (last > 0 && trace[last].thread == kAfter && trace[last].call == kNoCall) --last;
  if (last == trace.last()) return needed;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    if (trace[number].thread != kAfter || number > last) needed.push_back(number);
  }
  return needed;
}

}  // namespace

std::vector<EventNumber> Blamed(const Trace& trace, const Orders& orders,
                                const model::Failure& failure) {
  std::vector<EventNumber> blamed;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    if (trace[number].blocks) blamed.push_back(number);
  }
  const bool is_race = failure.kind == FailureKind::kDataRace;
  const bool is_use = failure.kind == FailureKind::kUseAfterFree;
  if ((!is_race && !is_use) || failure.thread < 0) return blamed;
  const EventNumber last = LastOf(trace, failure.thread);
  if (last == kNoEvent || (is_use && trace[last].kind != OperationKind::kUse)) return blamed;
  if (const EventNumber other = is_race ? RacesWith(trace, orders, last) : Freed(trace, last)) {
    blamed = {other, last};
  }
  return blamed;
}

std::vector<std::vector<EventNumber>> Needs(const Trace& trace, const Orders& orders) {
  std::vector<std::vector<EventNumber>> needs(trace.last() + 1u);
  for (const Edge& edge : orders.synchronises_with()) {
    needs[static_cast<std::size_t>(edge.to)].push_back(static_cast<EventNumber>(edge.from));
  }
  // By object, the last event that shows the object's order.
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
    if (event.kind == OperationKind::kUse) {
      if (const EventNumber freed = Freed(trace, number)) needs[number].push_back(freed);
    }
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
  const bool is_check_after =
      failure.thread == kAfter && failure.kind == FailureKind::kInvariant && !failed_in_set_up;
  const Orders orders(whole);
  std::vector<EventNumber> ends;
  if (IsInsideThread(whole, failure)) {
    ends = Blamed(whole, orders, failure);
    ends.push_back(LastOf(whole, failure.thread));
  } else if (is_check_after) {
    ends = NeededAfter(whole, failure);
  }
  if (ends.empty()) return whole;
  Part part(whole, orders);
  for (const EventNumber end : ends) part.Add(end);
  return part.Take();
}

}  // namespace nowait::model::counterexample
