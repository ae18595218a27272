// The tree with three threads where models/broadphase has two, and with a fan-out of four where it
// has two.
#include <array>

#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

using model::Graphs;
using model::Pct;

constexpr Box kEverything = At(-200, 200);
constexpr Box kFar = At(40, 41);

// A body is removed, one is inserted, and one moves, which widens the boxes above it; each thread
// then queries.
struct RemoveInsertWiden : TreeScenario {
  static constexpr int kThreads = 3;
  RemoveInsertWiden() : TreeScenario(5) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Query(kBoxB);
    } else if (t == 1) {
      Insert(kC, kBoxC);
      Query(kBoxC);
    } else {
      Move(kB, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<RemoveInsertWiden> remove_insert_widen({
    .name = "quad_tree/3x1",
    .promise = "a removal, an insert and a move at once leave each of the bodies found, or gone",
});

// Each thread inserts a body and queries it. kBefore bodies are there already.
template <int kFanout, int kBefore>
struct Inserts : TreeScenarioOf<QuadTree<ModelSync, 1, kFanout>> {
  static constexpr int kThreads = 3;
  static constexpr std::array kBodies = {kC, kD, kE};
  static constexpr std::array kPlaces = {kBoxC, kBoxD, kFar};

  Inserts() : TreeScenarioOf<QuadTree<ModelSync, 1, kFanout>>(6) {
    if constexpr (kBefore > 0) this->Insert(kA, kBoxA);
    if constexpr (kBefore > 1) this->Insert(kB, kBoxB);
  }
  void Thread(int t) {
    const auto own = static_cast<std::size_t>(t);
    this->Insert(kBodies[own], kPlaces[own]);
    this->Query(kPlaces[own]);
  }
  void After() {
    this->Query(kEverything);
    this->CheckHistory();
  }
};
const Scenario<Inserts<2, 0>> three_into_empty({
    .name = "quad_tree/insert-3/empty",
    .promise = "of three bodies two take the slots of the root and one starts a staging tree",
    .graphs = Graphs().Within(300),
});
const Scenario<Inserts<2, 1>> three_above_one({
    .name = "quad_tree/insert-3/one-before",
    .promise =
        "of three bodies one takes the last slot of the root; the others are linked above it",
    .graphs = Graphs().Within(300),
});
const Scenario<Inserts<2, 2>> three_above_full({
    .name = "quad_tree/insert-3/full",
    .promise = "three bodies that start staging trees above a full root are there",
    .searches = {Pct(2, 20'000)},
    .bounded =
        "more than 2,500,000 executions, about 24% of the search; 1,000 probes say 26 million, "
        "half of them 180 to 5,800, the largest 2.1e10",
});
const Scenario<Inserts<4, 2>> three_into_four({
    .name = "quad_tree/insert-3/fan-out-4",
    .promise = "three bodies that come to a root with two free slots of four are all there",
    .graphs = Graphs().Within(300),
});

}  // namespace
}  // namespace nowait
