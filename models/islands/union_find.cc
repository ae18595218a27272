// Model of src/islands/union_find.h.
//
// Promise checked: whatever many threads link at once is one partition in the end, the same as if
// the unions had come one after another; a link never points upwards; the root of a set is its
// lowest element; an element activated while others link is a set of its own until it is linked.
//
// What the search covers: 2 threads with one union each, in every interleaving and with every
// choice of the store that a load reads; 2 threads with two and 3 threads with one union each up to
// a number of switches, and at random beyond. All operations on the links are relaxed, so the
// searches also let failed compare-exchanges read stale values.
#include "src/islands/union_find.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/kit/model.h"

namespace nowait {
namespace {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// A partition by the book: the set of each element is its lowest member.
class Partition {
 public:
  explicit Partition(std::uint32_t count) : set_(count) {
    for (std::uint32_t i = 0; i < count; ++i) set_[i] = i;
  }
  void Join(Pair pair) {
    const auto [low, high] = std::minmax(set_[pair.first], set_[pair.second]);
    const std::uint32_t from = high;
    const std::uint32_t to = low;
    for (std::uint32_t& set : set_) {
      if (set == from) set = to;
    }
  }
  std::uint32_t SetOf(std::uint32_t i) const { return set_[i]; }

 private:
  std::vector<std::uint32_t> set_;
};

// Thread t makes the unions kUnions[t] one after another.
template <class Plan>
struct Unions {
  static constexpr int kThreads = Plan::kThreads;
  static constexpr std::uint32_t kElements = 4;

  Unions() {
    for (std::uint32_t i = 0; i < kElements; ++i) sets.Activate();
  }
  void Thread(int t) {
    for (const Pair& pair : Plan::kUnions[t]) sets.Union(pair.first, pair.second);
  }
  void After() {
    Partition expected(kElements);
    for (const auto& unions : Plan::kUnions) {
      for (const Pair& pair : unions) expected.Join(pair);
    }
    for (std::uint32_t i = 0; i < kElements; ++i) {
      Check(sets.LinkOf(i) <= i, "a link never points upwards");
      Check(sets.Find(i) == expected.SetOf(i), "what was united is one set, and nothing else is");
    }
  }

  UnionFind<ModelSync> sets{kElements};
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

// The same with the lower elements named first: it is the second one's link that is compressed.
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

// One thread wakes bodies and links them to one that has been there all along; the other links too.
struct ActivateWhileLinking {
  static constexpr int kThreads = 2;

  ActivateWhileLinking() {
    sets.Activate();
    sets.Activate();
  }
  void Thread(int t) {
    if (t == 0) {
      sets.Union(1, 0);
    }
    mine[t] = sets.Activate();
    Check(mine[t] == 2 || mine[t] == 3, "every activation gets an index below the capacity");
    Check(sets.Find(mine[t]) == mine[t], "a new element is a set of its own");
    if (t == 1) sets.Union(mine[t], 1);
  }
  void After() {
    Check(mine[0] != mine[1], "no index is given out twice");
    Check(sets.count() == 4, "every activation is counted");
    Check(sets.Activate() == UnionFind<ModelSync>::kNone, "at capacity there is no index");
    Partition expected(4);
    expected.Join({1, 0});
    expected.Join({mine[1], 1});
    for (std::uint32_t i = 0; i < 4; ++i) {
      Check(sets.Find(i) == expected.SetOf(i), "what was united is one set, and nothing else is");
    }
  }

  UnionFind<ModelSync> sets{4};
  std::uint32_t mine[2] = {};
};
const Scenario<ActivateWhileLinking> activate({
    .name = "activate",
    .promise = "an element activated while others link is its own set until it is linked",
    .searches = {ContextBound(3), ContextBound(1).StaleExchanges(),
                 Random(50'000).StaleExchanges().DeepHistory()},
});

// A second frame: what was one set is four again, and two threads activate and link anew.
struct ResetThenLink {
  static constexpr int kThreads = 2;

  ResetThenLink() {
    for (std::uint32_t i = 0; i < 4; ++i) sets.Activate();
    for (std::uint32_t i = 1; i < 4; ++i) sets.Union(i, 0);
    sets.Reset();
    Check(sets.count() == 0, "after Reset nothing is active");
  }
  void Thread(int t) {
    for (std::uint32_t& element : mine[t]) {
      element = sets.Activate();
      Check(sets.Find(element) == element, "a new element is a set of its own");
    }
    sets.Union(mine[t][0], mine[t][1]);
  }
  void After() {
    Check(sets.count() == 4, "every activation is counted");
    Partition expected(4);
    for (const auto& pair : mine) expected.Join({pair[0], pair[1]});
    for (std::uint32_t i = 0; i < 4; ++i) {
      Check(sets.Find(i) == expected.SetOf(i), "what was united is one set, and nothing else is");
    }
  }

  UnionFind<ModelSync> sets{4};
  std::uint32_t mine[2][2] = {};  // each thread writes its own row
};
const Scenario<ResetThenLink> reset({
    .name = "reset",
    .promise = "after Reset elements are activated and linked as if for the first time",
    .searches = {ContextBound(2), Random(50'000).StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
