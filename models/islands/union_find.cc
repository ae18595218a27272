// Model of src/islands/union_find.h.
//
// Promise checked: Union is linearizable as the joining of a partition, and Find answers as
// union_find.h promises (the specification is below); a link never points upwards. Therefore,
// however many threads link at once, the final partition is the same as if the unions had come one
// after another, with the lowest element of each set as its root.
//
// Examined: every execution of two and three threads with one and two unions each, of four threads
// with one, and of finds that halve a path beside each other and beside unions that link its root
// lower or shorten it. All operations on the links are relaxed.
#include "src/islands/union_find.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Check;
using model::CheckLinearizable;
using model::Context;
using model::ContextBound;
using model::Full;
using model::History;
using model::Random;
using model::Scenario;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::uint32_t kElements = 4;
constexpr std::array<std::uint32_t, kElements> kAll = {0, 1, 2, 3};

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
  static bool Apply(State& state, const Op& op, const Context<Op>& context) {
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
  static bool IsPromised(const State& state, const Op& find, const Context<Op>& context) {
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
      Check(sets_.LinkOf(i) <= i, "a link never points upwards");
      Find(i);
    }
    CheckLinearizable<SetsSpec>(history_, "union-find is linearizable as a partition");
  }

 private:
  UnionFind<ModelSync> sets_{kElements};
  History<SetsOp> history_;
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

struct TwoByOne {
  static constexpr int kThreads = 2;
  static constexpr Pair kUnions[2][1] = {{{3, 2}}, {{3, 1}}};
};
const Scenario<Unions<TwoByOne>> two_by_one({
    .name = "2x1",
    .promise = "two unions that share their higher element are both kept",
    .searches = {Full(), ContextBound(2).StaleExchanges().DeepHistory(),
                 Random(50'000).StaleExchanges().DeepHistory()},
});

// The same with the lower elements named first: the second one's link is compressed.
struct TwoByOneTurned {
  static constexpr int kThreads = 2;
  static constexpr Pair kUnions[2][1] = {{{2, 3}}, {{1, 3}}};
};
const Scenario<Unions<TwoByOneTurned>> two_by_one_turned({
    .name = "2x1-turned",
    .promise = "it does not matter which of its elements a union names first",
    .searches = {Full(), ContextBound(2).StaleExchanges().DeepHistory(),
                 Random(50'000).StaleExchanges().DeepHistory()},
});

struct TwoByTwo {
  static constexpr int kThreads = 2;
  static constexpr Pair kUnions[2][2] = {{{3, 2}, {1, 0}}, {{3, 1}, {2, 1}}};
};
const Scenario<Unions<TwoByTwo>> two_by_two({
    .name = "2x2",
    .promise = "two threads that link the same elements in turn agree on one set",
    .searches = {ContextBound(2), Random(200'000).StaleExchanges().DeepHistory()},
});

struct ThreeByOne {
  static constexpr int kThreads = 3;
  static constexpr Pair kUnions[3][1] = {{{3, 2}}, {{3, 1}}, {{2, 0}}};
};
const Scenario<Unions<ThreeByOne>> three_by_one({
    .name = "3x1",
    .promise = "three unions that form a chain from different ends are all kept",
    .searches = {ContextBound(2), Random(200'000).StaleExchanges().DeepHistory()},
});

struct ThreeByTwo {
  static constexpr int kThreads = 3;
  static constexpr Pair kUnions[3][2] = {{{3, 2}, {1, 0}}, {{3, 1}, {2, 1}}, {{2, 0}, {3, 0}}};
};
const Scenario<Unions<ThreeByTwo>> three_by_two({
    .name = "3x2",
    .promise = "three threads that link the same elements in turn agree on one set",
    .searches = {Random(50'000).StaleExchanges().DeepHistory()},
});

struct FourByOne {
  static constexpr int kThreads = 4;
  static constexpr Pair kUnions[4][1] = {{{3, 2}}, {{3, 1}}, {{2, 0}}, {{1, 0}}};
};
const Scenario<Unions<FourByOne>> four_by_one({
    .name = "4x1",
    .promise = "four unions that form a circle from all ends are all kept",
    .searches = {},  // a sample adds nothing to all executions
});

// Each thread looks up the set that it has linked, while the other one links the same elements.
struct FindWhileLinking {
  static constexpr int kThreads = 2;
  static constexpr Pair kUnions[2][1] = {{{3, 2}}, {{2, 0}}};
  static constexpr std::uint32_t kThenFinds[2] = {3, 2};
};
const Scenario<Unions<FindWhileLinking>> find_while_linking({
    .name = "find",
    .promise = "a thread finds its linked elements in one set, however others link it on",
    .searches = {ContextBound(3), ContextBound(2).StaleExchanges().DeepHistory(),
                 Random(50'000).StaleExchanges().DeepHistory()},
});

// Links that one thread has made: each element to the one below it.
void LinkAsPath(RecordedSets& sets, std::uint32_t root) {
  for (std::uint32_t i = kElements - 1; i > root; --i) sets.Union(i, i - 1);
}

// Two threads halve one path.
struct HalveTogether {
  static constexpr int kThreads = 2;
  HalveTogether() { LinkAsPath(sets, 0); }
  void Thread(int t) { sets.Find(t == 0 ? 3 : 2); }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
};
const Scenario<HalveTogether> halve_together({
    .name = "halve",
    .promise = "two finds that halve one path both find its root",
    .searches = {Full(), ContextBound(3).StaleExchanges().DeepHistory()},
});

// A find halves a path while its root is linked lower.
struct HalveWhileLinking {
  static constexpr int kThreads = 3;
  HalveWhileLinking() { LinkAsPath(sets, 1); }
  void Thread(int t) {
    if (t == 2) {
      sets.Union(1, 0);
    } else {
      sets.Find(3);
    }
  }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
};
const Scenario<HalveWhileLinking> halve_while_linking({
    .name = "halve-link",
    .promise = "a find that halves a path does not lose the union that links its root on",
    .searches = {ContextBound(2), Random(50'000).StaleExchanges().DeepHistory()},
});

// While a find is about to link 3 to 1, another thread shortens that link to 0 and relies on it.
struct HalveWhileShortened {
  static constexpr int kThreads = 3;
  HalveWhileShortened() { sets.Union(3, 2); }
  void Thread(int t) {
    if (t == 0) {
      sets.Union(2, 1);
      sets.Union(2, 0);
    } else if (t == 1) {
      sets.Union(3, 0);
      sets.Find(3);
    } else {
      sets.Find(3);
    }
  }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
};
const Scenario<HalveWhileShortened> halve_while_shortened({
    .name = "halve-shortened",
    .promise = "a find does not put back a longer path than another thread has made",
    .searches = {Random(50'000).StaleExchanges().DeepHistory()},
});

// A second frame: one set is four again, and two threads link anew.
struct ResetThenLink {
  static constexpr int kThreads = 2;

  ResetThenLink() {
    for (std::uint32_t i = 1; i < kElements; ++i) sets.Union(i, 0);
    sets.Reset();
  }
  void Thread(int t) {
    sets.Find(3);
    sets.Union(3, t == 0 ? 2 : 1);
  }
  void After() { sets.CheckHistory(); }

  RecordedSets sets;
};
const Scenario<ResetThenLink> reset({
    .name = "reset",
    .promise = "after Reset elements are linked as if for the first time",
    .searches = {ContextBound(2), Random(50'000).StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
