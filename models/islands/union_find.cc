// Model of src/islands/union_find.h.
//
// Promise checked: Union is linearizable as the joining of a partition, and Find answers as
// union_find.h promises (the specification is in union_find_scenario.h); a link never points
// upwards. Therefore, however many threads link at once, the final partition is the same as if the
// unions had come one after another, with the lowest element of each set as its root.
//
// Examined: every execution of two and three threads with one and two unions each, of four threads
// with one, and of finds that halve a path beside each other and beside unions that link its root
// lower or shorten it. All operations on the links are relaxed.
#include <cstdint>

#include "models/islands/union_find_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

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
