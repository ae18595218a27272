// SolveStage: solves the islands of one step, moves their bodies, and decides which ones sleep.
//
// Islands share nothing that is written, so they are solved at once, large ones first: the last
// piece of work to end should be a small one. Within an island everything is in the order of slots
// and pairs, so the result does not depend on which thread solves it, or when.
//
// An island with enough contacts has them in blocks, colour by colour, instead
// (src/dynamics/block_plan.h), unless it is slender (src/dynamics/contact_order.h): always, so that
// the result depends neither on the number of threads nor on the machine's lanes. One that is more
// than a thread's share of all work is solved by all threads (large_island.h), before the others.
//
// Fast bodies are stopped where they would pass through others (continuous_stage.h).
//
// A kinematic body is in no island. Each constraint with one that moves has a copy of it, which
// moves in each sub-step as the body will. An island with such a constraint does not fall asleep.
//
// Locks. Bodies are read without their locks, because only this stage writes them now. Each result
// is written under the lock of its body, one at a time: other threads may be copying that body. No
// thread holds a lock while it waits or helps, because the job that it helps with may need a body.
//
// Thread safety: Run on one thread, phase kSolve, holding no body lock.
#ifndef NOWAIT_SRC_WORLD_SOLVE_STAGE_H_
#define NOWAIT_SRC_WORLD_SOLVE_STAGE_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/dynamics/block_plan.h"
#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_store.h"
#include "src/dynamics/island_solver.h"
#include "src/dynamics/joint_links.h"
#include "src/islands/contact_colours.h"
#include "src/islands/finalise.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "src/world/collide_stage.h"
#include "src/world/continuous_stage.h"
#include "src/world/kinematic_stage.h"
#include "src/world/large_island.h"
#include "src/world/world_state.h"

namespace nowait {

class SolveStage {
 public:
  // kinematics: listed and widened before each Run; lives as long.
  SolveStage(WorldState& state, const KinematicStage& kinematics);

  struct Step {
    float dt;
    bool is_last;  // of the update: forces end with it
  };

  // Advances the islands' bodies by a step. kCapacity "memory": all islands but the large ones are
  // unchanged; some of the large ones may have been advanced.
  Result<void> Run(Step step, const CollideStage& collided, const Islands& islands,
                   const JointLinks& joints, ContactStore& contacts, TaskPool& pool);

  // Slots of the bodies of islands that have been at rest for long enough, ascending.
  std::span<const std::uint32_t> sleepy() const { return sleepy_; }
  std::uint32_t contact_points() const { return contact_points_; }
  std::uint32_t joints() const { return static_cast<std::uint32_t>(joint_slots_.size()); }
  // Islands that are large enough for several threads; of these, the ones that all threads solved
  // together.
  std::uint32_t large_islands() const { return large_islands_; }
  std::uint32_t split_islands() const { return split_islands_; }
  std::uint32_t fast_bodies() const { return continuous_.fast(); }
  std::uint32_t stopped_bodies() const { return continuous_.stopped(); }
  // The time that all threads have waited for body locks.
  const WaitTime& body_locks() const { return body_locks_; }

 private:
  // A contact of an island, how many points it has, and where they go if it is in no block.
  struct Task {
    std::uint32_t contact;
    std::uint32_t points;
    std::uint32_t first_point;
  };
  // The blocks of an island, and how many of its tasks they have. These come before the others.
  struct BlockRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t tasks = 0;
    bool is_slender = false;  // such an island has no blocks
  };
  // Islands order_[first] .. order_[last - 1], solved one after the other.
  struct Unit {
    std::uint32_t first;
    std::uint32_t last;
    WaitTime body_locks{};
  };

  void PlaceBodies(const Islands& islands);
  void PlaceJoints(const CollideStage& collided, const Islands& islands, const JointLinks& joints);
  void PlaceContacts(const CollideStage& collided, const Islands& islands,
                     const ContactStore& contacts);
  // The island in which a contact or joint of the two is solved, or kNoIsland.
  static std::uint32_t IslandOf(std::uint32_t slot_a, std::uint32_t slot_b, const AwakeSet<>& awake,
                                const Islands& islands);
  std::uint32_t JointsOf(std::uint32_t island) const {
    return joint_starts_[island + 1] - joint_starts_[island];
  }
  std::uint32_t ContactsOf(std::uint32_t island) const {
    return task_starts_[island + 1] - task_starts_[island];
  }
  // The work of an island's bodies, joints and contacts, in bodies.
  std::uint32_t WorkOf(std::uint32_t island, const Islands& islands) const;
  // By work, descending.
  void OrderIslands(const Islands& islands);
  // Plans the blocks of the islands that have enough contacts, and makes room for all contacts.
  void PlanBlocks(const Islands& islands, const ContactStore& contacts);
  bool IsSlenderIsland(std::uint32_t island, const ContactStore& contacts) const;
  void PlanBlocksOf(std::uint32_t island, const Islands& islands, const ContactStore& contacts);
  void MakeRoomForContacts(const Islands& islands);
  std::uint32_t EndOf(BodyId id, std::uint32_t first_place) const;
  // An island's blocks, and its contacts that are in no block.
  std::span<ContactBlock> BlocksOf(std::uint32_t island) {
    return std::span(blocks_).subspan(block_ranges_[island].first, block_ranges_[island].count);
  }
  std::uint32_t FirstPlainTask(std::uint32_t island) const {
    return task_starts_[island] + block_ranges_[island].tasks;
  }
  std::span<ContactConstraint> PlainContactsOf(std::uint32_t island) {
    const std::uint32_t first = FirstPlainTask(island);
    return std::span(constraints_).subspan(first, task_starts_[island + 1] - first);
  }
  // fixed_of(task): as the argument of PrepareContact.
  template <class FixedOf>
  void PrepareBlock(std::uint32_t block, const SubstepDef& def, const ContactStore& contacts,
                    FixedOf fixed_of);
  void StoreBlock(std::uint32_t block, ContactStore& contacts) const;

  // Colours the joints of the large islands at the front of the order, and solves the islands that
  // exceed a thread's share. Returns how many it has solved.
  Result<std::uint32_t> SolveLarge(const SubstepDef& def, Step step, const Islands& islands,
                                   ContactStore& contacts, TaskPool& pool);
  void ColourJoints(std::uint32_t island, const Islands& islands);
  // Whether it acts on more than two bodies that joints can move.
  bool IsWide(const JointDef& def) const;
  Result<void> SolveTogether(std::uint32_t island, const SubstepDef& def, Step step,
                             const Islands& islands, ContactStore& contacts, TaskPool& pool);
  // The work of the islands from `first` on, in the order.
  void MakeUnits(std::uint32_t first, const Islands& islands);
  void Solve(std::uint32_t island, const SubstepDef& def, Step step, const Islands& islands,
             ContactStore& contacts, WaitTime& wait);

  // Counts, for each island, the constraints with a kinematic body that moves.
  void CountDriven(const Islands& islands, const ContactStore& contacts);
  std::uint32_t DrivenOf(std::uint32_t island) const {
    return driven_starts_.empty() ? 0 : driven_starts_[island + 1] - driven_starts_[island];
  }
  // No body is not driven.
  bool IsDriven(BodyId a, BodyId b) const {
    const auto is_driven = [&](BodyId id) {
      return id.valid() && kinematics_.WayOf(id.slot()) != nullptr;
    };
    return is_driven(a) || is_driven(b);
  }
  // The bodies that a joint acts on: its own, or those of a gear's two joints. At most one body of
  // a pair is fixed.
  struct BodyPair {
    BodyId a;
    BodyId b;
  };
  using JointPairs = std::array<BodyPair, 2>;
  JointPairs PairsOf(const JointDef& def) const;

  // Parts of solving an island. Of bodies by place, of contacts by task, of joints by their place
  // in joint_slots_.
  void GatherBody(std::uint32_t place);
  // The solver's body. fixed: becomes the body that constraints cannot move, if there is one; this
  // island's alone, and this constraint's if that body moves.
  SolverBody& SolverBodyOf(BodyId id, SolverBody& fixed);
  EndBodies EndsOf(BodyPair pair, SolverBody& fixed);
  // second_fixed: of a gear's second pair, and a pulley's ground.
  void PrepareJoint(std::uint32_t joint, const SubstepDef& def, SolverBody& fixed,
                    SolverBody& second_fixed);
  void PrepareContact(std::uint32_t task, const SubstepDef& def, const ContactStore& contacts,
                      SolverBody& fixed);
  // Writes the result into the body, under its lock, and into the tree. Returns how long the body
  // has been at rest.
  float FinishBody(std::uint32_t place, Step step, std::uint32_t island_slot, WaitTime& wait);
  // Puts bullets where they were stopped.
  void SettleBullets();
  // Moves the body, its box, and the one in the tree; a wedged one loses speed, as its stop says.
  // The caller holds its lock.
  void Put(Body& body, const Sweep& sweep, float fraction, const ImpactStop& stop);
  void CollectSleepy(const Islands& islands);

  WorldState& state_;
  const KinematicStage& kinematics_;
  JobBatch batch_;

  // By place: the position in Islands::members. An island's bodies are contiguous.
  std::span<const std::uint32_t> slot_at_;  // the members themselves, while Run goes on
  std::vector<SolverBody> solver_bodies_;
  std::vector<std::uint32_t> place_of_;  // by slot; only for awake bodies

  // An island's joints are joint_slots_[joint_starts_[island]] .. [joint_starts_[island + 1] - 1].
  std::vector<std::uint32_t> joint_starts_;
  std::vector<std::uint32_t> island_of_joint_;
  std::vector<std::uint32_t> joint_slots_;  // in the store
  std::vector<JointConstraint> joint_constraints_;
  std::vector<std::uint32_t> first_row_;  // by slot in the store
  std::vector<JointRow> joint_rows_;

  // An island's tasks are tasks_[task_starts_[island]] .. tasks_[task_starts_[island + 1] - 1].
  std::vector<std::uint32_t> task_starts_;
  struct Solved {
    std::uint32_t contact;
    std::uint32_t island;
  };
  std::vector<Solved> solved_;  // the contacts of all islands, by pair
  std::vector<Task> tasks_;
  std::uint32_t contact_points_ = 0;
  std::vector<ContactConstraint> constraints_;  // by task; of those in no block
  std::vector<PointConstraint> points_;         // likewise

  std::vector<BlockRange> block_ranges_;           // by island
  std::vector<PlannedBlock> planned_;              // first: a task
  std::vector<std::uint32_t> first_block_points_;  // by block
  std::vector<ContactBlock> blocks_;
  std::vector<BlockPoint> block_points_;
  ContactColours colours_;  // of the island whose blocks are planned, as what follows
  BlockPlan plan_;
  std::vector<ContactEnds> ends_;
  std::vector<std::uint8_t> point_counts_;
  std::vector<Task> planned_tasks_;

  // Copies of kinematic bodies: those of island k are driven_[driven_starts_[k]] up to
  // driven_[driven_starts_[k + 1] - 1]. Without starts there is no copy.
  std::vector<std::uint32_t> driven_starts_;
  std::vector<SolverBody> driven_;

  ContactColours joint_colours_;  // of the large island at hand, as what follows
  LargeIsland large_;
  JobBatch large_batch_;
  std::vector<std::uint32_t> coloured_joints_;
  std::vector<std::uint32_t> wide_joints_;  // that act on more than two bodies
  std::vector<SolverBody> fixed_;           // by joint, by contact, and the second ones by joint
  std::vector<float> rest_times_;           // by body
  std::vector<WaitTime> waits_;             // by piece of a loop over bodies
  std::uint32_t large_islands_ = 0;
  std::uint32_t split_islands_ = 0;

  ContinuousStage continuous_;

  std::vector<std::uint32_t> order_;  // islands, most work first
  std::vector<Unit> units_;
  std::vector<std::uint8_t> sleeps_;  // by island
  std::vector<std::uint32_t> sleepy_;
  WaitTime body_locks_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_SOLVE_STAGE_H_
