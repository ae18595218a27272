// Trace: the steps of one execution in the order in which they took effect.
//
// Every store has an identity, the number of its event, and every read names the store it read
// from: so a trace is exact about who read from whom even where all values are equal.
#ifndef NOWAIT_MODELS_KIT_TRACE_H_
#define NOWAIT_MODELS_KIT_TRACE_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/operation.h"

namespace nowait::model {

// The number of an event, from 1 up; kNoEvent where there is none.
using EventNumber = std::uint32_t;
inline constexpr EventNumber kNoEvent = 0;

// The thread of the steps before and after all threads.
inline constexpr int kSetUp = -1;
inline constexpr int kAfter = -2;

struct Event {
  int thread = kSetUp;
  OperationKind kind = OperationKind::kLoad;
  Site site;
  std::uint32_t object = 0;  // which atomic, plain datum, mutex, condition variable or block;
                             // numbered from 1 each
  ValueType type = ValueType::kUnsigned;
  std::memory_order order = std::memory_order::relaxed;

  bool reads = false;
  bool writes = false;
  bool stale = false;     // read a store that was not the newest
  bool failed = false;    // compare-exchange, try_lock
  bool spurious = false;  // failed although the newest value was the expected one; woke unnotified
  bool deferred = false;  // a store that takes effect at a later event
  Word read = 0;
  Word written = 0;
  EventNumber from = kNoEvent;  // the store that was read; of kLateStore: the store it completes
};

class Trace {
 public:
  void Clear() { events_.clear(); }

  // The next event; the reference is good until the next call.
  Event& Add(int thread, OperationKind kind, const Site& site) {
    Event& event = events_.emplace_back();
    event.thread = thread;
    event.kind = kind;
    event.site = site;
    return event;
  }
  EventNumber last() const { return static_cast<EventNumber>(events_.size()); }
  const Event& operator[](EventNumber number) const { return events_[number - 1]; }

  // For people: one line an event. Of the set-up only what somebody read later.
  std::string Format() const;

 private:
  std::string FormatEvent(EventNumber number) const;

  std::vector<Event> events_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_TRACE_H_
