#include "src/broadphase/broad_phase.h"

#include <algorithm>

namespace nowait {

Result<std::unique_ptr<BroadPhase>> BroadPhase::Create(const BroadPhaseDef& def) {
  if (def.max_bodies == 0 || def.max_bodies > BodyId::kMaxBodies) {
    return Fail(ErrorCode::kInvalidArgument, "max_bodies", def.max_bodies);
  }
  if (def.user_layers > kMaxLayers - kLayerCount) {
    return Fail(ErrorCode::kInvalidArgument, "user_layers", def.user_layers);
  }
  if (def.max_nodes < kLayerCount + def.user_layers || def.max_nodes > place::kMaxNodes<4>) {
    return Fail(ErrorCode::kInvalidArgument, "max_nodes", def.max_nodes);
  }
  return std::unique_ptr<BroadPhase>(new BroadPhase(def));
}

BroadPhase::BroadPhase(const BroadPhaseDef& def)
    : collisions_(def.collisions),
      storage_(def.max_nodes, def.max_bodies),
      passed_over_(kLayerCount + def.user_layers) {
  for (std::size_t i = 0; i < passed_over_.size(); ++i) {
    trees_.push_back(std::make_unique<Tree>(storage_));
  }
}

Result<void> BroadPhase::Insert(BodyId body, Layer layer, const Box& box) {
  PhaseScope scope(phases_, Op::kInsert);
  return tree(layer).Insert(body, box);
}

Result<void> BroadPhase::Move(BodyId body, Layer layer, const Box& box) {
  PhaseScope scope(phases_, Op::kModify);
  return tree(layer).Move(body, box);
}

void BroadPhase::Remove(BodyId body, Layer layer) {
  PhaseScope scope(phases_, Op::kModify);
  tree(layer).Remove(body);
}

void BroadPhase::Remove(std::span<const BodyId> bodies, Layer layer) {
  PhaseScope scope(phases_, Op::kModify);
  for (const BodyId body : bodies) tree(layer).Remove(body);
}

bool BroadPhase::Has(BodyId body) const { return trees_[0]->Has(body); }

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
  // count is doubled each time a tree is passed over, so a tree that changes little does not wait
  // for longer than the logarithm of the others' size, for each of them. Of two that are as urgent
  // the later layer is chosen, and of the two that are always there, the one that moves.
  std::size_t chosen = 0;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const std::uint64_t changes = trees_[i]->CountChanges();
    const std::uint64_t urgency = changes << std::min(passed_over_[i], 32u);
    passed_over_[i] = changes != 0 ? passed_over_[i] + 1 : 0;
    if (urgency >= most) {
      chosen = i;
      most = urgency;
    }
  }
  passed_over_[chosen] = 0;
  return trees_[chosen]->Rebuild();
}

void BroadPhase::Swap() {
  PhaseScope scope(phases_, Op::kSwap);
  for (const auto& tree : trees_) tree->Swap();
  switch (storage_.Reclaim(ReclaimFor::kReport)) {
    case ReclaimResult::kAdvanced:
      updates_held_ = 0;
      break;
    case ReclaimResult::kHeld:
      ++updates_held_;
      break;
    case ReclaimResult::kBusy:
      break;  // whoever is at it was not asked about views
  }
}

TreeStats BroadPhase::Stats(Layer layer) const {
  return StatsOf(storage_, trees_[IndexOf(layer)]->Root());
}

}  // namespace nowait
