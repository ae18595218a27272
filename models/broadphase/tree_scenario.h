// Shared by the scenarios of the tree: the engine's tree with one axis, whose operations are
// recorded and then checked. Most scenarios have two children per node: a node then has two slots,
// two inserts fill a root, and three levels need four bodies.
#ifndef NOWAIT_MODELS_BROADPHASE_TREE_SCENARIO_H_
#define NOWAIT_MODELS_BROADPHASE_TREE_SCENARIO_H_

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/broadphase/query_promise.h"
#include "models/broadphase/tree_history.h"
#include "models/kit/scenario/model.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/tree_stats.h"

namespace nowait {

using model::Check;
using model::ContextBound;
using model::Full;
using model::Random;
using model::Scenario;

using Tree = QuadTree<ModelSync, 1, 2>;

constexpr Box At(float low, float high) { return {{low}, {high}}; }

// Bodies in the order of their appearance.
inline constexpr ProxyId kA(0, 0);
inline constexpr ProxyId kB(1, 0);
inline constexpr ProxyId kC(2, 0);
inline constexpr ProxyId kD(3, 0);
inline constexpr ProxyId kE(4, 0);

// The places of a scenario's bodies unless it gives others: far from each other.
inline constexpr Box kBoxA = At(0, 1);
inline constexpr Box kBoxB = At(10, 11);
inline constexpr Box kBoxC = At(20, 21);
inline constexpr Box kBoxD = At(30, 31);
// On the far side of everything: no box around A and B reaches it.
inline constexpr Box kBoxAway = At(-100, -99);

// TreeType: a QuadTree of one axis. max_bodies: bodies from kTreeBodies on only fill slots at
// places that no query visits, and are in no history.
template <class TreeType>
struct TreeScenarioOf {
  using Tree = TreeType;
  static constexpr int kFanout =
      static_cast<int>(std::extent_v<decltype(Tree::Storage::Node::child)>);

  explicit TreeScenarioOf(std::uint32_t max_nodes, std::uint32_t max_bodies = kTreeBodies)
      : storage(max_nodes, max_bodies), tree(storage) {}

  void Insert(ProxyId body, const Box& box) {
    history.Record("Insert", [&] {
      Check(tree.Insert(body, box).has_value(), "there is a node for every new root and cell");
      return OpOn(TreeOp::Kind::kInsert, body, box);
    });
  }

  // A separate subtree, to be inserted as a whole.
  struct Batch {
    std::vector<typename Tree::Entry> entries;
    typename Tree::Batch subtree;
  };
  Batch Prepare(std::vector<typename Tree::Entry> entries) {
    const model::Call call("Prepare");
    auto subtree = tree.Prepare(entries);
    Check(subtree.has_value(), "there is a node for every subtree");
    return {std::move(entries), std::move(*subtree)};
  }
  void Finalise(Batch batch) {
    const model::Call call("Finalise");
    const model::VectorClock invoked = history.Invoke();
    tree.Finalise(std::move(batch.subtree));
    for (const auto& entry : batch.entries) {
      history.Add(invoked, OpOn(TreeOp::Kind::kInsert, entry.id, entry.box));
    }
  }
  void InsertBatch(std::vector<typename Tree::Entry> entries) {
    Finalise(Prepare(std::move(entries)));
  }

  void Move(ProxyId body, const Box& box) {
    history.Record("Move", [&] {
      Check(tree.Move(body, box).has_value(), "a body can be moved to a usable box");
      return OpOn(TreeOp::Kind::kMove, body, box);
    });
  }
  void Remove(ProxyId body) {
    history.Record("Remove", [&] {
      tree.Remove(body);
      return OpOn(TreeOp::Kind::kRemove, body, Box::Empty());
    });
  }
  bool Has(ProxyId body) {
    return history
        .Record("Has",
                [&] {
                  TreeOp op = OpOn(TreeOp::Kind::kHas, body, Box::Empty());
                  op.has = tree.Has(body);
                  return op;
                })
        .has;
  }

  // The work of a physics update on the tree.
  void Rebuild(Keep keep = Keep::kUnchanged) {
    {
      const model::Call call("Rebuild");
      Check(tree.Rebuild(keep).has_value(), "there is a node for every rebuilt one");
    }
    history.Record("Swap", [this] {
      tree.Swap();
      return TreeOp{TreeOp::Kind::kSwap};
    });
    const model::Call call("Reclaim");
    storage.Reclaim();
  }

  void Refit() {
    history.Record("Refit", [this] {
      tree.Refit();
      return TreeOp{TreeOp::Kind::kRefit};
    });
  }

  void Query(const Box& box) {
    history.Record("QueryBox", [&] {
      TreeOp op{TreeOp::Kind::kQuery};
      op.box = box;
      const auto pin = storage.PinReader();
      tree.QueryBox(box, [&](ProxyId found) {
        ++op.found[found.slot()];
        return true;
      });
      return op;
    });
  }

  void CheckHistory() const { CheckTreeHistory(history); }

  // Called last: takes the rest of the pool, and returns the number of these nodes.
  std::uint32_t CheckPoolIsEmptyNodes() {
    std::uint32_t taken = 0;
    for (auto index = storage.TakeNode(); index; index = storage.TakeNode()) {
      const auto& node = storage.node(*index);
      bool empty = !node.changed.load(std::memory_order::relaxed) && node.IsOpen() &&
                   ParentOf(storage, *index) == location::kNone;
      for (int slot = 0; slot < kFanout; ++slot) {
        empty &= node.child[slot].load(std::memory_order::relaxed) == child_id::kNone;
        empty &= node.BoxOf(slot, std::memory_order::relaxed) == Box::Empty();
      }
      Check(empty, "a node in the pool is empty: no thread wrote to it after it was given back");
      ++taken;
    }
    return taken;
  }

  static TreeOp OpOn(TreeOp::Kind kind, ProxyId body, const Box& box) {
    return {kind, static_cast<std::uint8_t>(body.slot()), false, box, {}};
  }

  typename Tree::Storage storage;
  Tree tree;
  TreeHistory history;
};
using TreeScenario = TreeScenarioOf<Tree>;

}  // namespace nowait

#endif  // NOWAIT_MODELS_BROADPHASE_TREE_SCENARIO_H_
