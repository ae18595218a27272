// Union-find with more threads and operations than in models/islands/union_find.cc.
#include <cstdint>

#include "models/islands/union_find_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Graphs;
using model::Scenario;

struct FourByOneFinds {
  static constexpr int kThreads = 4;
  static constexpr Pair kUnions[4][1] = {{{3, 2}}, {{3, 1}}, {{2, 0}}, {{1, 0}}};
  static constexpr std::uint32_t kThenFinds[4] = {3, 3, 2, 1};
};
const Scenario<Unions<FourByOneFinds>> four_by_one_finds({
    .name = "union_find/4x1-finds",
    .promise = "of four threads that link a circle each finds its element in one set",
});

struct ThreeByTwo {
  static constexpr int kThreads = 3;
  static constexpr Pair kUnions[3][2] = {{{3, 2}, {1, 0}}, {{3, 1}, {2, 1}}, {{2, 0}, {3, 0}}};
};
struct ThreeByTwoFind : Unions<ThreeByTwo> {
  void Thread(int t) {
    Unions<ThreeByTwo>::Thread(t);
    if (t == 0) sets.Find(3);
  }
};
const Scenario<ThreeByTwoFind> three_by_two_find({
    .name = "union_find/3x2-find",
    .promise = "a thread finds a linked element in one set while two others link on",
    .graphs = Graphs().Within(300),
});

// Each thread halves a path and links its root lower, in one order or the other.
struct Halving {
  static constexpr int kThreads = 3;
  Halving() { LinkAsPath(sets, 1); }
  void Thread(int t) {
    if (t == 2) {
      sets.Union(1, 0);
      sets.Find(3);
    } else {
      sets.Find(3);
      sets.Union(t == 0 ? 3 : 2, 0);
    }
  }
  void After() { sets.CheckHistory(); }
  RecordedSets sets;
};
const Scenario<Halving> halving({
    .name = "union_find/3x2-halving",
    .promise = "three threads that halve a path and link its root on agree on one set",
});

}  // namespace
}  // namespace nowait
