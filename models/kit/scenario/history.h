// History: the calls of a scenario's threads with their responses, and their precedence.
//
//   struct Op { int value; std::string Words() const; };         an operation with its response
//   History<Op> history;
//   history.Record("Read", [&] { return Op{cell.load(...)}; });  called, answered, recorded
//
// The name and the words also go into the trace of an execution that will be shown (call.h).
//
// An operation is recorded when it responds. An operation that never responds is therefore not in
// the history. In the scenarios here every call returns: if one does not, the execution fails as a
// deadlock or a livelock and is not judged further.
//
// The operations appear in the order of their responses, so each comes after all that precede it. A
// precedes B when A's response happens before B's invocation (machine.h: VectorClock). A history
// has no other order. In particular it ignores the order in which a checker happened to run the
// threads; linearizability.h says why.
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

// A set of operations of a history, one bit per operation.
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

  // Most histories are shorter: one allocation per execution.
  History() { entries_.reserve(16); }

  // `perform` performs an operation and returns it with its response. name: the function called.
  template <class F>
  Op Record(const char* name, F&& perform) {
    const Call call(name);
    const VectorClock invoked = CurrentMachine()->Now();
    const Op op = perform();
    Add(invoked, op);
    return op;
  }

  // For an operation that is not a single call: the moment of its invocation, and later its
  // response. Its words become a note of the innermost open Call.
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

  // Adds an entry of a history that was written by hand or derived from another history.
  void Add(const Entry& entry) { entries_.push_back(entry); }

  // The part of the history that concerns one object among several.
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
    for (std::size_t k = 0; k < i; ++k) {  // entries are in the order of responses
      if (entries_[k].Precedes(entries_[i])) before |= OneOperation(k);
    }
    return before;
  }

 private:
  // A moment is written in small pieces. A copy in large pieces right afterwards would wait for the
  // processor's store buffer, which takes a tenth of the time of a short scenario.
  struct MadeInPlace {
    operator VectorClock() const { return CurrentMachine()->Now(); }
  };

  std::vector<Entry> entries_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_HISTORY_H_
