// History: the calls of a scenario's threads with their responses, and which call preceded which.
//
//   struct Op { int value; std::string Words() const; };         an operation with its response
//   History<Op> history;
//   history.Record("Read", [&] { return Op{cell.load(...)}; });  called, answered, recorded
//
// The name and the words also go into the trace of an execution that will be shown (call.h).
//
// An operation is recorded at its response. One that is called and never answered is not in the
// history: in our scenarios every call returns; otherwise the execution fails as a deadlock or a
// livelock, and is not judged any further.
//
// The operations stand in the order of their responses: each comes after all that precede it. A
// precedes B when A's response happens before B's invocation (machine.h: VectorClock). That is all
// the order that a history has. The order in which a checker happened to run the threads is no part
// of it; linearizability.h says why.
#ifndef NOWAIT_MODELS_KIT_SCENARIO_HISTORY_H_
#define NOWAIT_MODELS_KIT_SCENARIO_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/program/call.h"
#include "models/kit/program/machine.h"
#include "models/kit/watch/watch.h"

namespace nowait::model {

// A set of a history's operations, one bit each.
using OperationSet = std::uint64_t;
inline constexpr std::size_t kMaxOperations = 64;

constexpr OperationSet OneOperation(std::size_t i) { return OperationSet{1} << i; }
constexpr OperationSet FirstOperations(std::size_t n) {
  return n == kMaxOperations ? ~OperationSet{0} : OneOperation(n) - 1;
}

template <class Op>
class History {
 public:
  struct Entry {
    Op op;
    int thread;  // 0 .. n-1, kSetUp or kAfter
    VectorClock invoked;
    VectorClock responded;

    bool Precedes(const Entry& later) const { return responded.HappensBefore(later.invoked); }
  };

  // Most histories are shorter: one allocation an execution.
  History() { entries_.reserve(16); }

  // `perform` performs an operation and returns it with its response. name: of the function called.
  template <class F>
  Op Record(const char* name, F&& perform) {
    const Call call(name);
    const VectorClock invoked = CurrentMachine()->Now();
    const Op op = perform();
    Add(invoked, op);
    return op;
  }

  // For an operation that is not one call: the moment of its invocation, and later its response.
  // Its words are noted in the innermost open Call.
  static VectorClock Invoke() { return CurrentMachine()->Now(); }
  void Add(const VectorClock& invoked, const Op& op) {
    if (entries_.size() == kMaxOperations) {
      FailExecution(FailureKind::kLivelock, "the threads go on calling and get nowhere", Site());
    }
    const Unwatched unwatched;
    entries_.emplace_back(op, CurrentMachine()->Thread(), invoked, MadeInPlace());
    if constexpr (requires { op.Words(); }) {
      KeepCalls([&op](Trace& trace, int caller) { trace.AddNote(caller, op.Words()); });
    }
  }

  // A history written down by hand, or derived from another one.
  void Add(const Entry& entry) { entries_.push_back(entry); }

  // The history of one object among several.
  template <class F>
  History Select(F&& belongs) const {
    History part;
    for (const Entry& entry : entries_) {
      if (belongs(entry.op)) part.Add(entry);
    }
    return part;
  }

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }

  // The operations that precede operation i.
  OperationSet Predecessors(std::size_t i) const {
    OperationSet before = 0;
    for (std::size_t k = 0; k < i; ++k) {  // the order of responses
      if (entries_[k].Precedes(entries_[i])) before |= OneOperation(k);
    }
    return before;
  }

 private:
  // A moment is written in small pieces. Copied in large ones right after that, it would have to
  // wait for the processor's store buffer: a tenth of the time of a short scenario.
  struct MadeInPlace {
    operator VectorClock() const { return CurrentMachine()->Now(); }
  };

  std::vector<Entry> entries_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_HISTORY_H_
