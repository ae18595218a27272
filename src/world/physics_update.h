// PhysicsUpdate: the steps of World::Update, as a job graph.
//
//   Begin       one thread    awake bodies listed; bodies beside disturbed ones wake, joints listed
//   Collide     all threads   pairs, contact points, links  |  one job rebuilds a tree
//               (the rebuild first where the game has moved very many bodies: worn_tree.h)
//   Finalise    one thread    tree swapped, islands listed, contacts merged with the last step's
//   Solve       all threads   islands solved, bodies moved, fast ones stopped, boxes widened
//   Finish      one thread    joints that break, sleep, events, counts
//
// Data goes one way, from each line to the next. No body changes before Solve: a step without room
// for its contacts ends before it, as if the step had not begun. So does a step that runs out of
// memory before its contacts are merged; after that nothing fails before all bodies that have to
// wake are awake. Before it moves bodies, Solve makes room for everything that it lists.
//
// Thread safety: Run on one thread at a time; the phases of src/sync/phase.h.
//
// Source: [rouwe2022], "Frame" and the profile pictures of its physics update. Lecture: contacts,
// the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_WORLD_PHYSICS_UPDATE_H_
#define NOWAIT_SRC_WORLD_PHYSICS_UPDATE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/dynamics/contact_event.h"
#include "src/dynamics/contact_hit.h"
#include "src/dynamics/contact_store.h"
#include "src/dynamics/joint_event.h"
#include "src/dynamics/joint_links.h"
#include "src/islands/finalise.h"
#include "src/jobs/task_pool.h"
#include "src/world/collide_stage.h"
#include "src/world/contact_snapshot.h"
#include "src/world/kinematic_stage.h"
#include "src/world/link_snapshot.h"
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
  std::span<const ContactHit> contact_hits() const { return contact_hits_; }
  std::span<const SleepEvent> sleep_events() const { return sleep_events_; }
  std::span<const JointEvent> joint_events() const { return joint_events_; }

  // All contacts, as of the last step.
  const ContactStore& contacts() const { return contacts_; }
  // Takes these for the contacts of the last step, and has no results of an update. contacts: as
  // ContactStore::Restore has them.
  void Restore(std::span<const Contact> contacts);

  // As World::SnapshotContacts.
  void SnapshotContacts(std::vector<ContactSnapshot>& out) const;
  // As World::SnapshotLinks.
  void SnapshotLinks(std::size_t limit, LinkSnapshot& out) const;

 private:
  // steps_left: of the update, with this one.
  Result<void> Step(float dt, std::uint32_t steps_left, TaskPool& pool);

  void Begin(float dt, std::uint32_t steps_left);
  void ListLookers();
  void WakeNeighboursOfDisturbed();
  void WakePartners();
  Result<void> Collide(TaskPool& pool);
  Result<void> Finalise();
  void MakeRoomForEvents();
  void WakeEndedGears();
  void RemoveJointsOfTheGone();
  Result<void> Solve(float dt, std::uint32_t steps_left, TaskPool& pool);
  void WakeTouched();
  void Finish();
  void BreakJoints();
  void WakeBroken(std::span<const JointEvent> broken);
  void UseChangesOfMass();
  void ForgetImpulsesOfLighter();
  void RemoveJoint(std::uint32_t slot, JointEvent::Kind kind);
  Manifold ManifoldNow(const Contact& contact) const;

  WorldState& state_;
  JointLinks joint_links_;
  KinematicStage kinematics_;
  ContactStore contacts_;
  CollideStage collide_;
  IslandBuilder island_builder_;
  const Islands* islands_ = nullptr;
  SolveStage solve_;

  // Slots, ascending: the bodies that look for others in this step.
  std::vector<std::uint32_t> awake_;
  std::vector<std::uint32_t> changed_statics_;  // and kinematic bodies that are new or move
  std::vector<std::uint32_t> new_sleepers_;
  std::vector<std::uint32_t> kinematic_;  // all kinematic bodies
  // By slot: sleepers that the game's changes wake; in Begin.
  std::vector<std::uint8_t> wake_flags_;

  UpdateStats stats_;
  std::vector<ContactEvent> contact_events_;
  std::vector<ContactHit> contact_hits_;
  std::vector<SleepEvent> sleep_events_;
  std::vector<JointEvent> joint_events_;
  std::vector<std::uint32_t> woken_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_PHYSICS_UPDATE_H_
