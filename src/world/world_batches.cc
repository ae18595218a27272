#include <array>
#include <cstddef>
#include <utility>

#include "src/base/assert.h"
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

}  // namespace

Result<WorldBatch> World::PrepareBatch(std::span<const BodyDef> defs) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kPrepare);
  WorldBatch batch;
  batch.parts_ = std::make_unique<WorldBatch::Parts>();
  WorldBatch::Parts& parts = *batch.parts_;
  parts.world = parts_->number.value();
  const auto fail = [&](const Error& error) {
    static_cast<void>(AbortBatch(batch));  // cannot fail: it is this world's
    return std::unexpected(error);
  };
  for (const BodyDef& def : defs) {
    Result<Body> body = MakeBody(def);
    if (!body) return fail(body.error());
    const Result<Layer> layer = LayerOf(def, state.def);
    if (!layer) return fail(layer.error());
    body->layer = *layer;
    parts.bodies.push_back(*body);
    parts.states.push_back(StateOf(def));
  }
  std::array<std::vector<BroadPhase::Entry>, kMaxLayers> entries;
  for (Body& body : parts.bodies) {
    const Result<BodyId> id = state.bodies.Reserve();
    if (!id) return fail(id.error());
    body.id = *id;
    parts.ids.push_back(*id);
    entries[IndexOf(body.layer)].push_back({id->proxy(), body.tree_box});
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].empty()) continue;
    Result<BroadPhase::Batch> prepared = state.tree->Prepare(static_cast<Layer>(i), entries[i]);
    if (!prepared) return fail(prepared.error());
    parts.layers.push_back(std::move(*prepared));
  }
  return batch;
}

Result<std::vector<BodyId>> World::FinaliseBatch(WorldBatch& batch, WaitTime& wait) {
  if (batch.empty()) return Fail(ErrorCode::kInvalidArgument, "batch", 0, "it is empty");
  if (batch.parts_->world != parts_->number.value()) return AnotherWorlds();
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kInsert);
  const std::unique_ptr<WorldBatch::Parts> parts = std::move(batch.parts_);
  // Bodies first: whoever finds one in the tree must find it in the storage.
  for (std::size_t i = 0; i < parts->bodies.size(); ++i) {
    const BodyWriteScope lock(state.locks, parts->ids[i], wait);
    state.bodies.Install(parts->bodies[i], parts->states[i]);
  }
  for (BroadPhase::Batch& layer : parts->layers) state.tree->Finalise(std::move(layer));
  return std::move(parts->ids);
}

Result<void> World::AbortBatch(WorldBatch& batch) {
  if (batch.empty()) return {};
  if (batch.parts_->world != parts_->number.value()) return AnotherWorlds();
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kPrepare);
  const std::unique_ptr<WorldBatch::Parts> parts = std::move(batch.parts_);
  // The tree's leaves before the ids: the next owner of a slot must find its leaf free.
  for (BroadPhase::Batch& layer : parts->layers) state.tree->Abort(std::move(layer));
  for (const BodyId id : parts->ids) state.bodies.Release(id);
  return {};
}

}  // namespace nowait
