// Linearizability: whether the responses that several threads got from a structure could have come
// from calls made one after another.
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
// The response settles a choice that a specification leaves open: a try-lock may answer "busy", and
// Apply accepts that. A condition on concurrent operations takes a third parameter, a Context.
// Operations without a response are not in the history.
//
// A PASS speaks of one structure and its own operations: two structures need not be linearizable
// together. Nor does it cover data published alongside an operation's result: the models' plain
// data, whose races are errors, checks that. After Herlihy and Wing (TOPLAS 12(3), 1990); see the
// end.
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

// The context of an operation in its history.
template <class Op>
class Context {
 public:
  Context(const History<Op>& history, std::size_t i) : history_(history), i_(i) {}

  // Whether `holds` is true of an operation that precedes this one.
  template <class F>
  bool Preceded(F&& holds) const {
    return Any(
        [&](const auto& own, const auto& other) { return holds(other.op) && other.Precedes(own); });
  }
  // Whether `holds` is true of a concurrent operation, which neither precedes nor follows this one.
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

  // memoise: false only in tests of the search itself.
  explicit Linearization(const History<Op>& history, bool memoise = true)
      : history_(history), memoise_(memoise) {}

  bool Exists(const State& initial = {}) {
    if (RecordedOrderFits(initial)) return true;
    for (std::size_t i = 0; i < history_.size(); ++i) before_[i] = history_.Predecessors(i);
    length_ = 0;
    return Extend(0, 0, initial);
  }

  // The order, or the longest prefix of one that was found, as indices of operations.
  std::span<const std::uint8_t> order() const { return std::span(order_).first(length_); }

 private:
  // In nearly all executions of a sound structure, the order of the responses is already a valid
  // one. It keeps the precedence (history.h), so no precedence needs to be compared.
  bool RecordedOrderFits(State state) {
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (!Apply(state, i)) return false;
    }
    length_ = history_.size();
    std::iota(order_.begin(), order_.begin() + length_, std::uint8_t{0});
    return true;
  }

  // Whether the operations outside `done`, which contains `placed` operations, can follow in some
  // order from this state.
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
      // First try an operation that fits and leaves the state unchanged. It is usually right, and
      // the state that it observed may not come again.
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
    // Only a dead end is stored here: an order that is found at once costs no memory.
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

// An operation of a history as a report shows it.
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

// How far the longest order got, and the operations that could have come next but do not fit.
std::string FormatLongest(const std::vector<HistoryLine>& lines,
                          std::span<const std::uint8_t> longest);

// Fails the execution if `history` is not linearizable. Must be called in After. promise: the
// structure's promise in words, by which reports and mutants name the failure.
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
// Objects, TOPLAS 12(3), 1990). Theirs uses one global clock: A precedes B when A's response comes
// before B's invocation in real time. C++ has no such clock. Here A precedes B when A's response
// HAPPENS BEFORE B's invocation: by program order within one thread, or by any kind of
// synchronisation between two.
//
//   Why not the order in which the checker ran the threads? A relaxed load may legitimately read a
//   store that is not the newest, unless something orders the load after the newer one. Real time
//   demands that a reader know of a write that was never published to it. Every structure with
//   relaxed operations would fail, even one on which no client could ever notice a difference: a
//   client learns that A came first only through synchronisation.
//   Why not program order alone (sequential consistency)? It would accept a thread that does not
//   find an element whose insertion was published to it with release and acquire.
//
// Linearizability over happens-before is studied as causal linearizability: Doherty, Dongol,
// Wehrheim, Derrick, "Making Linearizability Compositional for Partially Ordered Executions", iFM
// 2018. Their title names the property that is lost: over a partial order, two objects that are
//       each linearizable need not be linearizable together (two relaxed flags are linearizable,
//       but store buffering over both has no order).
//
// The search is Wing and Gong's (Testing and Verifying Concurrent Objects, JPDC 17, 1993): put
// first an operation that no remaining one precedes, and continue; undo the choice if it leads
// nowhere. Lowe's memoisation is added (Testing for linearizability, Concurrency and Computation:
// Practice and Experience 29(4), 2017): each pair of a set of placed operations and the state after
// them is tried once.

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_LINEARIZABILITY_H_
