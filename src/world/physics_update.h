// PhysicsUpdate: the steps of World::Update, as a job graph.
//
//   Begin       one thread    who is awake; what the game disturbed wakes
//   Collide     all threads   pairs, contact points, links  |  one job rebuilds a tree
//   Finalise    one thread    tree swapped, islands listed, contacts merged with those of the last step
//   Solve       all threads   islands solved, bodies moved, boxes widened in the tree
//   Finish      one thread    sleep, events, counts
//
// Data goes one way, from each line to the next. Until Solve no body has changed, so a step that
// finds that it has no room for its contacts ends before that as if it had not begun. So does one that finds
// no memory before its contacts are merged; after that nothing fails before all that has to wake is awake.
// Before it moves bodies, Solve makes room for everything that it lists.
//
// Thread safety: Run on one thread at a time; the phases of src/sync/phase.h.
//
// Source: the talk, "Frame" and the profile pictures of its physics update. Lecture: the frame.
#ifndef NOWAIT_SRC_WORLD_PHYSICS_UPDATE_H_
#define NOWAIT_SRC_WORLD_PHYSICS_UPDATE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/dynamics/contact_event.h"
#include "src/dynamics/contact_store.h"
#include "src/islands/finalise.h"
#include "src/jobs/task_pool.h"
#include "src/world/collide_stage.h"
#include "src/world/solve_stage.h"
#include "src/world/update_stats.h"
#include "src/world/world_state.h"

namespace nowait {

class PhysicsUpdate {
 public:
  explicit PhysicsUpdate(WorldState& state);

  // `steps` steps of dt each. Errors as World::Update.
  Result<void> Run(float dt, std::uint32_t steps, TaskPool& pool);

  const UpdateStats& stats() const { return stats_; }
  std::span<const ContactEvent> contact_events() const { return contact_events_; }
  std::span<const SleepEvent> sleep_events() const { return sleep_events_; }

 private:
  Result<void> Step(float dt, TaskPool& pool);

  void Begin();
  void WakeNeighboursOfDisturbed();
  Result<void> Collide(TaskPool& pool);
  Result<void> Finalise();
  void MakeRoomForWaking();
  Result<void> Solve(float dt, TaskPool& pool);
  void WakeTouched();
  void Finish();

  WorldState& state_;
  CollideStage collide_;
  ContactStore contacts_;
  IslandBuilder island_builder_;
  const Islands* islands_ = nullptr;
  SolveStage solve_;

  // Slots, ascending: who looks for others in this step.
  std::vector<std::uint32_t> awake_;
  std::vector<std::uint32_t> changed_statics_;
  std::vector<std::uint32_t> new_sleepers_;
  std::vector<std::uint8_t> wake_flags_;  // by slot: sleepers that the game's changes wake; in Begin

  UpdateStats stats_;
  std::vector<ContactEvent> contact_events_;
  std::vector<SleepEvent> sleep_events_;
  std::vector<std::uint32_t> woken_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_PHYSICS_UPDATE_H_
