// Model of UnionFind::Same, which the exercise asks for.
//
// Promise checked: one thread's answers of Same fit into one order with all unions, in which each
// union joins two sets and each answer says whether the two elements are in one. (Two threads that
// ask may see two unions in different orders; so in each scenario one thread asks.)
//
// Examined: every execution of a thread that asks for a link of its own, of one that asks while two
// others link, and of one that asks for a link that another thread has announced to it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "models/kit/scenario/linearizability.h"
#include "models/kit/scenario/model.h"
#include "src/islands/union_find.h"

namespace nowait {
namespace {

using model::CheckLinearizable;
using model::History;
using model::Scenario;

constexpr std::uint32_t kElements = 4;

struct SetsOp {
  enum class Kind : std::uint8_t { kUnion, kSame };
  Kind kind;
  std::uint32_t a;
  std::uint32_t b;
  bool answer = false;  // kSame
  std::string Words() const {
    const std::string operands = "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    if (kind == Kind::kUnion) return "Union" + operands;
    return "Same" + operands + (answer ? " = true" : " = false");
  }
};

struct SetsSpec {
  using Op = SetsOp;
  struct State {
    std::array<std::uint32_t, kElements> set = {0, 1, 2, 3};  // the lowest element of each one's
    bool operator==(const State&) const = default;
  };
  static bool Apply(State& state, const Op& op) {
    const auto [low, high] = std::minmax(state.set[op.a], state.set[op.b]);
    if (op.kind == Op::Kind::kSame) return op.answer == (low == high);
    std::ranges::replace(state.set, std::uint32_t{high}, std::uint32_t{low});
    return true;
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
  void Same(std::uint32_t a, std::uint32_t b) {
    history_.Record("Same", [&] { return SetsOp{SetsOp::Kind::kSame, a, b, sets_.Same(a, b)}; });
  }
  void CheckHistory() const {
    CheckLinearizable<SetsSpec>(history_,
                                "the answers to one thread fit into one order with all unions");
  }

 private:
  UnionFind<ModelSync> sets_{kElements};
  History<SetsOp> history_;
};

// The elements that the asking thread has linked are linked on by another one.
struct OwnUnion {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      sets.Union(3, 2);
      sets.Same(2, 3);
      sets.Same(3, 2);
    } else {
      sets.Union(3, 1);
      sets.Union(0, 2);
    }
  }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
};
const Scenario<OwnUnion> own_union({
    .name = "own_union",
    .promise = "what a thread has linked is one set for it, however others link it on",
    .searches = {},  // a sample adds nothing to all executions
});

struct TwoLink {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t == 0) {
      sets.Same(1, 3);
      sets.Same(3, 1);
    } else if (t == 1) {
      sets.Union(3, 2);
    } else {
      sets.Union(2, 1);
    }
  }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
};
const Scenario<TwoLink> two_link({
    .name = "two_link",
    .promise =
        "elements that two others connect are apart first and together then, never apart again",
    .searches = {},  // likewise
});

// Another thread has announced one union to the asking thread; a second union is under way.
struct Told {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t == 0) {
      if (linked.load(std::memory_order::acquire) == 1) sets.Same(2, 3);
      sets.Same(0, 3);
    } else if (t == 1) {
      sets.Union(3, 2);
      linked.store(1, std::memory_order::release);  // pairs with the acquire above
    } else {
      sets.Union(3, 0);
    }
  }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
  ModelSync::atomic<int> linked{0};
};
const Scenario<Told> told({
    .name = "told",
    .promise = "a thread that has learnt of a union sees it in Same",
    .searches = {},  // likewise
});

}  // namespace
}  // namespace nowait
