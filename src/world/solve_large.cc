// The part of SolveStage for large islands.
#include <algorithm>
#include <variant>

#include "src/base/assert.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/jobs_threw.h"
#include "src/world/prepare_block.h"
#include "src/world/solve_stage.h"

namespace nowait {
namespace {

// An island with at least this many joints and contacts may be solved by several threads. With
// fewer, one thread solves it in less time than several need to meet after each colour.
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
    ColourJoints(island, islands);
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

bool SolveStage::IsWide(const JointDef& def) const {
  const auto* gear = std::get_if<GearJoint>(&def.kind);
  if (gear == nullptr) return false;
  const auto moves = [&](BodyId id) { return IsDynamic(state_.bodies.StateOf(id.slot())); };
  return std::ranges::any_of(PairsOf(def),
                             [&](BodyPair pair) { return moves(pair.a) && moves(pair.b); });
}

// Puts the island's joints into the order of their colours. A gear whose frames move acts on more
// bodies than a colour knows of: it comes behind the rest, which one thread solves.
void SolveStage::ColourJoints(std::uint32_t island, const Islands& islands) {
  const std::uint32_t first = islands.starts[island];
  const auto joints = std::span(joint_slots_).subspan(joint_starts_[island], JointsOf(island));
  ends_.clear();
  coloured_joints_.clear();
  wide_joints_.clear();
  for (const std::uint32_t slot : joints) {
    const JointDef& def = state_.joints[slot].def;
    if (IsWide(def)) {
      wide_joints_.push_back(slot);
      continue;
    }
    coloured_joints_.push_back(slot);
    ends_.push_back({EndOf(def.a, first), EndOf(def.b, first)});
  }
  joint_colours_.Assign(ends_, islands.starts[island + 1] - first);
  auto to = joints.begin();
  for (const std::uint32_t i : joint_colours_.order()) *to++ = coloured_joints_[i];
  std::ranges::copy(wide_joints_, to);
}

// As Solve, with the joints' colours that have just been assigned.
Result<void> SolveStage::SolveTogether(std::uint32_t island, const SubstepDef& def, Step step,
                                       const Islands& islands, ContactStore& contacts,
                                       TaskPool& pool) {
  const std::uint32_t first = islands.starts[island];
  const std::uint32_t bodies = islands.starts[island + 1] - first;
  const std::uint32_t first_task = task_starts_[island];
  const std::uint32_t tasks = ContactsOf(island);
  const std::uint32_t first_plain = FirstPlainTask(island);
  const std::uint32_t plain = task_starts_[island + 1] - first_plain;
  const std::uint32_t first_block = block_ranges_[island].first;
  const std::uint32_t first_joint = joint_starts_[island];
  const std::uint32_t joints = JointsOf(island);
  const std::uint32_t pieces = joints + plain + block_ranges_[island].count;
  const bool is_driven = DrivenOf(island) != 0;
  const std::uint32_t fixed = joints + tasks + joints;
  if (fixed_.size() < fixed) fixed_.resize(fixed);
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
  // Piece i is a joint, a contact in no block, or a block.
  const auto fixed_of_task = [&](std::uint32_t task) -> SolverBody& {
    return fixed_[joints + (task - first_task)];
  };
  auto prepare = [&](std::uint32_t i) {
    if (i < joints) {
      PrepareJoint(first_joint + i, def, fixed_[i], fixed_[joints + tasks + i]);
    } else if (i < joints + plain) {
      const std::uint32_t task = first_plain + (i - joints);
      PrepareContact(task, def, contacts, fixed_of_task(task));
    } else {
      PrepareBlock(first_block + (i - joints - plain), def, contacts, fixed_of_task);
    }
  };
  if (auto done = run(bodies, gather, pieces, prepare); !done) return done;
  if (auto done = large_.Solve(std::span(solver_bodies_).subspan(first, bodies),
                               std::span(joint_constraints_).subspan(first_joint, joints),
                               joint_colours_, BlocksOf(island), PlainContactsOf(island), def, pool,
                               std::span(fixed_).first(is_driven ? fixed : 0),
                               block_ranges_[island].is_slender);
      !done) {
    return done;
  }
  auto store = [&](std::uint32_t i) {
    if (i < joints) {
      Store(joint_constraints_[first_joint + i], state_.joints[joint_slots_[first_joint + i]]);
    } else if (i < joints + plain) {
      const std::uint32_t task = first_plain + (i - joints);
      Store(constraints_[task], contacts[tasks_[task].contact]);
    } else {
      StoreBlock(first_block + (i - joints - plain), contacts);
    }
  };
  auto finish = [&](std::uint32_t i) {
    rest_times_[i] = FinishBody(first + i, step, slot_at_[first], waits_[i / kAtATime]);
  };
  if (auto done = run(pieces, store, bodies, finish); !done) return done;
  for (const WaitTime& wait : waits_) body_locks_ += wait;
  const float rest_time = *std::min_element(rest_times_.begin(), rest_times_.end());
  sleeps_[island] = rest_time >= state_.def.rest.time && !is_driven ? 1 : 0;
  return {};
}

}  // namespace nowait
