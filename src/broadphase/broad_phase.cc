#include "src/broadphase/broad_phase.h"

#include <algorithm>

namespace nowait {

Result<std::unique_ptr<BroadPhase>> BroadPhase::Create(const BroadPhaseDef& def) {
  if (def.max_bodies == 0 || def.max_bodies > BodyId::kMaxBodies) {
    return Fail(ErrorCode::kInvalidArgument, "max_bodies", def.max_bodies);
  }
  if (def.max_nodes < kLayerCount || def.max_nodes > place::kMaxNodes<4>) {
    return Fail(ErrorCode::kInvalidArgument, "max_nodes", def.max_nodes);
  }
  return std::unique_ptr<BroadPhase>(new BroadPhase(def));
}

BroadPhase::BroadPhase(const BroadPhaseDef& def)
    : storage_(def.max_nodes, def.max_bodies), trees_{Tree(storage_), Tree(storage_)} {}

Result<void> BroadPhase::Insert(BodyId body, Layer layer, const Box& box) {
  PhaseScope scope(phases_, Op::kInsert);
  return tree(layer).Insert(body, box);
}

void BroadPhase::Move(BodyId body, Layer layer, const Box& box) {
  PhaseScope scope(phases_, Op::kModify);
  tree(layer).Move(body, box);
}

void BroadPhase::Remove(BodyId body, Layer layer) {
  PhaseScope scope(phases_, Op::kModify);
  tree(layer).Remove(body);
}

bool BroadPhase::Has(BodyId body) const { return trees_[0].Has(body); }

Result<BroadPhase::Batch> BroadPhase::Prepare(Layer layer, std::span<const Entry> entries) {
  PhaseScope scope(phases_, Op::kPrepare);
  Result<Tree::Batch> bodies = tree(layer).Prepare(entries);
  if (!bodies) return std::unexpected(bodies.error());
  return Batch(layer, std::move(*bodies));
}

void BroadPhase::Finalise(Batch&& batch) {
  PhaseScope scope(phases_, Op::kInsert);
  tree(batch.layer_).Finalise(std::move(batch.bodies_));
}

void BroadPhase::Abort(Batch&& batch) { const Batch gone = std::move(batch); }

Result<void> BroadPhase::Rebuild() {
  PhaseScope scope(phases_, Op::kRebuild);
  storage_.Reclaim();  // the last physics update's old tree, if its readers have left
  // Counting costs a walk through the changed nodes, which is a small part of rebuilding them. The
  // count is doubled each time a tree is passed over, so the tree that changes little does not wait
  // for longer than the logarithm of the other one's size.
  std::array<std::uint64_t, kLayerCount> urgency;
  for (std::size_t i = 0; i < kLayerCount; ++i) {
    urgency[i] = std::uint64_t{trees_[i].CountChanges()} << std::min(passed_over_[i], 32u);
  }
  const std::size_t chosen = urgency[1] >= urgency[0] ? 1 : 0;
  for (std::size_t i = 0; i < kLayerCount; ++i) {
    passed_over_[i] = i != chosen && urgency[i] != 0 ? passed_over_[i] + 1 : 0;
  }
  return trees_[chosen].Rebuild();
}

void BroadPhase::Swap() {
  PhaseScope scope(phases_, Op::kSwap);
  for (Tree& tree : trees_) tree.Swap();
  storage_.Reclaim();
}

TreeStats BroadPhase::Stats(Layer layer) const {
  const Tree& tree = trees_[static_cast<std::size_t>(layer)];
  return StatsOf(storage_, tree.Root());
}

}  // namespace nowait
