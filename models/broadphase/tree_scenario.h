// What the scenarios of the tree share: the engine's tree with one axis and two children, and
// checks in words. A node then has two slots, so two inserts make a root full and three levels need
// four bodies.
#ifndef NOWAIT_MODELS_BROADPHASE_TREE_SCENARIO_H_
#define NOWAIT_MODELS_BROADPHASE_TREE_SCENARIO_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/kit/model.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/tree_stats.h"

namespace nowait {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

using Tree = QuadTree<ModelSync, 1, 2>;
using Box = Bounds<1>;

constexpr Box At(float low, float high) { return {{low}, {high}}; }

// Bodies in the order in which they come up.
inline constexpr BodyId kA(0, 0);
inline constexpr BodyId kB(1, 0);
inline constexpr BodyId kC(2, 0);
inline constexpr BodyId kD(3, 0);
inline constexpr BodyId kE(4, 0);

// Where a scenario's bodies are unless it says otherwise: far from each other.
inline constexpr Box kBoxA = At(0, 1);
inline constexpr Box kBoxB = At(10, 11);
inline constexpr Box kBoxC = At(20, 21);
inline constexpr Box kBoxD = At(30, 31);
// On the other side of everything, so that no box around A and B reaches it.
inline constexpr Box kBoxAway = At(-100, -99);

struct TreeScenario {
  explicit TreeScenario(std::uint32_t max_nodes) : storage(max_nodes, 5), tree(storage) {}

  void Insert(BodyId body, const Box& box) {
    Check(tree.Insert(body, box).has_value(), "there is a node for every new root");
  }

  // A subtree of its own, inserted as one.
  void InsertBatch(std::vector<Tree::Entry> entries) {
    auto batch = tree.Prepare(entries);
    Check(batch.has_value(), "there is a node for every subtree");
    tree.Finalise(std::move(*batch));
  }

  // How often a query of `box` reports `body`.
  int Count(BodyId body, const Box& box) {
    const auto pin = storage.PinReader();
    int count = 0;
    tree.QueryBox(box, [&](BodyId found) {
      count += found == body ? 1 : 0;
      return true;
    });
    return count;
  }

  void CheckThere(BodyId body, const Box& box) {
    Check(Count(body, box) == 1, "a body whose box overlaps throughout is found, and once");
  }
  void CheckGone(BodyId body, const Box& box) {
    Check(Count(body, box) == 0, "a body whose box does not overlap at any time is not found");
  }
  // For a body that comes or goes meanwhile.
  void CheckAtMostOnce(BodyId body, const Box& box) {
    Check(Count(body, box) <= 1, "a body that comes or goes once is found at most once");
  }

  // To be called last: it takes what is left in the pool.
  void CheckPoolIsEmptyNodes() {
    for (auto index = storage.TakeNode(); index; index = storage.TakeNode()) {
      const auto& node = storage.node(*index);
      bool empty = !node.changed.load(std::memory_order::relaxed) &&
                   ParentOf(storage, *index) == place::kNone;
      for (int slot = 0; slot < 2; ++slot) {
        empty &= node.child[slot].load(std::memory_order::relaxed) == child_id::kNone;
        empty &= node.BoxOf(slot, std::memory_order::relaxed) == Box::Empty();
      }
      Check(empty, "a node in the pool is empty: nobody wrote to it after it was given back");
    }
  }

  Tree::Storage storage;
  Tree tree;
};

}  // namespace nowait

#endif  // NOWAIT_MODELS_BROADPHASE_TREE_SCENARIO_H_
