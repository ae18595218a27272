// The parts of World, WorldView and WorldBatch.
#ifndef NOWAIT_SRC_WORLD_WORLD_PARTS_H_
#define NOWAIT_SRC_WORLD_WORLD_PARTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/world/physics_update.h"
#include "src/world/world.h"
#include "src/world/world_number.h"
#include "src/world/world_state.h"

namespace nowait {

struct World::Parts {
  Parts(const WorldDef& def, WorldNumber&& taken, std::unique_ptr<BroadPhase> tree)
      : number(std::move(taken)), state(def, number.value(), std::move(tree)), update(state) {}

  const WorldNumber number;
  WorldState state;
  PhysicsUpdate update;
};

// The data that a query reads.
struct Reading {
  enum class Bodies : std::uint8_t { kMayChange, kStill };

  explicit Reading(const WorldState& world, Bodies now = Bodies::kMayChange)
      : state(world), tree(world.tree->Read()), bodies(now) {
    // Like the broad phase of an update, it reads bodies without locks.
    if (bodies == Bodies::kStill) scope.emplace(world.phases, Op::kCollide);
  }

  const WorldState& state;
  BroadPhase::View tree;
  Bodies bodies;
  std::optional<PhaseScope> scope;
};

struct WorldView::Parts {
  Reading reading;
};

struct WorldBatch::Parts {
  std::uint32_t world = 0;  // number of the world that prepared it
  std::vector<BodyId> ids;
  std::uint32_t end = 0;  // above their slots
  std::unique_ptr<FinalisedBatches::Node> to_settle;
  std::vector<BroadPhase::Batch> layers;
};

BodySnapshot SnapshotOf(const Body& body, BodyState state);

// An id as the amount of an error: its bits.
inline std::int64_t AmountOf(BodyId id) { return static_cast<std::int64_t>(id.bits()); }

// The error that says why this world has no body of that id.
inline std::unexpected<Error> NoBody(BodyId id, const WorldState& state) {
  if (id.valid() && id.world() != state.bodies.world()) {
    return Fail(ErrorCode::kInvalidArgument, "body id", AmountOf(id), "it is another world's");
  }
  return Fail(ErrorCode::kStaleId, "body id", AmountOf(id));
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_PARTS_H_
