// The part of SolveStage for large islands.
#include <algorithm>

#include "src/base/assert.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/jobs_threw.h"
#include "src/world/solve_stage.h"

namespace nowait {
namespace {

// An island with at least this many joints and contacts is coloured. With fewer, one thread solves
// it in less time than several threads need to meet after each colour.
constexpr std::uint32_t kLarge = 512;
constexpr std::uint32_t kAtATime = 32;  // bodies, joints or contacts

}  // namespace

Result<std::uint32_t> SolveStage::SolveLarge(const SubstepDef& def, Step step,
                                             const Islands& islands, ContactStore& contacts,
                                             TaskPool& pool) {
  large_islands_ = 0;
  split_islands_ = 0;
  std::uint64_t left = 0;  // work
  for (const std::uint32_t island : order_) left += WorkOf(island, islands);
  bool split = true;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t island = order_[i];
    if (JointsOf(island) + ContactsOf(island) < kLarge) break;
    Colour(island, islands, contacts);
    ++large_islands_;
    // A share of the work that is left, so that the update does not wait for the last islands. Once
    // an island is at most a share, all islands behind it are, too.
    const std::uint64_t work = WorkOf(island, islands);
    split = split && pool.threads() > 1 && work * pool.threads() > left;
    if (!split) continue;
    if (auto done = SolveTogether(island, def, step, islands, contacts, pool); !done) {
      return std::unexpected(done.error());
    }
    ++split_islands_;
    left -= work;
  }
  return split_islands_;
}

// Puts the island's joints and tasks into the order of their colours.
void SolveStage::Colour(std::uint32_t island, const Islands& islands,
                        const ContactStore& contacts) {
  const std::uint32_t first = islands.starts[island];
  const auto end_of = [&](BodyId id) {
    const bool moves = IsDynamic(state_.bodies.StateOf(id.slot()));
    return moves ? place_of_[id.slot()] - first : ContactEnds::kFixed;
  };
  const std::uint32_t bodies = islands.starts[island + 1] - first;
  const auto joints = std::span(joint_slots_).subspan(joint_starts_[island], JointsOf(island));
  ends_.clear();
  for (const std::uint32_t slot : joints) {
    const JointDef& def = state_.joints[slot].def;
    ends_.push_back({end_of(def.a), end_of(def.b)});
  }
  joint_colours_.Assign(ends_, bodies);
  coloured_joints_.clear();
  for (const std::uint32_t i : joint_colours_.order()) coloured_joints_.push_back(joints[i]);
  std::copy(coloured_joints_.begin(), coloured_joints_.end(), joints.begin());

  const auto tasks = std::span(tasks_).subspan(task_starts_[island], ContactsOf(island));
  ends_.clear();
  for (const Task& task : tasks) {
    const Contact& contact = contacts[task.contact];
    ends_.push_back({end_of(contact.a), end_of(contact.b)});
  }
  colours_.Assign(ends_, bodies);
  coloured_tasks_.clear();
  for (const std::uint32_t i : colours_.order()) coloured_tasks_.push_back(tasks[i]);
  std::copy(coloured_tasks_.begin(), coloured_tasks_.end(), tasks.begin());
}

// As Solve, with the colours that have just been assigned.
Result<void> SolveStage::SolveTogether(std::uint32_t island, const SubstepDef& def, Step step,
                                       const Islands& islands, ContactStore& contacts,
                                       TaskPool& pool) {
  const std::uint32_t first = islands.starts[island];
  const std::uint32_t bodies = islands.starts[island + 1] - first;
  const std::uint32_t first_task = task_starts_[island];
  const std::uint32_t tasks = ContactsOf(island);
  const std::uint32_t first_joint = joint_starts_[island];
  const std::uint32_t joints = JointsOf(island);
  const bool is_driven = DrivenOf(island) != 0;
  if (fixed_.size() < joints + tasks) fixed_.resize(joints + tasks);
  rest_times_.resize(bodies);
  waits_.assign(bodies / kAtATime + 1, {});
  const auto run = [&](std::uint32_t one_count, auto& one, std::uint32_t other_count,
                       auto& other) -> Result<void> {
    auto each = [](auto& call) {
      return [&call](std::uint32_t begin, std::uint32_t end) {
        const ProfileScope profile("solve large island");
        const FloatModeScope float_mode;
        for (std::uint32_t i = begin; i < end; ++i) call(i);
      };
    };
    auto each_one = each(one);
    auto each_other = each(other);
    Result<void> added = large_batch_.AddLoop(one_count, kAtATime, each_one);
    if (added) added = large_batch_.AddSyncPoint();
    if (added) added = large_batch_.AddLoop(other_count, kAtATime, each_other);
    NOWAIT_ASSERT(added, "an empty batch has room for two loops");
    if (const auto ran = large_batch_.Run(pool); !ran) return JobsThrew(ran.error());
    return {};
  };
  auto gather = [&](std::uint32_t i) { GatherBody(first + i); };
  auto prepare = [&](std::uint32_t i) {
    if (i < joints) {
      PrepareJoint(first_joint + i, def, fixed_[i]);
    } else {
      PrepareContact(first_task + (i - joints), def, contacts, fixed_[i]);
    }
  };
  if (auto done = run(bodies, gather, joints + tasks, prepare); !done) return done;
  if (auto done =
          large_.Solve(std::span(solver_bodies_).subspan(first, bodies),
                       std::span(joint_constraints_).subspan(first_joint, joints), joint_colours_,
                       std::span(constraints_).subspan(first_task, tasks), colours_, def, pool,
                       std::span(fixed_).first(is_driven ? joints + tasks : 0));
      !done) {
    return done;
  }
  auto store = [&](std::uint32_t i) {
    if (i < joints) {
      Store(joint_constraints_[first_joint + i], state_.joints[joint_slots_[first_joint + i]]);
    } else {
      const std::uint32_t task = first_task + (i - joints);
      Store(constraints_[task], contacts[tasks_[task].contact]);
    }
  };
  auto finish = [&](std::uint32_t i) {
    rest_times_[i] = FinishBody(first + i, step, slot_at_[first], waits_[i / kAtATime]);
  };
  if (auto done = run(joints + tasks, store, bodies, finish); !done) return done;
  for (const WaitTime& wait : waits_) body_locks_ += wait;
  const float rest_time = *std::min_element(rest_times_.begin(), rest_times_.end());
  sleeps_[island] = rest_time >= state_.def.rest.time && !is_driven ? 1 : 0;
  return {};
}

}  // namespace nowait
