// Creation, bodies that come and go, the update, and the whole state. Changes of bodies:
// world_changes.cc; batches: world_batches.cc; joints: world_joints.cc; queries: world_queries.cc.
#include "src/world/world.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "src/base/or_no_memory.h"
#include "src/bodies/guarded_body.h"
#include "src/math/float_mode.h"
#include "src/math/hash.h"
#include "src/world/make_body.h"
#include "src/world/world_layers.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

constexpr std::uint32_t kMaxSteps = 64;

// All that the next step of a joint depends on besides its definition. Slot and generation, like a
// body's.
void AddTo(Hash& hash, const Joint& joint) {
  hash.Add(joint.id.slot());
  hash.Add(joint.id.generation());
  hash.Add(joint.impulses.linear);
  hash.Add(joint.impulses.angular);
  hash.Add(joint.impulses.drive);
  for (std::size_t i = 0; i < RowsOf(joint.def.kind); ++i) hash.Add(joint.impulses.rows[i]);
  if (!std::holds_alternative<GearJoint>(joint.def.kind)) return;
  const auto add = [&](auto wide) {
    const auto bits = std::bit_cast<std::uint64_t>(wide);
    hash.Add(static_cast<std::uint32_t>(bits));
    hash.Add(static_cast<std::uint32_t>(bits >> 32));
  };
  hash.Add(joint.teeth.ratio);
  for (std::size_t i = 0; i < 2; ++i) {
    hash.Add(joint.teeth.angle[i]);
    add(joint.teeth.turns[i]);
  }
  add(joint.teeth.meshed);
}

// The storage, once all batches are settled: a scan sees all bodies.
const BodyStorage& Settled(const WorldState& state) {
  WaitTime wait;
  state.SettleBatches(wait);
  return state.bodies;
}

}  // namespace

Result<std::unique_ptr<World>> World::Create(const WorldDef& def) {
  if (Result<void> valid = Validate(def); !valid) return std::unexpected(valid.error());
  return OrNoMemory([&]() -> Result<std::unique_ptr<World>> {
    const Result<BroadPhaseDef> trees = TreesOf(def);
    if (!trees) return std::unexpected(trees.error());
    auto tree = BroadPhase::Create(*trees);
    if (!tree) return std::unexpected(tree.error());
    Result<WorldNumber> number = WorldNumber::Take();
    if (!number) return std::unexpected(number.error());
    return std::unique_ptr<World>(
        new World(std::make_unique<Parts>(def, std::move(*number), std::move(*tree))));
  });
}

World::World(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
World::~World() = default;

Result<BodyId> World::CreateBody(const BodyDef& def, WaitTime& wait) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kInsert);
  Result<Body> body = MakeBody(def);
  if (!body) return std::unexpected(body.error());
  const Result<Layer> layer = LayerOf(def, state.def);
  if (!layer) return std::unexpected(layer.error());
  body->layer = *layer;
  const Result<BodyId> id = state.bodies.Reserve();
  if (!id) return std::unexpected(id.error());
  body->id = *id;
  // The lock spans both, so that a thread that finds the body in the tree finds it in the storage,
  // too.
  const BodyWriteScope lock(state.locks, *id, wait);
  const auto insert = [&] { return state.tree->Insert(id->proxy(), *layer, body->tree_box); };
  if (const Result<void> inserted = OrNoMemory(insert); !inserted) {
    state.bodies.Release(*id);
    return std::unexpected(inserted.error());
  }
  state.bodies.Install(*body, StateOf(def));
  state.Note(id->slot(), Change::kNew);
  return *id;
}

Result<void> World::DestroyBody(BodyId id, WaitTime& wait) {
  return RemoveBodies(std::span(&id, 1), wait) == 1 ? Result<void>() : NoBody(id, parts_->state);
}

std::uint32_t World::RemoveBodies(std::span<const BodyId> ids, WaitTime& wait) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kModify);
  std::uint32_t removed = 0;
  for (const BodyId id : ids) {
    const auto remove = [&](const Body& body) {
      state.tree->Remove(id.proxy(), body.layer);
      state.NoteRemoval(id.slot());
      state.bodies.Remove(id);
    };
    const bool was_there = ChangeBody(state.locks, state.present(), id, wait, remove);
    removed += was_there ? 1 : 0;
  }
  return removed;
}

Result<void> World::Update(float dt, TaskPool& pool, std::uint32_t steps) {
  const FloatModeScope float_mode;  // a step may be so short that it is zero in another mode
  if (!(dt > 0.0f && dt <= 10.0f)) {
    return Fail(ErrorCode::kInvalidArgument, "dt", 0, "above 0, at most 10 seconds");
  }
  if (steps == 0 || steps > kMaxSteps) {
    return Fail(ErrorCode::kInvalidArgument, "steps", steps, "1 .. 64");
  }
  if (auto may = pool.MayWait(); !may) return may;
  return parts_->update.Run(dt / static_cast<float>(steps), steps, pool);
}

const UpdateStats& World::stats() const { return parts_->update.stats(); }
std::span<const ContactEvent> World::contact_events() const {
  return parts_->update.contact_events();
}
std::span<const ContactHit> World::contact_hits() const { return parts_->update.contact_hits(); }
std::span<const SleepEvent> World::sleep_events() const { return parts_->update.sleep_events(); }

std::uint64_t World::StateHash() const {
  const BodyStorage& bodies = Settled(parts_->state);
  Hash hash;
  const std::uint32_t end = bodies.end();
  for (std::uint32_t slot = 0; slot < end; ++slot) {
    if (bodies.InstalledState(slot) == BodyState::kVacant) continue;
    const Body& body = bodies[slot];
    // Slot and generation. Not the world's number, in which two equal worlds differ.
    hash.Add(body.id.proxy().bits());
    hash.Add(body.position);
    hash.Add(body.rotation);
    hash.Add(body.linear_velocity);
    hash.Add(body.angular_velocity);
    hash.AddByte(bodies.StateOf(slot) == BodyState::kAsleep ? 1 : 0);
    if (body.force != Vec3{} || body.torque != Vec3{}) {
      hash.Add(body.force);
      hash.Add(body.torque);
    }
    if (body.has_target) {
      hash.Add(body.target_position);
      hash.Add(body.target_rotation);
    }
  }
  const JointStore& joints = parts_->state.joints;
  for (std::uint32_t slot = 0; slot < joints.end(); ++slot) {
    if (joints.Has(slot)) AddTo(hash, joints[slot]);
  }
  return hash.value();
}

void World::Snapshot(std::vector<BodySnapshot>& out) const {
  const BodyStorage& bodies = Settled(parts_->state);
  out.clear();
  const std::uint32_t end = bodies.end();
  for (std::uint32_t slot = 0; slot < end; ++slot) {
    const BodyState state = bodies.InstalledState(slot);
    if (state != BodyState::kVacant) out.push_back(SnapshotOf(bodies[slot], state));
  }
}

void World::SnapshotTree(std::size_t limit, TreeSnapshot& out) const {
  parts_->state.tree->Snapshot(limit, out);
}

void World::SnapshotContacts(std::vector<ContactSnapshot>& out) const {
  parts_->update.SnapshotContacts(out);
}

void World::SnapshotLinks(std::size_t limit, LinkSnapshot& out) const {
  parts_->update.SnapshotLinks(limit, out);
}

Result<Layer> World::FindLayer(std::string_view name) const {
  return LayerNamed(name, parts_->state.def);
}

std::uint32_t World::body_count() const { return parts_->state.bodies.count(); }
const WorldDef& World::def() const { return parts_->state.def; }

}  // namespace nowait
