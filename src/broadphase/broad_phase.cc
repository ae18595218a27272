#include "src/broadphase/broad_phase.h"

#include <algorithm>

#include "src/base/assert.h"
#include "src/broadphase/tree_visit.h"
#include "src/math/float_mode.h"

namespace nowait {

namespace {

// A tree over so many items has at most so many nodes, and one root at least.
constexpr std::uint64_t MostNodes(std::uint64_t bodies, std::uint64_t trees) {
  return bodies + trees;
}

// All rebuilds of an update together build trees over all bodies at most. Of few nodes the greater
// part is for inserts.
std::uint32_t ReserveOf(const BroadPhaseDef& def) {
  const std::uint64_t trees = kLayerCount + def.user_layers;
  return static_cast<std::uint32_t>(
      std::min(MostNodes(def.max_bodies, trees), (def.max_nodes - trees) / 4));
}

// Each tree may have a staging cell for each body, and some nodes more. All finished trees together
// have the nodes of trees over all bodies, and so have the trees that are built. Some are left for
// threads that each start a staging tree at the same time.
constexpr std::uint64_t NodesFor(std::uint64_t bodies, std::uint64_t trees) {
  constexpr std::uint64_t kThreads = 64;
  return trees * (bodies + BroadPhase::Staging::kMostNodes) + 2 * MostNodes(bodies, trees) +
         2 * kThreads;
}
static_assert(NodesFor(ProxyId::kMaxBodies, kMaxLayers) <= location::kMaxNodes<4>,
              "Create need not check it");

}  // namespace

BroadPhaseDef BroadPhaseDef::ForBodies(std::uint32_t bodies, std::uint32_t user_layers) {
  BroadPhaseDef def;
  def.max_bodies = bodies;
  def.user_layers = user_layers;
  def.max_nodes = static_cast<std::uint32_t>(NodesFor(bodies, kLayerCount + user_layers));
  return def;
}

Result<std::unique_ptr<BroadPhase>> BroadPhase::Create(const BroadPhaseDef& def) {
  if (def.max_bodies == 0 || def.max_bodies > ProxyId::kMaxBodies) {
    return Fail(ErrorCode::kInvalidArgument, "max_bodies", def.max_bodies);
  }
  if (def.user_layers > kMaxUserLayers) {
    return Fail(ErrorCode::kInvalidArgument, "user_layers", def.user_layers);
  }
  if (def.max_nodes < kLayerCount + def.user_layers || def.max_nodes > location::kMaxNodes<4>) {
    return Fail(ErrorCode::kInvalidArgument, "max_nodes", def.max_nodes);
  }
  return std::unique_ptr<BroadPhase>(new BroadPhase(def));
}

BroadPhase::BroadPhase(const BroadPhaseDef& def)
    : collisions_(def.collisions),
      policies_(def.rebuild),
      storage_(def.max_nodes, def.max_bodies),
      reserve_(storage_, ReserveOf(def)),
      passed_over_(kLayerCount + def.user_layers),
      refits_(kLayerCount + def.user_layers) {
  for (std::size_t i = 0; i < passed_over_.size(); ++i) {
    trees_.push_back(std::make_unique<Tree>(storage_));
  }
  reserve_.Refill();  // behind the trees, which need a node each
}

bool BroadPhase::IsTaken(ProxyId body) const {
  return body.slot() < storage_.max_bodies() && LocationOf(storage_, body) != location::kNone;
}

// Asks the body's slot for its id, because the next body in that slot uses the same leaf. relaxed:
// a caller that may change the body knows of its insert; for any other thread the answer is a hint.
bool BroadPhase::Holds(ProxyId body) const {
  if (body.slot() >= storage_.max_bodies()) return false;
  const std::uint32_t at = LocationOf(storage_, body);
  if (at >= location::kUnlinked) return false;
  const auto& node = storage_.node(location::Node<4>(at));
  return IsStillIn(node, location::Slot<4>(at), child_id::OfBody(body));
}

Result<void> BroadPhase::Insert(ProxyId body, Layer layer, const Box& box) {
  PhaseScope scope(phases_, Op::kInsert);
  if (!HasLayer(layer)) return Fail(ErrorCode::kInvalidArgument, "layer");
  if (IsTaken(body)) return Fail(ErrorCode::kInvalidArgument, "body");
  return tree(layer).Insert(body, box);
}

Result<void> BroadPhase::Move(ProxyId body, Layer layer, const Box& box) {
  PhaseScope scope(phases_, Op::kModify);
  if (!HasLayer(layer)) return Fail(ErrorCode::kInvalidArgument, "layer");
  if (!Holds(body)) return Fail(ErrorCode::kInvalidArgument, "body");
  return tree(layer).Move(body, box);
}

bool BroadPhase::Remove(ProxyId body, Layer layer) { return Remove({&body, 1}, layer) == 1; }

std::size_t BroadPhase::Remove(std::span<const ProxyId> bodies, Layer layer) {
  PhaseScope scope(phases_, Op::kModify);
  if (!HasLayer(layer)) return 0;
  std::size_t removed = 0;
  for (const ProxyId body : bodies) {
    if (!Has(body)) continue;
    tree(layer).Remove(body);
    ++removed;
  }
  return removed;
}

bool BroadPhase::Has(ProxyId body) const { return Holds(body) && trees_[0]->Has(body); }

Result<BroadPhase::Batch> BroadPhase::Prepare(Layer layer, std::span<const Entry> entries) {
  PhaseScope scope(phases_, Op::kPrepare);
  if (!HasLayer(layer)) return Fail(ErrorCode::kInvalidArgument, "layer");
  for (const Entry& entry : entries) {
    if (IsTaken(entry.id)) return Fail(ErrorCode::kInvalidArgument, "body");
  }
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
  // Splits are at means of boxes: the tree would depend on the thread that builds it.
  NOWAIT_ASSERT(FloatModeScope::IsDefault(), "a tree is rebuilt in the default float mode");
  storage_.Reclaim();  // the last physics update's old tree, if its readers have left
  reserve_.Refill();
  last_rebuild_ = {};
  Result<void> done;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    Result<void> tree_done;
    switch (policies_[i]) {
      case RebuildPolicy::kByTurns:
        break;
      case RebuildPolicy::kKeepUnchanged:
        tree_done = RebuildTree(i, Keep::kUnchanged);
        break;
      case RebuildPolicy::kWhole:
        tree_done = RebuildTree(i, Keep::kNothing);
        break;
      case RebuildPolicy::kRefit:
        tree_done = RefitTree(i);
        break;
    }
    if (!tree_done) done = tree_done;
  }
  const std::size_t turn = NextTurn();
  if (turn < trees_.size()) {
    if (Result<void> rebuilt = RebuildTree(turn, Keep::kUnchanged); !rebuilt) done = rebuilt;
  }
  return done;
}

Result<void> BroadPhase::RebuildTree(std::size_t layer, Keep keep) {
  const Result<RebuiltTree> rebuilt = trees_[layer]->Rebuild(keep, &reserve_);
  if (!rebuilt) return std::unexpected(rebuilt.error());
  if (rebuilt->replaced_nodes == 0) return {};
  ++last_rebuild_.rebuilds[layer];
  last_rebuild_.replaced_nodes += rebuilt->replaced_nodes;
  last_rebuild_.items += rebuilt->items;
  return {};
}

Result<void> BroadPhase::RefitTree(std::size_t layer) {
  if (refits_[layer] + 1 >= kUpdatesARebuild) {
    Result<void> rebuilt = RebuildTree(layer, Keep::kUnchanged);
    if (rebuilt) refits_[layer] = 0;
    return rebuilt;
  }
  const std::size_t nodes = trees_[layer]->Refit();
  if (nodes == 0) return {};
  ++refits_[layer];
  ++last_rebuild_.refits[layer];
  last_rebuild_.refitted_nodes += nodes;
  return {};
}

// Counting costs a walk through the changed nodes, a small part of rebuilding them. Each time that
// a tree is passed over, its count is doubled. A tree that changes little therefore waits, for each
// of the others, at most the logarithm of their size. Of two equally urgent trees the later layer
// is chosen: of the two layers that always exist, the moving one.
std::size_t BroadPhase::NextTurn() {
  std::size_t chosen = trees_.size();
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    if (policies_[i] != RebuildPolicy::kByTurns) continue;
    const std::uint64_t changes = trees_[i]->CountChanges();
    const std::uint64_t urgency = changes << std::min(passed_over_[i], 32u);
    passed_over_[i] = changes != 0 ? passed_over_[i] + 1 : 0;
    if (changes != 0 && urgency >= most) {
      chosen = i;
      most = urgency;
    }
  }
  if (chosen < trees_.size()) passed_over_[chosen] = 0;
  return chosen;
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
      break;  // another thread is reclaiming: nothing is known about views
  }
  reserve_.Refill();  // before batches of the next frame may take the nodes that are free now
}

TreeStats BroadPhase::Stats(Layer layer) const {
  return StatsOf(storage_, trees_[IndexOf(layer)]->Root());
}

void BroadPhase::Snapshot(std::size_t limit, TreeSnapshot& out) const {
  out.trees.clear();
  out.boxes.clear();
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    LayerTree tree{.layer = static_cast<Layer>(i)};
    const auto copy = [&](const auto& visited) {
      const bool open = visited.node.IsOpen();
      if (open && visited.level > 0) tree.staged += visited.bodies;
      out.boxes.push_back({.node = visited.index,
                           .level = visited.level,
                           .layer = tree.layer,
                           .bodies = static_cast<std::uint8_t>(visited.bodies),
                           .open = open,
                           .changed = visited.changed,
                           .box = visited.node.BoxOfAll()});
    };
    tree.left_out =
        static_cast<std::uint32_t>(VisitNodes(storage_, trees_[i]->Root(), limit, copy));
    out.trees.push_back(tree);
  }
}

}  // namespace nowait
