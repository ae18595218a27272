// Trace: the steps of one execution in the order in which they took effect.
//
// Every store is identified by the number of its event, and every read names the store that it read
// from. A trace is therefore exact about reads-from even where all values are equal. It also
// records a store's position in the modification order of its object, which may differ from the
// order in which the checker ran the threads.
//
// Steps belong to the scenario's calls (models/kit/program/call.h), which have names and may
// nest.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_TRACE_H_
#define NOWAIT_MODELS_KIT_PROGRAM_TRACE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/program/operation.h"
#include "models/kit/program/threads.h"

namespace nowait::model {

// The number of an event, from 1 up; kNoEvent: no event.
using EventNumber = std::uint32_t;
inline constexpr EventNumber kNoEvent = 0;

// The same for a call.
using CallNumber = std::uint32_t;
inline constexpr CallNumber kNoCall = 0;

inline constexpr std::uint32_t kUnplaced = ~std::uint32_t{0};

struct Event {
  int thread = kSetUp;
  OperationKind kind = OperationKind::kLoad;
  Site site;
  std::uint32_t object = 0;  // which atomic, plain datum, mutex, condition variable or block; each
                             // kind is numbered from 1
  ValueType type = ValueType::kUnsigned;
  std::memory_order order = std::memory_order::relaxed;
  // The order that a compare-exchange asks for on success; `order` is that of its outcome.
  std::memory_order success = std::memory_order::relaxed;
  std::memory_order failure = std::memory_order::relaxed;
  CallNumber call = kNoCall;  // the innermost call

  bool reads = false;
  bool writes = false;
  bool stale = false;     // read a store that was not the newest one
  bool failed = false;    // of a compare-exchange or a try_lock
  bool spurious = false;  // failed although the newest value was the expected one; woke unnotified
  bool deferred = false;  // this store takes effect at a later event
  bool blocks = false;    // the thread waits here for ever
  Word read = 0;
  Word written = 0;
  EventNumber from = kNoEvent;  // the store that was read; of kLateStore: the one it completes
  // For a store to an atomic: its rank in the modification order, from 0. A deferred store that
  // never took effect has no rank.
  std::uint32_t place = kUnplaced;
};

// A call made by the scenario.
struct RecordedCall {
  int thread = kSetUp;
  std::string name;
  std::vector<std::string> notes;  // the call's arguments and its response, once they are known
  CallNumber outer = kNoCall;      // the call that made this one
  bool returned = false;
};

class Trace {
 public:
  void Clear() {
    events_.clear();
    calls_.clear();
    open_.fill(kNoCall);
  }

  // Adds an event; the reference is valid until the next call of Add.
  Event& Add(int thread, OperationKind kind, const Site& site) {
    Event& event = events_.emplace_back();
    event.thread = thread;
    event.kind = kind;
    event.site = site;
    event.call = open_[Index(thread)];
    return event;
  }
  EventNumber last() const { return static_cast<EventNumber>(events_.size()); }
  bool empty() const { return events_.empty(); }
  const Event& operator[](EventNumber number) const { return events_[number - 1]; }
  Event& operator[](EventNumber number) { return events_[number - 1]; }

  void BeginCall(int thread, std::string name);
  // Ends the innermost call of the thread, or adds a note to it. Does nothing for a thread that has
  // no open call.
  void EndCall(int thread);
  void AddNote(int thread, std::string note);
  CallNumber last_call() const { return static_cast<CallNumber>(calls_.size()); }
  const RecordedCall& call(CallNumber number) const { return calls_[number - 1]; }

  // Returns these events in this order, renumbered: one execution's events in another order, or a
  // part of them. A read from an event that is not among them reads from kNoEvent.
  Trace Take(const std::vector<EventNumber>& order) const;

  // The trace for a reader, one line per event. Set-up shows only the stores that are read later.
  std::string Format() const;

 private:
  std::string FormatEvent(EventNumber number) const;

  static std::size_t Index(int thread) { return static_cast<std::size_t>(thread - kAfter); }

  std::vector<Event> events_;
  std::vector<RecordedCall> calls_;
  std::array<CallNumber, kMaxThreads + 2> open_{};  // by thread: the innermost open call
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_TRACE_H_
