#include "src/world/solve_stage.h"

#include <algorithm>
#include <numeric>
#include <variant>

#include "src/base/assert.h"
#include "src/collision/shape_geometry.h"
#include "src/dynamics/rest.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/jobs_threw.h"
#include "src/world/prepare_block.h"

namespace nowait {
namespace {

constexpr std::uint32_t kNoIsland = ~std::uint32_t{0};
static_assert(BodySnapshot::kNoLane == Lane::kNoNumber);

// A job has at least this many bodies and contacts: a smaller one costs more to submit than to run.
constexpr std::uint32_t kWorthAJob = 64;
constexpr std::uint32_t kMaxUnits = 256;
// Room for two loops, with a job for each thread in each.
constexpr std::uint32_t kLargeJobs = 64;

// After a counting sort, in which each start has run to the next one.
void MoveStartsBack(std::vector<std::uint32_t>& starts) {
  std::rotate(starts.begin(), starts.end() - 1, starts.end());
  starts[0] = 0;
}

}  // namespace

SolveStage::SolveStage(WorldState& state, const KinematicStage& kinematics)
    : state_(state),
      kinematics_(kinematics),
      batch_(kMaxUnits),
      place_of_(state.def.max_bodies, 0),
      large_batch_(kLargeJobs, 1),
      continuous_(state, kinematics) {}

Result<void> SolveStage::Run(Step step, const CollideStage& collided, const Islands& islands,
                             const JointLinks& joints, ContactStore& contacts, TaskPool& pool) {
  body_locks_ = {};
  PlaceBodies(islands);
  PlaceJoints(collided, islands, joints);
  PlaceContacts(collided, islands, contacts);
  CountDriven(islands, contacts);
  OrderIslands(islands);
  PlanBlocks(islands, contacts);
  const SubstepDef def(state_.def.solver, step.dt);
  sleeps_.assign(islands.count(), 0);
  sleepy_.clear();
  sleepy_.reserve(slot_at_.size());
  continuous_.Begin(slot_at_, joints);
  const auto together = SolveLarge(def, step, islands, contacts, pool);
  if (!together) return std::unexpected(together.error());
  MakeUnits(*together, islands);
  auto solve = [&](std::uint32_t unit) {
    const ProfileScope profile("solve islands");
    const FloatModeScope float_mode;
    for (std::uint32_t i = units_[unit].first; i < units_[unit].last; ++i) {
      Solve(order_[i], def, step, islands, contacts, units_[unit].body_locks);
    }
  };
  // In this order: the last piece to end should be small.
  const Result<void> added = batch_.AddEach(static_cast<std::uint32_t>(units_.size()), solve);
  NOWAIT_ASSERT(added.has_value(), "there are no more units than the batch has room for");
  if (const auto ran = batch_.Run(pool); !ran) return JobsThrew(ran.error());
  for (const Unit& unit : units_) body_locks_ += unit.body_locks;
  if (auto done = continuous_.StopBullets(collided.awake(), place_of_, pool); !done) return done;
  SettleBullets();
  CollectSleepy(islands);
  return {};
}

void SolveStage::PlaceBodies(const Islands& islands) {
  slot_at_ = islands.members;
  solver_bodies_.resize(slot_at_.size());
  for (std::uint32_t place = 0; place < slot_at_.size(); ++place) {
    place_of_[slot_at_[place]] = place;
  }
}

// A sleeping body that touches an awake one, or has a joint with it, has been woken. So one that is
// not awake here is static, or waits with the other one.
std::uint32_t SolveStage::IslandOf(std::uint32_t slot_a, std::uint32_t slot_b,
                                   const AwakeSet<>& awake, const Islands& islands) {
  const std::uint32_t slot = awake.Contains(slot_a) ? slot_a : slot_b;
  return awake.Contains(slot) ? islands.island_of[slot] : kNoIsland;
}

// A counting sort by island, which keeps the order by slot within each.
void SolveStage::PlaceJoints(const CollideStage& collided, const Islands& islands,
                             const JointLinks& joints) {
  joint_starts_.assign(islands.count() + 1, 0);
  island_of_joint_.clear();
  first_row_.resize(state_.joints.end());
  std::uint32_t rows = 0;
  for (const std::uint32_t slot : joints.live()) {
    const JointDef& def = state_.joints[slot].def;
    const std::uint32_t island = IslandOf(def.a.slot(), def.b.slot(), collided.awake(), islands);
    island_of_joint_.push_back(island);
    if (island == kNoIsland) continue;
    ++joint_starts_[island + 1];
    first_row_[slot] = rows;
    rows += static_cast<std::uint32_t>(RowsOf(def.kind));
  }
  joint_rows_.resize(rows);
  std::partial_sum(joint_starts_.begin(), joint_starts_.end(), joint_starts_.begin());
  joint_slots_.resize(joint_starts_.back());
  joint_constraints_.resize(joint_slots_.size());
  for (std::size_t i = 0; i < island_of_joint_.size(); ++i) {
    if (island_of_joint_[i] == kNoIsland) continue;
    joint_slots_[joint_starts_[island_of_joint_[i]]++] = joints.live()[i];
  }
  MoveStartsBack(joint_starts_);
}

// Likewise, by pair.
void SolveStage::PlaceContacts(const CollideStage& collided, const Islands& islands,
                               const ContactStore& contacts) {
  task_starts_.assign(islands.count() + 1, 0);
  solved_.clear();
  for (const ContactStore::Entry& entry : contacts.entries()) {
    if (entry.sensor) continue;
    const std::uint32_t island =
        IslandOf(entry.slot_a(), entry.slot_b(), collided.awake(), islands);
    if (island == kNoIsland) continue;
    solved_.push_back({entry.index, island});
    ++task_starts_[island + 1];
  }
  std::partial_sum(task_starts_.begin(), task_starts_.end(), task_starts_.begin());
  tasks_.resize(task_starts_.back());
  constraints_.resize(tasks_.size());
  contact_points_ = 0;
  for (const auto& [contact, island] : solved_) {
    const std::uint32_t points = contacts[contact].manifold.count();
    tasks_[task_starts_[island]++] = {contact, points, 0};
    contact_points_ += points;
  }
  MoveStartsBack(task_starts_);
}

void SolveStage::CountDriven(const Islands& islands, const ContactStore& contacts) {
  driven_starts_.clear();
  if (kinematics_.ways().empty()) return;
  driven_starts_.push_back(0);
  std::uint32_t count = 0;
  for (std::uint32_t island = 0; island < islands.count(); ++island) {
    for (std::uint32_t i = joint_starts_[island]; i < joint_starts_[island + 1]; ++i) {
      for (const auto& [a, b] : PairsOf(state_.joints[joint_slots_[i]].def)) {
        if (IsDriven(a, b)) ++count;
      }
    }
    for (std::uint32_t i = task_starts_[island]; i < task_starts_[island + 1]; ++i) {
      const Contact& contact = contacts[tasks_[i].contact];
      if (IsDriven(contact.a, contact.b)) ++count;
    }
    driven_starts_.push_back(count);
  }
  driven_.resize(count);
}

std::uint32_t SolveStage::WorkOf(std::uint32_t island, const Islands& islands) const {
  return islands.starts[island + 1] - islands.starts[island] + 4 * JointsOf(island) +
         4 * ContactsOf(island);
}

void SolveStage::OrderIslands(const Islands& islands) {
  order_.resize(islands.count());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t work_a = WorkOf(a, islands), work_b = WorkOf(b, islands);
    return work_a != work_b ? work_a > work_b : a < b;
  });
}

void SolveStage::MakeUnits(std::uint32_t first, const Islands& islands) {
  units_.clear();
  std::uint32_t total = 0;
  for (std::uint32_t i = first; i < order_.size(); ++i) total += WorkOf(order_[i], islands);
  // All units but the last have at least this, so there are no more of them than the batch has room
  // for.
  const std::uint32_t enough = std::max(kWorthAJob, total / (kMaxUnits - 1) + 1);
  std::uint32_t sum = 0;
  for (std::uint32_t i = first; i < order_.size(); ++i) {
    if (sum == 0) units_.push_back({i, i});
    units_.back().last = i + 1;
    sum += WorkOf(order_[i], islands);
    if (sum >= enough) sum = 0;
  }
}

void SolveStage::Solve(std::uint32_t island, const SubstepDef& def, Step step,
                       const Islands& islands, ContactStore& contacts, WaitTime& wait) {
  const std::uint32_t first = islands.starts[island];
  const std::uint32_t last = islands.starts[island + 1];
  for (std::uint32_t place = first; place < last; ++place) GatherBody(place);
  SolverBody still, ground;  // its own, so that no other island writes to them
  const std::uint32_t driven = DrivenOf(island);
  const std::span<SolverBody> copies =
      driven == 0 ? std::span<SolverBody>()
                  : std::span(driven_).subspan(driven_starts_[island], driven);
  std::size_t next_copy = 0;
  const auto fixed_of = [&](BodyId a, BodyId b) -> SolverBody& {
    return driven != 0 && IsDriven(a, b) ? copies[next_copy++] : still;
  };
  const std::span<ContactBlock> blocks = BlocksOf(island);
  const std::uint32_t first_block = block_ranges_[island].first;
  const std::uint32_t last_block = first_block + block_ranges_[island].count;
  const std::uint32_t first_task = FirstPlainTask(island);
  const std::uint32_t last_task = task_starts_[island + 1];
  const std::uint32_t first_joint = joint_starts_[island];
  const std::uint32_t last_joint = joint_starts_[island + 1];
  for (std::uint32_t i = first_joint; i < last_joint; ++i) {
    SolverBody* fixed[2] = {&still, &ground};
    const JointPairs pairs = PairsOf(state_.joints[joint_slots_[i]].def);
    for (std::size_t pair = 0; pair < 2; ++pair) {
      if (driven != 0 && IsDriven(pairs[pair].a, pairs[pair].b)) fixed[pair] = &copies[next_copy++];
    }
    PrepareJoint(i, def, *fixed[0], *fixed[1]);
  }
  const auto fixed_of_task = [&](std::uint32_t task) -> SolverBody& {
    const Contact& contact = contacts[tasks_[task].contact];
    return fixed_of(contact.a, contact.b);
  };
  for (std::uint32_t i = first_block; i < last_block; ++i) {
    PrepareBlock(i, def, contacts, fixed_of_task);
  }
  for (std::uint32_t i = first_task; i < last_task; ++i) {
    PrepareContact(i, def, contacts, fixed_of_task(i));
  }
  SolveIsland(std::span(solver_bodies_).subspan(first, last - first),
              std::span(joint_constraints_).subspan(first_joint, last_joint - first_joint),
              PlainContactsOf(island), def, copies, blocks, block_ranges_[island].is_slender);
  for (std::uint32_t i = first_joint; i < last_joint; ++i) {
    Store(joint_constraints_[i], state_.joints[joint_slots_[i]]);
  }
  for (std::uint32_t i = first_block; i < last_block; ++i) StoreBlock(i, contacts);
  for (std::uint32_t i = first_task; i < last_task; ++i) {
    Store(constraints_[i], contacts[tasks_[i].contact]);
  }
  float rest_time = state_.def.rest.time;
  for (std::uint32_t place = first; place < last; ++place) {
    rest_time = std::min(rest_time, FinishBody(place, step, slot_at_[first], wait));
  }
  sleeps_[island] = rest_time >= state_.def.rest.time && driven == 0 ? 1 : 0;
}

void SolveStage::GatherBody(std::uint32_t place) {
  solver_bodies_[place] = Gather(state_.bodies[slot_at_[place]], state_.def.gravity);
}

SolverBody& SolveStage::SolverBodyOf(BodyId id, SolverBody& fixed) {
  if (IsDynamic(state_.bodies.StateOf(id.slot()))) return solver_bodies_[place_of_[id.slot()]];
  return fixed = kinematics_.SolverBodyOf(id.slot());
}

SolveStage::JointPairs SolveStage::PairsOf(const JointDef& def) const {
  const auto* gear = std::get_if<GearJoint>(&def.kind);
  if (gear == nullptr) return {{{def.a, def.b}, {}}};
  const auto pair = [&](JointId id) {
    const JointDef& of = state_.joints[id.slot()].def;
    return BodyPair{of.a, of.b};
  };
  return {pair(gear->first), pair(gear->second)};
}

EndBodies SolveStage::EndsOf(BodyPair pair, SolverBody& fixed) {
  return {{&state_.bodies[pair.a.slot()], &SolverBodyOf(pair.a, fixed)},
          {&state_.bodies[pair.b.slot()], &SolverBodyOf(pair.b, fixed)}};
}

void SolveStage::PrepareJoint(std::uint32_t joint, const SubstepDef& def, SolverBody& fixed,
                              SolverBody& second_fixed) {
  const std::uint32_t slot = joint_slots_[joint];
  const Joint& stored = state_.joints[slot];
  const std::span<JointRow> rows =
      std::span(joint_rows_).subspan(first_row_[slot], RowsOf(stored.def.kind));
  const JointPairs pairs = PairsOf(stored.def);
  const EndBodies ends = EndsOf(pairs[0], fixed);
  JointConstraint& constraint = joint_constraints_[joint];
  if (const auto* gear = std::get_if<GearJoint>(&stored.def.kind)) {
    const GearSide first{&state_.joints[gear->first.slot()], ends};
    const GearSide second{&state_.joints[gear->second.slot()], EndsOf(pairs[1], second_fixed)};
    constraint = PrepareGear(stored, first, second, rows);
  } else if (std::holds_alternative<PulleyJoint>(stored.def.kind)) {
    constraint = PreparePulley(stored, ends, second_fixed = {}, rows);
  } else {
    constraint = Prepare(stored, ends, rows, def);
  }
}

float SolveStage::FinishBody(std::uint32_t place, Step step, std::uint32_t island_slot,
                             WaitTime& wait) {
  Body& body = state_.bodies[slot_at_[place]];
  const ContinuousStage::Way way = continuous_.StopAtStatics(place, body, solver_bodies_[place]);
  const BodyWriteScope lock(state_.locks, body.id, wait);
  Scatter(solver_bodies_[place], state_.def.solver, body);
  // Nearer than the solver's place, if the body was stopped.
  Put(body, way.sweep, 1.0f, way.stop);
  body.island = island_slot;
  body.lane = LaneNumber();
  const float rest_time = TimeAtRest(body, step.dt, state_.def.rest);
  if (step.is_last) {
    body.force = {};
    body.torque = {};
  }
  return rest_time;
}

void SolveStage::SettleBullets() {
  for (const ContinuousStage::BulletStop& of : continuous_.bullet_stops()) {
    Body& body = state_.bodies[slot_at_[of.place]];
    const BodyWriteScope lock(state_.locks, body.id, body_locks_);
    Put(body, continuous_.SweepOf(of), of.stop.fraction, of.stop);
  }
}

void SolveStage::Put(Body& body, const Sweep& sweep, float fraction, const ImpactStop& stop) {
  body.position = sweep.PositionAt(fraction);
  body.rotation = sweep.RotationAt(fraction);
  if (stop.wedged) {
    body.linear_velocity -= stop.normal * std::max(Dot(body.linear_velocity, stop.normal), 0.0f);
    body.angular_velocity = body.angular_velocity * 0.5f;
  }
  body.box = BoundsOf(body.shape, body.position, body.rotation);
  if (Contains(body.tree_box, body.box)) return;
  body.tree_box = Expanded(body.box, kTreeMargin);
  const Result<void> moved = state_.tree->Move(body.id.proxy(), body.layer, body.tree_box);
  NOWAIT_ASSERT(moved.has_value(), "speeds have limits, so a body stays where floats do");
}

void SolveStage::CollectSleepy(const Islands& islands) {
  sleepy_.clear();
  for (std::uint32_t island = 0; island < islands.count(); ++island) {
    if (sleeps_[island] == 0) continue;
    for (std::uint32_t place = islands.starts[island]; place < islands.starts[island + 1];
         ++place) {
      sleepy_.push_back(slot_at_[place]);
    }
  }
  std::sort(sleepy_.begin(), sleepy_.end());
}

}  // namespace nowait
