// Counterexample: everything that is known about a failing scenario, in one record.
//
// It is made from the trace of the failing execution (from_trace.h) and written as JSON (json.h,
// docs/counterexample.md). The readable views, in the terminal (lanes.h) and as a page (page.h),
// are made from the record alone. A record can therefore be viewed again without running anything.
//
// All content is text: kinds, orders and values are named as in the reports. An event is named by
// its number, from 1 up in the order of display. 0 stands for no event; where a store is named, 0
// stands for the object's initial value.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_COUNTEREXAMPLE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_COUNTEREXAMPLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nowait::model::counterexample {

// A source location. Line 0: no location.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;

  friend bool operator==(const Place&, const Place&) = default;
};

struct Object {
  int id = 0;
  std::string kind;  // "atomic", "plain", "mutex", "condition", "block"
  std::string name;  // as in the source, with a number if several objects share it
  std::string type;
  std::string first;  // initial value; empty: made by a thread, or without a value

  friend bool operator==(const Object&, const Object&) = default;
};

struct Call {
  int id = 0;
  int thread = 0;
  std::string name;
  std::vector<std::string> notes;
  int first = 0;  // its first event, including those of nested calls
  int last = 0;
  bool returned = false;
  std::optional<int> outer;  // the call that made it

  friend bool operator==(const Call&, const Call&) = default;
};

struct Read {
  std::string value;
  int from = 0;  // the event that stored the value
  bool stale = false;

  friend bool operator==(const Read&, const Read&) = default;
};

struct Event {
  int number = 0;
  int thread = 0;
  std::optional<int> call;
  std::string kind;
  std::optional<int> object;
  std::string order;          // empty: the event has no order
  std::string failure_order;  // of a compare-exchange
  Place site;
  std::optional<Read> read;
  std::optional<std::string> written;
  std::string outcome;  // "", "fails", "fails spuriously", "wakes spuriously", "blocks"

  friend bool operator==(const Event&, const Event&) = default;
};

// Oldest first, without the object's initial value.
struct ModificationOrder {
  int object = 0;
  std::vector<int> stores;

  friend bool operator==(const ModificationOrder&, const ModificationOrder&) = default;
};

struct Edge {
  int from = 0;
  int to = 0;

  friend bool operator==(const Edge&, const Edge&) = default;
};

// One step of an argument: from one event to another, with the reason.
struct Step {
  int from = 0;
  int to = 0;
  std::string why;

  friend bool operator==(const Step&, const Step&) = default;
};

// A store, and whether a read could have read it.
struct Candidate {
  int store = 0;
  bool allowed = false;
  std::string rule;   // the paragraph's name; empty if allowed
  std::string words;  // one sentence
  std::vector<Step> path;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};
struct Choice {
  int event = 0;
  std::vector<Candidate> stores;

  friend bool operator==(const Choice&, const Choice&) = default;
};

struct Failure {
  std::string kind;
  std::string words;  // the broken invariant, one line
  std::vector<std::string> details;
  Place site;
  std::optional<int> thread;  // the thread in which it was found
  std::vector<int> events;    // the events to blame

  friend bool operator==(const Failure&, const Failure&) = default;
};

struct Execution {
  std::optional<Failure> failure;
  std::vector<Object> objects;
  std::vector<Call> calls;
  std::vector<Event> events;
  std::vector<ModificationOrder> modification_orders;
  std::vector<Edge> synchronises_with;
  std::vector<Choice> candidates;
  std::string left_out;  // a sentence about the part left out; empty: no part

  friend bool operator==(const Execution&, const Execution&) = default;
};

struct Scenario {
  std::string name;
  std::string promise;
  int threads = 0;

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

struct SearchDone {
  std::string words;
  std::uint64_t executions = 0;

  friend bool operator==(const SearchDone&, const SearchDone&) = default;
};

struct Size {
  std::string scenario;
  int threads = 0;
  int calls = 0;
  int events = 0;
  int switches = 0;

  friend bool operator==(const Size&, const Size&) = default;
};
struct Minimised {
  Size from;
  Size to;
  std::string words;

  friend bool operator==(const Minimised&, const Minimised&) = default;
};

// A source file as it was compiled.
struct Source {
  std::string file;
  std::vector<std::string> lines;

  friend bool operator==(const Source&, const Source&) = default;
};

// The operation whose order is responsible.
struct RepairedOperation {
  std::string kind;
  Place site;
  std::string order;  // in the source
  std::string failure_order;
  std::string repaired;  // the replacement with which the scenarios pass
  std::string repaired_failure;

  friend bool operator==(const RepairedOperation&, const RepairedOperation&) = default;
};

// The point where two executions diverge: an event of the failing one and its counterpart.
struct Parting {
  int event = 0;
  int other = 0;
  std::string words;

  friend bool operator==(const Parting&, const Parting&) = default;
};

// The execution that the failing one becomes under the right memory order.
struct Repair {
  using Operation = RepairedOperation;
  using Divergence = Parting;

  std::string words;
  std::optional<Operation> operation;  // nothing: several operations are responsible, or no
                                       // operation is
  std::string verdict;
  std::optional<Execution> execution;
  std::optional<Divergence> diverges;

  friend bool operator==(const Repair&, const Repair&) = default;
};

// All executions of the scenario, or many of them, for a reader who wants to act as the scheduler.
struct Recorded {
  struct Operation {
    int thread = 0;
    std::string call;  // empty: outside calls
    std::string kind;
    std::string object;
    std::string order;
    std::string failure_order;
    Place site;
    std::optional<std::string> read;
    std::optional<std::string> written;
    std::string outcome;

    friend bool operator==(const Operation&, const Operation&) = default;
  };
  struct Step {
    int operation = 0;  // index of the operation, from 0
    int from = -1;      // the step of this execution, from 0, whose store is read; -1: no step

    friend bool operator==(const Step&, const Step&) = default;
  };
  struct Execution {
    std::string verdict;  // "passes", "fails", "blocks"
    std::string words;    // the invariant that it violates
    std::vector<Step> order;

    friend bool operator==(const Execution&, const Execution&) = default;
  };

  bool complete = false;
  std::string words;
  std::vector<Operation> operations;
  std::vector<Execution> executions;

  friend bool operator==(const Recorded&, const Recorded&) = default;
};

struct Counterexample {
  std::string structure;
  Scenario scenario;
  SearchDone search;
  std::string again;  // the command that reproduces it
  std::optional<Minimised> minimised;
  std::vector<Source> sources;
  Execution execution;
  std::optional<Repair> repair;
  std::optional<Recorded> recorded;

  friend bool operator==(const Counterexample&, const Counterexample&) = default;
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_COUNTEREXAMPLE_H_
