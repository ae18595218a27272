// The part of SolveStage for large islands.
#include <algorithm>

#include "src/base/assert.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/jobs_threw.h"
#include "src/world/solve_stage.h"

namespace nowait {
namespace {

// An island with at least this many contacts is coloured. With fewer, one thread solves it in less
// time than several threads need to meet after each colour.
constexpr std::uint32_t kLarge = 512;
constexpr std::uint32_t kAtATime = 32;  // bodies or contacts

}  // namespace

Result<std::uint32_t> SolveStage::SolveLarge(const SubstepDef& def, float dt,
                                             const Islands& islands, ContactStore& contacts,
                                             TaskPool& pool) {
  large_islands_ = 0;
  split_islands_ = 0;
  std::uint64_t left = 0;  // work
  for (const std::uint32_t island : order_) left += WorkOf(island, islands);
  bool split = true;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t island = order_[i];
    if (task_starts_[island + 1] - task_starts_[island] < kLarge) break;
    Colour(island, islands, contacts);
    ++large_islands_;
    // A share of the work that is left, so that the update does not wait for the last islands. Once
    // an island is at most a share, all islands behind it are, too.
    const std::uint64_t work = WorkOf(island, islands);
    split = split && pool.threads() > 1 && work * pool.threads() > left;
    if (!split) continue;
    if (auto done = SolveTogether(island, def, dt, islands, contacts, pool); !done) {
      return std::unexpected(done.error());
    }
    ++split_islands_;
    left -= work;
  }
  return split_islands_;
}

// Puts the island's tasks into the order of their colours.
void SolveStage::Colour(std::uint32_t island, const Islands& islands,
                        const ContactStore& contacts) {
  const std::uint32_t first = islands.starts[island];
  const auto end_of = [&](BodyId id) {
    const bool moves = state_.bodies.StateOf(id.slot()) != BodyState::kStatic;
    return moves ? place_of_[id.slot()] - first : ContactEnds::kFixed;
  };
  const auto tasks = std::span(tasks_).subspan(task_starts_[island],
                                               task_starts_[island + 1] - task_starts_[island]);
  ends_.clear();
  for (const Task& task : tasks) {
    const Contact& contact = contacts[task.contact];
    ends_.push_back({end_of(contact.a), end_of(contact.b)});
  }
  colours_.Assign(ends_, islands.starts[island + 1] - first);
  coloured_tasks_.clear();
  for (const std::uint32_t i : colours_.order()) coloured_tasks_.push_back(tasks[i]);
  std::copy(coloured_tasks_.begin(), coloured_tasks_.end(), tasks.begin());
}

// As Solve, with the colours that have just been assigned.
Result<void> SolveStage::SolveTogether(std::uint32_t island, const SubstepDef& def, float dt,
                                       const Islands& islands, ContactStore& contacts,
                                       TaskPool& pool) {
  const std::uint32_t first = islands.starts[island];
  const std::uint32_t bodies = islands.starts[island + 1] - first;
  const std::uint32_t first_task = task_starts_[island];
  const std::uint32_t tasks = task_starts_[island + 1] - first_task;
  if (fixed_.size() < tasks) fixed_.resize(tasks);
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
  auto prepare = [&](std::uint32_t i) { PrepareContact(first_task + i, def, contacts, fixed_[i]); };
  if (auto done = run(bodies, gather, tasks, prepare); !done) return done;
  if (auto done =
          large_.Solve(std::span(solver_bodies_).subspan(first, bodies),
                       std::span(constraints_).subspan(first_task, tasks), colours_, def, pool);
      !done) {
    return done;
  }
  auto store = [&](std::uint32_t i) {
    Store(constraints_[first_task + i], contacts[tasks_[first_task + i].contact]);
  };
  auto finish = [&](std::uint32_t i) {
    rest_times_[i] = FinishBody(first + i, dt, slot_at_[first], waits_[i / kAtATime]);
  };
  if (auto done = run(tasks, store, bodies, finish); !done) return done;
  for (const WaitTime& wait : waits_) body_locks_ += wait;
  const float rest_time = *std::min_element(rest_times_.begin(), rest_times_.end());
  sleeps_[island] = rest_time >= state_.def.rest.time ? 1 : 0;
  return {};
}

}  // namespace nowait
