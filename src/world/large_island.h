// LargeIsland: one island solved by several threads, stage by stage and colour by colour.
//
// A pile is one island. Solved by one thread, it makes the whole update wait. So its contacts are
// in blocks, by colour (src/dynamics/block_plan.h). The blocks of a colour, which share no body,
// are solved by all threads at once; then the next colour, and so on, in the order of the sub-step
// (src/dynamics/contact_order.h). One thread solves the rest, which comes after the last colour or
// before it. Joints are likewise coloured. Each sub-step is one job list, with a sync point between
// one stage or colour and the next (src/jobs/job_list.h), and each loop in it is divided into
// ranges: a thread has mostly the same bodies in each sub-step.
//
// Promise: the same bits as SolveIsland with the joints and contacts in the same order, with any
// number of threads. Those of a colour write to no common body, and the writes of the colour before
// happen before. Blocks only read bodies that cannot be moved; the plain form writes to them, too,
// even a change of zero, so a joint and a contact of the rest have copies of their own.
//
// Thread safety: Solve on one thread of the pool that may wait (TaskPool::MayWait).
// Blocking: helps, as TaskPool::Wait.
//
// Source: as ContactColours. Lecture: the wide solver by colours.
#ifndef NOWAIT_SRC_WORLD_LARGE_ISLAND_H_
#define NOWAIT_SRC_WORLD_LARGE_ISLAND_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/contact_order.h"
#include "src/dynamics/island_solver.h"
#include "src/dynamics/solver_body.h"
#include "src/islands/contact_colours.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"

namespace nowait {

class LargeIsland {
 public:
  LargeIsland();

  // joints: those that their colours were assigned to, in the order of these, and behind them more
  // that are rest. contacts: those in no block. A joint or contact with a fixed body has a copy of
  // it of its own. driven, is_slender: as SolveIsland has them. kCapacity "memory": `bodies`,
  // `joints`, `blocks` and `contacts` are of no use then.
  Result<void> Solve(std::span<SolverBody> bodies, std::span<JointConstraint> joints,
                     const ContactColours& joint_colours, std::span<ContactBlock> blocks,
                     std::span<ContactConstraint> contacts, const SubstepDef& def, TaskPool& pool,
                     std::span<SolverBody> driven = {}, bool is_slender = false);

 private:
  // A stage of some bodies, or of a group of joints, blocks or contacts; the others are empty.
  struct Part {
    void operator()(std::uint32_t begin, std::uint32_t end) const;
    void operator()() const { (*this)(0, Count()); }
    std::uint32_t Count() const {
      return static_cast<std::uint32_t>(bodies.size() + joints.size() + blocks.size() +
                                        contacts.size());
    }

    SolverStage stage;
    std::span<SolverBody> bodies;
    std::span<JointConstraint> joints;
    std::span<ContactBlock> blocks;
    std::span<ContactConstraint> contacts;
    bool at_once;  // by several threads
    PassOrder order;
    const SubstepDef* def;
  };

  // The groups of a stage: those of the colours, and the rest. Of part, what all groups share.
  void AddJoints(std::span<JointConstraint> joints, const ContactColours& colours,
                 const Part& part);
  void AddContacts(std::span<ContactBlock> blocks, std::span<ContactConstraint> contacts,
                   const Part& part);
  template <class Constraint>
  void AddGroup(std::span<Constraint> Part::*of, std::span<Constraint> group, bool at_once,
                const Part& part);
  // All parts, one after the other.
  Result<void> Run(TaskPool& pool);

  JobBatch batch_;
  std::vector<Part> parts_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_LARGE_ISLAND_H_
