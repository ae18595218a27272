// The part of SolveStage that puts contacts into blocks, and makes the constraints of the others.
#include <algorithm>

#include "src/base/assert.h"
#include "src/dynamics/contact_order.h"
#include "src/dynamics/contact_recycling.h"
#include "src/profile/profile.h"
#include "src/world/solve_stage.h"

namespace nowait {
namespace {

// An island with at least this many contacts has them in blocks: a planar pyramid of 15 boxes (35
// contacts) is solved a little faster in blocks, one of 21 boxes (51 contacts) in much less time,
// and one of 10 boxes (22 contacts) has too few of each colour.
constexpr std::uint32_t kWorthBlocks = 32;

// With this many contacts also a slender island has blocks: one thread would be busy with it for
// long.
constexpr std::uint32_t kMostSlender = 512;

// With more sub-steps also a slender island takes its contacts in turn. Of 40 towers of 20 flat
// cylinders, 35 stand with eight sub-steps in turn and 15 with eight forwards. Of 20 such towers, 0
// stand with four in turn and 7 with four forwards.
constexpr std::uint32_t kMostForwards = 4;

}  // namespace

void SolveStage::PlanBlocks(const Islands& islands, const ContactStore& contacts) {
  const ProfileScope profile("plan blocks");
  block_ranges_.assign(islands.count(), {});
  planned_.clear();
  const bool few_substeps = state_.def.solver.substeps <= kMostForwards;
  for (std::uint32_t island = 0; island < islands.count(); ++island) {
    if (few_substeps && ContactsOf(island) < kMostSlender && IsSlenderIsland(island, contacts)) {
      block_ranges_[island].is_slender = true;
    } else if (ContactsOf(island) >= kWorthBlocks) {
      PlanBlocksOf(island, islands, contacts);
    }
  }
  MakeRoomForContacts(islands);
}

bool SolveStage::IsSlenderIsland(std::uint32_t island, const ContactStore& contacts) const {
  std::size_t supports = 0;
  const auto moves = [this](BodyId id) { return IsDynamic(state_.bodies.StateOf(id.slot())); };
  for (std::uint32_t task = task_starts_[island]; task < task_starts_[island + 1]; ++task) {
    const Contact& contact = contacts[tasks_[task].contact];
    if (moves(contact.a) && moves(contact.b)) continue;
    if (!IsSlender(ContactsOf(island), ++supports)) return false;
  }
  return supports > 0;
}

// Puts the island's tasks into the order of its plan.
void SolveStage::PlanBlocksOf(std::uint32_t island, const Islands& islands,
                              const ContactStore& contacts) {
  const std::uint32_t first_place = islands.starts[island];
  const std::uint32_t first_task = task_starts_[island];
  const auto tasks = std::span(tasks_).subspan(first_task, ContactsOf(island));
  ends_.clear();
  point_counts_.clear();
  for (const Task& task : tasks) {
    const Contact& contact = contacts[task.contact];
    ends_.push_back({EndOf(contact.a, first_place), EndOf(contact.b, first_place)});
    point_counts_.push_back(static_cast<std::uint8_t>(task.points));
  }
  colours_.Assign(ends_, islands.starts[island + 1] - first_place);
  NOWAIT_ASSERT(colours_.AreApart(ends_), "contacts that are solved at once share no body");
  plan_.Make(colours_, point_counts_);
  planned_tasks_.clear();
  for (const std::uint32_t i : plan_.order()) planned_tasks_.push_back(tasks[i]);
  std::ranges::copy(planned_tasks_, tasks.begin());
  block_ranges_[island] = {static_cast<std::uint32_t>(planned_.size()),
                           static_cast<std::uint32_t>(plan_.blocks().size()), plan_.in_blocks()};
  for (PlannedBlock block : plan_.blocks()) {
    block.first += first_task;
    planned_.push_back(block);
  }
}

std::uint32_t SolveStage::EndOf(BodyId id, std::uint32_t first_place) const {
  const bool moves = IsDynamic(state_.bodies.StateOf(id.slot()));
  return moves ? place_of_[id.slot()] - first_place : ContactEnds::kFixed;
}

void SolveStage::MakeRoomForContacts(const Islands& islands) {
  std::uint32_t points = 0;
  for (std::uint32_t island = 0; island < islands.count(); ++island) {
    for (std::uint32_t i = FirstPlainTask(island); i < task_starts_[island + 1]; ++i) {
      tasks_[i].first_point = points;
      points += tasks_[i].points;
    }
  }
  points_.resize(points);
  std::uint32_t block_points = 0;
  first_block_points_.clear();
  for (const PlannedBlock& block : planned_) {
    first_block_points_.push_back(block_points);
    block_points += block.points;
  }
  blocks_.resize(planned_.size());
  block_points_.resize(block_points);
}

void SolveStage::PrepareContact(std::uint32_t task, const SubstepDef& def,
                                const ContactStore& contacts, SolverBody& fixed) {
  const Contact& contact = contacts[tasks_[task].contact];
  const Body& a = state_.bodies[contact.a.slot()];
  const Body& b = state_.bodies[contact.b.slot()];
  Manifold room;
  const std::span<const ContactPoint> now = PointsNow(contact, a, b, room);
  constraints_[task] =
      Prepare(contact, now, a.position, b.position, SolverBodyOf(contact.a, fixed),
              SolverBodyOf(contact.b, fixed),
              std::span(points_).subspan(tasks_[task].first_point, now.size()), def);
}

void SolveStage::StoreBlock(std::uint32_t block, ContactStore& contacts) const {
  const PlannedBlock& planned = planned_[block];
  for (std::uint32_t i = 0; i < planned.contacts; ++i) {
    Store(blocks_[block], static_cast<int>(i), contacts[tasks_[planned.first + i].contact]);
  }
}

}  // namespace nowait
