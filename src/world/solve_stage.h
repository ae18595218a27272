// SolveStage: solves the islands of one step, moves their bodies, and decides which ones sleep.
//
// Islands share nothing that is written, so they are solved at once, large ones first: the last
// piece of work to end should be a small one. Within an island everything is in the order of slots
// and pairs, so the result does not depend on which thread had it or when.
//
// Thread safety: Run on one thread, phase kSolve, holding all body locks.
#ifndef NOWAIT_SRC_WORLD_SOLVE_STAGE_H_
#define NOWAIT_SRC_WORLD_SOLVE_STAGE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/dynamics/contact_store.h"
#include "src/dynamics/island_solver.h"
#include "src/islands/finalise.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/world/collide_stage.h"
#include "src/world/world_state.h"

namespace nowait {

class SolveStage {
 public:
  explicit SolveStage(WorldState& state);

  // Advances the islands' bodies by dt.
  void Run(float dt, const CollideStage& collided, const Islands& islands, ContactStore& contacts,
           TaskPool& pool);

  // Slots of the bodies of islands that have been at rest for long enough, ascending.
  std::span<const std::uint32_t> sleepy() const { return sleepy_; }
  std::uint32_t contact_points() const { return static_cast<std::uint32_t>(points_.size()); }

 private:
  // A contact of an island, and where its points go.
  struct Task {
    std::uint32_t contact;
    std::uint32_t first_point;
  };
  // Islands order_[first] .. order_[last - 1], solved one after the other.
  struct Unit {
    std::uint32_t first;
    std::uint32_t last;
  };

  void PlaceBodies(const CollideStage& collided, const Islands& islands);
  void PlaceContacts(const CollideStage& collided, const Islands& islands,
                     const ContactStore& contacts);
  void MakeUnits(const Islands& islands);
  void Solve(std::uint32_t island, const SubstepDef& def, float dt, const Islands& islands,
             ContactStore& contacts);
  // Writes the result into the body and tells the tree. Returns how long it has been at rest.
  float Finish(std::uint32_t place, float dt);
  void CollectSleepy(const Islands& islands);

  WorldState& state_;
  JobBatch batch_;

  // By place: the position in Islands::members. An island's bodies are contiguous.
  std::vector<std::uint32_t> slot_at_;
  std::vector<SolverBody> solver_bodies_;
  std::vector<std::uint32_t> place_of_;  // by slot; only for awake bodies

  // An island's tasks are tasks_[task_starts_[island]] .. tasks_[task_starts_[island + 1] - 1].
  std::vector<std::uint32_t> task_starts_;
  std::vector<std::uint32_t> island_of_entry_;
  std::vector<Task> tasks_;
  std::vector<ContactConstraint> constraints_;  // by task
  std::vector<PointConstraint> points_;

  std::vector<std::uint32_t> order_;  // islands, most work first
  std::vector<Unit> units_;
  std::vector<std::uint8_t> sleeps_;  // by island
  std::vector<std::uint32_t> sleepy_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_SOLVE_STAGE_H_
