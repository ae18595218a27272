#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/world/make_body.h"
#include "src/world/world.h"
#include "src/world/world_layers.h"
#include "src/world/world_parts.h"

namespace nowait {

WorldBatch::WorldBatch() = default;
WorldBatch::WorldBatch(WorldBatch&&) noexcept = default;

WorldBatch& WorldBatch::operator=(WorldBatch&& other) noexcept {
  NOWAIT_ASSERT(empty(), "a batch is finalised or aborted before another takes its place");
  parts_ = std::move(other.parts_);
  return *this;
}

WorldBatch::~WorldBatch() { NOWAIT_ASSERT(empty(), "a batch is finalised or aborted"); }

bool WorldBatch::empty() const { return parts_ == nullptr; }

std::span<const BodyId> WorldBatch::bodies() const {
  return empty() ? std::span<const BodyId>() : parts_->ids;
}

namespace {

std::unexpected<Error> AnotherWorlds() {
  return Fail(ErrorCode::kInvalidArgument, "batch", 0, "it is another world's");
}

Result<std::vector<Body>> BodiesOf(std::span<const BodyDef> defs, const WorldDef& world) {
  std::vector<Body> bodies;
  bodies.reserve(defs.size());
  for (const BodyDef& def : defs) {
    Result<Body> body = MakeBody(def);
    if (!body) return std::unexpected(body.error());
    const Result<Layer> layer = LayerOf(def, world);
    if (!layer) return std::unexpected(layer.error());
    body->layer = *layer;
    bodies.push_back(*body);
  }
  return bodies;
}

// Puts the bodies into slots and builds their subtrees. After an error `parts` has the bodies and
// subtrees made so far.
template <class Parts>
Result<void> Build(std::vector<Body>& bodies, std::span<const BodyDef> defs, WorldState& state,
                   Parts& parts) {
  parts.ids.reserve(bodies.size());
  parts.to_settle = std::make_unique<FinalisedBatches::Node>();
  parts.to_settle->ids.reserve(bodies.size());
  std::array<std::vector<BroadPhase::Entry>, kMaxLayers> entries;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Result<BodyId> id = state.bodies.Reserve();
    if (!id) return std::unexpected(id.error());
    bodies[i].id = *id;
    {
      // A stale id that a caller still holds leads a reader to this slot; so the slot is written
      // under its lock.
      WaitTime wait;
      const BodyWriteScope lock(state.locks, *id, wait);
      state.bodies.Prepare(bodies[i], StateOf(defs[i]));
    }
    parts.ids.push_back(*id);
    parts.to_settle->ids.push_back(*id);
    parts.end = std::max(parts.end, id->slot() + 1);
    entries[IndexOf(bodies[i].layer)].push_back({id->proxy(), bodies[i].tree_box});
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].empty()) continue;
    Result<BroadPhase::Batch> prepared = state.tree->Prepare(static_cast<Layer>(i), entries[i]);
    if (!prepared) return std::unexpected(prepared.error());
    parts.layers.push_back(std::move(*prepared));
  }
  return {};
}

}  // namespace

Result<WorldBatch> World::PrepareBatch(std::span<const BodyDef> defs) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kPrepare);
  WorldBatch batch;
  const auto build = [&]() -> Result<void> {
    Result<std::vector<Body>> bodies = BodiesOf(defs, state.def);
    if (!bodies) return std::unexpected(bodies.error());
    batch.parts_ = std::make_unique<WorldBatch::Parts>();
    batch.parts_->world = parts_->number.value();
    return Build(*bodies, defs, state, *batch.parts_);
  };
  if (const Result<void> built = OrNoMemory(build); !built) {
    static_cast<void>(AbortBatch(batch));  // cannot fail: it is this world's, or empty
    return std::unexpected(built.error());
  }
  return batch;
}

Result<std::vector<BodyId>> World::FinaliseBatch(WorldBatch& batch, WaitTime&) {
  if (batch.empty()) return Fail(ErrorCode::kInvalidArgument, "batch", 0, "it is empty");
  if (batch.parts_->world != parts_->number.value()) return AnotherWorlds();
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kInsert);
  const std::unique_ptr<WorldBatch::Parts> parts = std::move(batch.parts_);
  // Counted first: from the moment that a subtree is linked, its bodies may be removed. Settled
  // later: a settled body counts as linked.
  state.bodies.CountPrepared(static_cast<std::uint32_t>(parts->ids.size()), parts->end);
  for (BroadPhase::Batch& layer : parts->layers) state.tree->Finalise(std::move(layer));
  state.finalised.Add(std::move(parts->to_settle));
  return std::move(parts->ids);
}

Result<void> World::AbortBatch(WorldBatch& batch) {
  if (batch.empty()) return {};
  if (batch.parts_->world != parts_->number.value()) return AnotherWorlds();
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kPrepare);
  const std::unique_ptr<WorldBatch::Parts> parts = std::move(batch.parts_);
  // The bodies first: a thread that looks one up by its id climbs through the subtree, under the
  // body's lock.
  for (const BodyId id : parts->ids) {
    WaitTime wait;
    const BodyWriteScope lock(state.locks, id, wait);
    state.bodies.Withdraw(id);
  }
  // The tree's leaves before the ids: the next owner of a slot must find its leaf free.
  for (BroadPhase::Batch& layer : parts->layers) state.tree->Abort(std::move(layer));
  for (const BodyId id : parts->ids) state.bodies.Release(id);
  return {};
}

}  // namespace nowait
