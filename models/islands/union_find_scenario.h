// Shared by the scenarios of union-find: the structure, whose operations are recorded and then
// checked, and its specification.
#ifndef NOWAIT_MODELS_ISLANDS_UNION_FIND_SCENARIO_H_
#define NOWAIT_MODELS_ISLANDS_UNION_FIND_SCENARIO_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/islands/union_find.h"

namespace nowait {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

inline constexpr std::uint32_t kElements = 4;
inline constexpr std::array<std::uint32_t, kElements> kAll = {0, 1, 2, 3};

struct SetsOp {
  enum class Kind { kUnion, kFind, kReset };
  Kind kind;
  std::uint32_t a = 0;
  std::uint32_t b = 0;  // kFind: the answer
  std::string Words() const {
    if (kind == Kind::kReset) return "Reset()";
    const std::string operands = std::to_string(a) + (kind == Kind::kUnion ? ", " : ") = ");
    return kind == Kind::kUnion ? "Union(" + operands + std::to_string(b) + ")"
                                : "Find(" + operands + std::to_string(b);
  }
};

struct SetsSpec {
  using Op = SetsOp;
  struct State {
    std::array<std::uint32_t, kElements> set = kAll;  // the lowest element of the set of each
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op, const model::Context<Op>& context) {
    switch (op.kind) {
      case Op::Kind::kUnion: {
        const auto [low, high] = std::minmax(state.set[op.a], state.set[op.b]);
        std::ranges::replace(state.set, std::uint32_t{high}, std::uint32_t{low});
        return true;
      }
      case Op::Kind::kFind:
        return IsPromised(state, op, context);
      case Op::Kind::kReset:
        state = State{};
        return true;
    }
    return false;
  }
  // An element of the same set; the lowest one if no thread links meanwhile; in any case no element
  // above the one to which an earlier union has connected it.
  static bool IsPromised(const State& state, const Op& find, const model::Context<Op>& context) {
    if (find.b >= kElements || state.set[find.b] != state.set[find.a]) return false;
    if (find.b == state.set[find.a]) return true;
    if (find.b > find.a) return false;
    return context.Overlapped([](const Op& op) { return op.kind == Op::Kind::kUnion; }) &&
           !context.Preceded([&](const Op& op) {
             return op.kind == Op::Kind::kUnion && (op.a == find.a || op.b == find.a) &&
                    std::min(op.a, op.b) < find.b;
           });
  }
};

class RecordedSets {
 public:
  void Union(std::uint32_t a, std::uint32_t b) {
    history_.Record("Union", [&] {
      sets_.Union(a, b);
      return SetsOp{SetsOp::Kind::kUnion, a, b};
    });
  }
  void Find(std::uint32_t a) {
    history_.Record("Find", [&] { return SetsOp{SetsOp::Kind::kFind, a, sets_.Find(a)}; });
  }
  void Reset() {
    history_.Record("Reset", [this] {
      sets_.Reset(kAll);
      return SetsOp{SetsOp::Kind::kReset};
    });
  }
  // Called after all threads have been joined.
  void CheckHistory() {
    for (const std::uint32_t i : kAll) {
      model::Check(sets_.LinkOf(i) <= i, "a link never points upwards");
      Find(i);
    }
    model::CheckLinearizable<SetsSpec>(history_, "union-find is linearizable as a partition");
  }

 private:
  UnionFind<ModelSync> sets_{kElements};
  model::History<SetsOp> history_;
};

// Thread t makes the unions kUnions[t] one after another, and may then look up an element.
template <class Plan>
struct Unions {
  static constexpr int kThreads = Plan::kThreads;

  void Thread(int t) {
    for (const Pair& pair : Plan::kUnions[t]) sets.Union(pair.first, pair.second);
    if constexpr (requires { Plan::kThenFinds; }) sets.Find(Plan::kThenFinds[t]);
  }
  void After() { sets.CheckHistory(); }

  RecordedSets sets;
};

// Links that one thread has made: each element to the one below it.
inline void LinkAsPath(RecordedSets& sets, std::uint32_t root) {
  for (std::uint32_t i = kElements - 1; i > root; --i) sets.Union(i, i - 1);
}

}  // namespace nowait

#endif  // NOWAIT_MODELS_ISLANDS_UNION_FIND_SCENARIO_H_
