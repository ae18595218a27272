// Linearizability: whether the responses that several threads got from a structure could have come
// from calls one after another.
//
//   struct RegisterSpec {
//     using Op = RegisterOp;             an operation with its response; Op::Words() for reports
//     struct State {                     default-constructed: before the first operation
//       int value = 0;
//       bool operator==(const State&) const = default;
//     };
//     // Whether `op` can be next, with this response; `state` then becomes the one after it.
//     static bool Apply(State& state, const Op& op);
//   };
//
// A history (history.h) is linearizable when its operations can be put in one order that keeps the
// precedence between them and in which each operation, with its response, is one that such a
// sequential specification allows. A precedes B when A's response happens before B's invocation.
// The response settles a choice that a specification leaves open (a try-lock may say "busy": Apply
// accepts that). A condition on simultaneous operations takes a third parameter, a Context.
// Operations without a response are not in the history.
//
// A PASS speaks of one structure and its own operations: two of them need not be linearizable
// together. Nor does it say what an operation publishes beside its result: the models' plain data,
// whose races are errors, checks that. After Herlihy and Wing (TOPLAS 12(3), 1990); see the end.
#ifndef NOWAIT_MODELS_KIT_SCENARIO_LINEARIZABILITY_H_
#define NOWAIT_MODELS_KIT_SCENARIO_LINEARIZABILITY_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/kit/program/operation.h"
#include "models/kit/scenario/history.h"

namespace nowait::model {

// The surroundings of an operation in its history.
template <class Op>
class Context {
 public:
  Context(const History<Op>& history, std::size_t i) : history_(history), i_(i) {}

  // Whether an operation that precedes it is one for which `holds`.
  template <class F>
  bool Preceded(F&& holds) const {
    return Any(
        [&](const auto& own, const auto& other) { return holds(other.op) && other.Precedes(own); });
  }
  // Whether one that neither precedes it nor is preceded by it is.
  template <class F>
  bool Overlapped(F&& holds) const {
    return Any([&](const auto& own, const auto& other) {
      return holds(other.op) && !other.Precedes(own) && !own.Precedes(other);
    });
  }

 private:
  template <class F>
  bool Any(F&& holds) const {
    for (std::size_t k = 0; k < history_.size(); ++k) {
      if (k != i_ && holds(history_[i_], history_[k])) return true;
    }
    return false;
  }

  const History<Op>& history_;
  std::size_t i_;
};

template <class Spec>
class Linearization {
 public:
  using Op = typename Spec::Op;
  using State = typename Spec::State;

  // memoise: false for tests of the search alone.
  explicit Linearization(const History<Op>& history, bool memoise = true)
      : history_(history), memoise_(memoise) {}

  bool Exists(const State& initial = {}) {
    if (RecordedOrderFits(initial)) return true;
    for (std::size_t i = 0; i < history_.size(); ++i) before_[i] = history_.Predecessors(i);
    length_ = 0;
    return Extend(0, 0, initial);
  }

  // The order, or the longest beginning of one that was found: operations by their indices.
  std::span<const std::uint8_t> order() const { return std::span(order_).first(length_); }

 private:
  // In nearly all executions of a sound structure the order of the responses is one already. It
  // keeps the precedence (history.h), so nothing needs to be compared.
  bool RecordedOrderFits(State state) {
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (!Apply(state, i)) return false;
    }
    length_ = history_.size();
    std::iota(order_.begin(), order_.begin() + length_, std::uint8_t{0});
    return true;
  }

  // Whether the operations outside `done`, which has so many, can follow in some order in this
  // state.
  bool Extend(OperationSet done, std::size_t placed, const State& state) {
    if (placed == history_.size()) {
      KeepPath(placed);
      return true;
    }
    if (memoise_ && IsDeadEnd(done, state)) return false;
    OperationSet changing = 0;
    for (OperationSet left = FirstOperations(history_.size()) & ~done; left != 0;
         left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      if ((before_[i] & ~done) != 0) continue;
      State next = state;
      if (!Apply(next, i)) continue;
      // First an operation that fits and changes nothing here: it is mostly right, and the state
      // that it saw is gone later.
      if (next != state) {
        changing |= OneOperation(i);
      } else if (Place(i, done, placed, state)) {
        return true;
      }
    }
    for (; changing != 0; changing &= changing - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(changing));
      State next = state;
      Apply(next, i);
      if (Place(i, done, placed, next)) return true;
    }
    if (placed > length_) KeepPath(placed);
    // Kept only here, where the search comes back: an order that is found at once costs no memory.
    if (memoise_) dead_ends_[done].push_back(state);
    return false;
  }

  bool Place(std::size_t i, OperationSet done, std::size_t placed, const State& state) {
    path_[placed] = static_cast<std::uint8_t>(i);
    return Extend(done | OneOperation(i), placed + 1, state);
  }

  void KeepPath(std::size_t placed) {
    std::copy_n(path_.begin(), placed, order_.begin());
    length_ = placed;
  }

  bool Apply(State& state, std::size_t i) const {
    const Op& op = history_[i].op;
    if constexpr (requires { Spec::Apply(state, op); }) {
      return Spec::Apply(state, op);
    } else {
      return Spec::Apply(state, op, Context<Op>(history_, i));
    }
  }

  bool IsDeadEnd(OperationSet done, const State& state) const {
    const auto found = dead_ends_.find(done);
    return found != dead_ends_.end() &&
           std::ranges::find(found->second, state) != found->second.end();
  }

  const History<Op>& history_;
  const bool memoise_;
  // No allocations: one of these is made in each execution, and most have little to do.
  std::array<OperationSet, kMaxOperations> before_;
  std::array<std::uint8_t, kMaxOperations> path_;
  std::array<std::uint8_t, kMaxOperations> order_;
  std::size_t length_ = 0;  // of order_
  std::unordered_map<OperationSet, std::vector<State>> dead_ends_;
};

// A history for people.
struct HistoryLine {
  int thread;
  std::string words;
  OperationSet before;  // the operations that precede it
};

template <class Op>
std::vector<HistoryLine> LinesOf(const History<Op>& history) {
  std::vector<HistoryLine> lines;
  for (std::size_t i = 0; i < history.size(); ++i) {
    lines.push_back({history[i].thread, history[i].op.Words(), history.Predecessors(i)});
  }
  return lines;
}

// The operations by thread, each with those of other threads that precede it.
std::string FormatHistory(const std::vector<HistoryLine>& lines);

// How far the longest order came, with the operations that could have been next and do not fit.
std::string FormatLongest(const std::vector<HistoryLine>& lines,
                          std::span<const std::uint8_t> longest);

// Ends the execution as a failure when `history` is not linearizable. To be called in After.
// promise: the structure's promise, in words; reports and mutants name it by them.
template <class Spec>
void CheckLinearizable(const History<typename Spec::Op>& history, const char* promise,
                       const typename Spec::State& initial = {}, Site site = Site::current()) {
  Linearization<Spec> linearization(history);
  if (linearization.Exists(initial)) return;
  const std::vector<HistoryLine> lines = LinesOf(history);
  FailExecution(
      FailureKind::kInvariant,
      promise + ("\n" + FormatHistory(lines)) + "\n" + FormatLongest(lines, linearization.order()),
      site);
}

// Implementation: why this is right.
//
// The definition is Herlihy and Wing's (Linearizability: A Correctness Condition for Concurrent
// Objects, TOPLAS 12(3), 1990). Theirs has one clock on the wall: A precedes B when A's response
// comes before B's invocation in real time. C++ has no such clock. Here A precedes B when A's
// response HAPPENS BEFORE B's invocation: by the program order of one thread, or by synchronisation
// of any kind between two.
//
//   Why not the order in which the checker ran the threads? A relaxed load may rightly read a store
//   that is not the newest, unless something orders it after the newer one. Real time demands that
//   a reader knows of a write that was never published to it. Every structure whose operations are
//   relaxed would fail, and so would one on which a client could never notice a difference: a
//   client knows that A came first only by synchronisation.
//   Why not program order alone (sequential consistency)? It would accept that a thread does not
//   find an element whose insertion was published to it with release and acquire.
//
// Linearizability over happens-before is studied as causal linearizability: Doherty, Dongol,
// Wehrheim, Derrick, "Making Linearizability Compositional for Partially Ordered Executions", iFM
// 2018. Their title names the loss: over a partial order, two objects that are linearizable each
// need not be linearizable together (two relaxed flags are, and store buffering over both has no
// order).
//
// The search is Wing and Gong's (Testing and Verifying Concurrent Objects, JPDC 17, 1993): put
// first an operation that no remaining one precedes, and continue; take it back when that leads
// nowhere. With Lowe's memory (Testing for linearizability, Concurrency and Computation: Practice
// and Experience 29(4), 2017): a set of operations already placed and the state after them are
// tried once.

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_LINEARIZABILITY_H_
