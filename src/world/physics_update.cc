#include "src/world/physics_update.h"

#include <algorithm>
#include <chrono>
#include <variant>

#include "src/base/or_no_memory.h"
#include "src/dynamics/append_hits.h"
#include "src/dynamics/contact_recycling.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/worn_tree.h"

namespace nowait {
namespace {

// Adds the time until the end of its scope, which is also one of the profile.
class Timed {
 public:
  Timed(const char* name, ClockFunction now, std::chrono::nanoseconds& sum)
      : profile_(name), now_(now), sum_(sum), start_(now()) {}
  ~Timed() { sum_ += now_() - start_; }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  ProfileScope profile_;
  ClockFunction now_;
  std::chrono::nanoseconds& sum_;
  std::chrono::nanoseconds start_;
};

// Whether impulses that held the body in the last step would throw it in this one: a body that gets
// twice as fast by them gains what a sub-step of its weight does.
bool IsLighter(const Body& body) {
  constexpr float kMost = 2.0f;
  const Vec3 was = body.old_inverse_inertia, now = body.inverse_inertia;
  return now.x > kMost * was.x || now.y > kMost * was.y || now.z > kMost * was.z ||
         body.inverse_mass > kMost * body.old_inverse_mass;
}

}  // namespace

PhysicsUpdate::PhysicsUpdate(WorldState& state)
    : state_(state),
      kinematics_(state),
      contacts_(state.def.max_contacts, state.def.max_bodies),
      collide_(state, joint_links_, kinematics_, contacts_),
      solve_(state, kinematics_),
      wake_flags_(state.def.max_bodies, 0) {}

Result<void> PhysicsUpdate::Run(float dt, std::uint32_t steps, TaskPool& pool) {
  const FloatModeScope float_mode;
  stats_ = {};
  contact_events_.clear();
  contact_hits_.clear();
  sleep_events_.clear();
  joint_events_.clear();
  const Timed timed("physics update", state_.def.now, stats_.times.total);
  for (std::uint32_t i = 0; i < steps; ++i) {
    if (Result<void> done = Step(dt, steps - i, pool); !done) return done;
    ++stats_.steps;
  }
  return {};
}

Result<void> PhysicsUpdate::Step(float dt, std::uint32_t steps_left, TaskPool& pool) {
  const Result<void> done = OrNoMemory([&]() -> Result<void> {
    Begin(dt, steps_left);
    if (Result<void> collided = Collide(pool); !collided) return collided;
    if (Result<void> finalised = Finalise(); !finalised) return finalised;
    return Solve(dt, steps_left, pool);
  });
  if (!done) {
    const PhaseScope phase(state_.phases, Op::kSolve);
    kinematics_.GiveUp(stats_.body_locks);
  }
  return done;
}

// The bodies that are awake, those that the game's changes wake, and those that rest and
// nevertheless look for others. Changes only lists.
void PhysicsUpdate::Begin(float dt, std::uint32_t steps_left) {
  const PhaseScope phase(state_.phases, Op::kCollide);
  const Timed timed("begin", state_.def.now, stats_.times.begin);
  state_.SettleBatches(stats_.body_locks);
  const std::uint32_t end = state_.bodies.end();
  // This clears the flags of a step that ran out of memory, too: another body may have such a slot
  // by now.
  std::fill_n(wake_flags_.begin(), end, 0);
  WakeNeighboursOfDisturbed();
  WakeEndedGears();
  WakePartners();
  ListLookers();
  kinematics_.List(kinematic_, dt, steps_left);
}

void PhysicsUpdate::ListLookers() {
  awake_.clear();
  changed_statics_.clear();
  new_sleepers_.clear();
  kinematic_.clear();
  const std::uint32_t end = state_.bodies.end();
  for (std::uint32_t slot = 0; slot < end; ++slot) {
    const BodyState state = state_.bodies.InstalledState(slot);
    if (state == BodyState::kKinematic) {
      kinematic_.push_back(slot);
      // As one that the game puts into what lies in its way.
      if (IsMoving(state_.bodies[slot])) state_.Note(slot, Change::kMoved);
    }
    const Changes changes = state_.changes[slot];
    if (state == BodyState::kAwake || (state == BodyState::kAsleep && wake_flags_[slot] != 0)) {
      awake_.push_back(slot);
    } else if (state == BodyState::kAsleep && changes.Has(Change::kNew)) {
      new_sleepers_.push_back(slot);
    } else if (state != BodyState::kVacant && !IsDynamic(state) &&
               (changes.Has(Change::kMoved) || changes.Has(Change::kNew))) {
      changed_statics_.push_back(slot);
    }
  }
}

void PhysicsUpdate::WakeNeighboursOfDisturbed() {
  const auto& changes = state_.changes;
  const bool any = std::any_of(changes.begin(), changes.end(), [](Changes of) { return of.any(); });
  // A body that is gone is a change, and may have had joints.
  if (any || !joint_links_.IsOf(state_.joints)) joint_links_.Build(state_.joints, state_.bodies);
  if (!any) return;
  // A slot is disturbed by a change of the body that had it in the last step, or of a later body;
  // and there is a later one only if the former was removed. The body that wakes is the other one,
  // and only if it is still there: a new owner of its slot has touched nothing.
  const auto is_disturbed = [&](std::uint32_t slot) {
    return changes[slot].Has(Change::kDisturbed);
  };
  const auto wake = [&](BodyId a, BodyId b) {
    if (is_disturbed(a.slot()) && state_.bodies.Has(b)) wake_flags_[b.slot()] = 1;
    if (is_disturbed(b.slot()) && state_.bodies.Has(a)) wake_flags_[a.slot()] = 1;
  };
  for (const ContactStore::Entry& entry : contacts_.entries()) {
    if (entry.sensor || (!is_disturbed(entry.slot_a()) && !is_disturbed(entry.slot_b()))) continue;
    wake(contacts_[entry.index].a, contacts_[entry.index].b);
  }
  for (const auto& joints : {joint_links_.live(), joint_links_.gone()}) {
    for (const std::uint32_t joint : joints) {
      wake(state_.joints[joint].def.a, state_.joints[joint].def.b);
    }
  }
}

// The wheels of a gear may move once it is gone. Where one of them went itself, the other one is
// woken as its neighbour.
void PhysicsUpdate::WakeEndedGears() {
  for (const std::uint32_t slot : joint_links_.gone()) {
    const JointDef& def = state_.joints[slot].def;
    if (!state_.bodies.Has(def.a) || !state_.bodies.Has(def.b)) continue;
    wake_flags_[def.a.slot()] = 1;
    wake_flags_[def.b.slot()] = 1;
  }
}

// Bodies that a joint connects wake together.
void PhysicsUpdate::WakePartners() {
  if (joint_links_.live().empty()) return;
  woken_.clear();
  const std::uint32_t end = state_.bodies.end();
  for (std::uint32_t slot = 0; slot < end; ++slot) {
    const BodyState state = state_.bodies.InstalledState(slot);
    if (state == BodyState::kAwake || (state == BodyState::kAsleep && wake_flags_[slot] != 0)) {
      woken_.push_back(slot);
    }
  }
  for (std::size_t i = 0; i < woken_.size(); ++i) {
    for (const std::uint32_t partner : joint_links_.PartnersOf(woken_[i])) {
      if (state_.bodies.StateOf(partner) != BodyState::kAsleep || wake_flags_[partner] != 0) {
        continue;
      }
      wake_flags_[partner] = 1;
      woken_.push_back(partner);
    }
  }
}

Result<void> PhysicsUpdate::Collide(TaskPool& pool) {
  const Lookers lookers{awake_, changed_statics_, new_sleepers_};
  Result<void> done;
  bool rebuilds_first = false;
  {
    const PhaseScope phase(state_.phases, Op::kCollide);
    const Timed timed("collide", state_.def.now, stats_.times.collide);
    rebuilds_first = IsTreeWorn(state_, awake_);
    if (rebuilds_first) {
      collide_.RebuildTree();
      ++stats_.early_rebuilds;
    } else {
      done = collide_.Run(lookers, true, pool);
    }
  }
  {
    // A rebuilt tree is swapped in, even when the step goes no further.
    const PhaseScope phase(state_.phases, Op::kSwap);
    state_.tree->Swap();
  }
  if (!rebuilds_first) return done;
  const PhaseScope phase(state_.phases, Op::kCollide);
  const Timed timed("collide", state_.def.now, stats_.times.collide);
  return collide_.Run(lookers, false, pool);
}

Result<void> PhysicsUpdate::Finalise() {
  const PhaseScope phase(state_.phases, Op::kSwap);
  const Timed timed("finalise", state_.def.now, stats_.times.finalise);
  const WaitingNodes waiting = state_.tree->waiting_nodes();
  stats_.waiting_nodes = waiting.nodes;
  stats_.steps_held = waiting.updates;
  if (!collide_.rebuilt()) ++stats_.failed_rebuilds;
  stats_.rebuilds += state_.tree->last_rebuild();
  stats_.find += collide_.find_stats();
  islands_ = &island_builder_.Finalise(collide_.sets(), collide_.slots());
  MakeRoomForEvents();
  const std::size_t first_event = contact_events_.size();
  // Last: it drops the contacts from which a step knows the bodies that the game's changes wake.
  // Nothing fails between it and their waking, and a step that fails leaves them to the next one.
  if (Result<void> done = contacts_.Merge(collide_.found(), state_.bodies, collide_.awake(),
                                          state_.changes, contact_events_, changed_statics_);
      !done) {
    return done;
  }
  const auto body_of = [&](BodyId id) { return kinematics_.InStep(state_.bodies[id.slot()]); };
  AppendHits(std::span(contact_events_).subspan(first_event), contacts_, body_of, contact_hits_);
  RemoveJointsOfTheGone();
  return {};
}

// Each body that takes part may wake, and fall asleep again. Each contact may have begun, and each
// joint may end.
void PhysicsUpdate::MakeRoomForEvents() {
  woken_.reserve(collide_.slots().size());
  contact_hits_.reserve(contact_hits_.size() + collide_.found().size());
  sleep_events_.reserve(sleep_events_.size() + 2 * collide_.slots().size());
  joint_events_.reserve(joint_events_.size() + joint_links_.live().size() +
                        joint_links_.gone().size());
}

void PhysicsUpdate::RemoveJointsOfTheGone() {
  for (const std::uint32_t slot : joint_links_.gone()) {
    const JointDef& def = state_.joints[slot].def;
    const bool has_bodies = state_.bodies.Has(def.a) && state_.bodies.Has(def.b);
    RemoveJoint(slot, has_bodies ? JointEvent::Kind::kPartnerGone : JointEvent::Kind::kBodyGone);
  }
}

void PhysicsUpdate::RemoveJoint(std::uint32_t slot, JointEvent::Kind kind) {
  const Joint& joint = state_.joints[slot];
  joint_events_.push_back({kind, joint.id, joint.def.a, joint.def.b});
  state_.joints.Remove(slot);
}

Result<void> PhysicsUpdate::Solve(float dt, std::uint32_t steps_left, TaskPool& pool) {
  const PhaseScope phase(state_.phases, Op::kSolve);
  {
    const Timed timed("solve", state_.def.now, stats_.times.solve);
    WakeTouched();
    kinematics_.Widen(stats_.body_locks);
    if (Result<void> done =
            solve_.Run({dt, steps_left == 1}, collide_, *islands_, joint_links_, contacts_, pool);
        !done) {
      return done;
    }
    stats_.body_locks += solve_.body_locks();
  }
  const Timed timed("finish", state_.def.now, stats_.times.finish);
  Finish();
  return {};
}

// Sleeping bodies that take part, because an awake body touches them or they are disturbed; and
// those that the game has woken since the last step.
void PhysicsUpdate::WakeTouched() {
  woken_.clear();
  for (const std::uint32_t slot : collide_.slots()) {
    if (state_.bodies.StateOf(slot) == BodyState::kAsleep ||
        state_.changes[slot].Has(Change::kWoken)) {
      woken_.push_back(slot);
    }
  }
  for (const std::uint32_t slot : woken_) {
    Body& body = state_.bodies[slot];
    const BodyWriteScope lock(state_.locks, body.id, stats_.body_locks);
    state_.bodies.SetState(slot, BodyState::kAwake);
    body.rest_time = 0.0f;
    sleep_events_.push_back({SleepEvent::Kind::kWoke, body.id});
  }
  UseChangesOfMass();
  // The game's changes have had all their effects.
  std::fill(state_.changes.begin(), state_.changes.end(), Changes());
}

void PhysicsUpdate::UseChangesOfMass() {
  const auto has_other_mass = [](Changes of) { return of.Has(Change::kMass); };
  if (std::none_of(state_.changes.begin(), state_.changes.end(), has_other_mass)) return;
  ForgetImpulsesOfLighter();
  for (std::uint32_t slot = 0; slot < state_.bodies.end(); ++slot) {
    if (!has_other_mass(state_.changes[slot])) continue;
    Body& body = state_.bodies[slot];
    const BodyWriteScope lock(state_.locks, body.id, stats_.body_locks);
    body.old_inverse_mass = 0.0f;
    body.old_inverse_inertia = {};
  }
}

// The impulses that held a body would throw it now that it is lighter: each is found anew.
void PhysicsUpdate::ForgetImpulsesOfLighter() {
  const auto is_lighter = [&](std::uint32_t slot) {
    return state_.changes[slot].Has(Change::kMass) && IsLighter(state_.bodies[slot]);
  };
  for (const ContactStore::Entry& entry : contacts_.entries()) {
    if (!is_lighter(entry.slot_a()) && !is_lighter(entry.slot_b())) continue;
    contacts_[entry.index].impulses = {};
    contacts_[entry.index].rolling_impulse = {};
  }
  const auto joins_lighter = [&](const JointDef& def) {
    return is_lighter(def.a.slot()) || is_lighter(def.b.slot());
  };
  for (const std::uint32_t slot : joint_links_.live()) {
    Joint& joint = state_.joints[slot];
    bool forgets = joins_lighter(joint.def);
    if (const auto* gear = std::get_if<GearJoint>(&joint.def.kind)) {
      forgets = forgets || joins_lighter(state_.joints[gear->first.slot()].def) ||
                joins_lighter(state_.joints[gear->second.slot()].def);
    }
    if (forgets) joint.impulses = {};
  }
}

void PhysicsUpdate::BreakJoints() {
  for (const std::uint32_t slot : joint_links_.live()) {
    const Joint& joint = state_.joints[slot];
    const bool is_awake = collide_.awake().Contains(joint.def.a.slot()) ||
                          collide_.awake().Contains(joint.def.b.slot());
    if (is_awake && joint.IsTooMuch()) RemoveJoint(slot, JointEvent::Kind::kBroke);
  }
}

// The step in which a joint broke may be the last one of its island's rest. Its bodies would sleep
// where it had held them.
void PhysicsUpdate::WakeBroken(std::span<const JointEvent> broken) {
  for (const JointEvent& event : broken) {
    for (const BodyId id : {event.a, event.b}) {
      Body& body = state_.bodies[id.slot()];
      const BodyWriteScope lock(state_.locks, body.id, stats_.body_locks);
      body.rest_time = 0.0f;
      state_.Wake(id.slot());
    }
  }
}

void PhysicsUpdate::Finish() {
  const std::size_t events_before = joint_events_.size();
  kinematics_.Finish(stats_.body_locks);
  BreakJoints();
  for (const std::uint32_t slot : solve_.sleepy()) {
    Body& body = state_.bodies[slot];
    const BodyWriteScope lock(state_.locks, body.id, stats_.body_locks);
    body.linear_velocity = {};
    body.angular_velocity = {};
    state_.bodies.SetState(slot, BodyState::kAsleep);
    sleep_events_.push_back({SleepEvent::Kind::kFellAsleep, body.id});
  }
  WakeBroken(std::span(joint_events_).subspan(events_before));
  const auto taking_part = static_cast<std::uint32_t>(collide_.slots().size());
  const auto asleep_now = static_cast<std::uint32_t>(solve_.sleepy().size());
  stats_.bodies = state_.bodies.count();
  stats_.awake = taking_part - asleep_now;
  stats_.woken = static_cast<std::uint32_t>(woken_.size());
  stats_.fell_asleep = asleep_now;
  stats_.pairs = collide_.pairs();
  stats_.recycled_contacts = collide_.recycled();
  stats_.contacts = static_cast<std::uint32_t>(collide_.found().size());
  stats_.contact_points = solve_.contact_points();
  stats_.joints = solve_.joints();
  stats_.islands = islands_->count();
  stats_.large_islands = solve_.large_islands();
  stats_.split_islands = solve_.split_islands();
  stats_.fast_bodies = solve_.fast_bodies();
  stats_.stopped_bodies = solve_.stopped_bodies();
  stats_.largest_island = 0;
  for (std::uint32_t island = 0; island < islands_->count(); ++island) {
    stats_.largest_island =
        std::max(stats_.largest_island, islands_->starts[island + 1] - islands_->starts[island]);
  }
}

void PhysicsUpdate::Restore(std::span<const Contact> contacts) {
  contacts_.Restore(contacts);
  stats_ = {};
  contact_events_.clear();
  contact_hits_.clear();
  sleep_events_.clear();
  joint_events_.clear();
}

// A contact stays until the next step, also if the game has removed one of its bodies meanwhile.
// Points do not follow a body to another frame: its surface has not moved.
Manifold PhysicsUpdate::ManifoldNow(const Contact& contact) const {
  Manifold now = contact.manifold;
  const auto keeps_frame = [&](BodyId id) {
    return !state_.changes[id.slot()].Has(Change::kReframed);
  };
  if (state_.bodies.Has(contact.a) && state_.bodies.Has(contact.b) && keeps_frame(contact.a) &&
      keeps_frame(contact.b)) {
    PointsNow(contact, state_.bodies[contact.a.slot()], state_.bodies[contact.b.slot()], now);
  }
  return now;
}

void PhysicsUpdate::SnapshotContacts(std::vector<ContactSnapshot>& out) const {
  out.clear();
  for (const ContactStore::Entry& entry : contacts_.entries()) {
    const Contact& contact = contacts_[entry.index];
    ContactSnapshot& copy = out.emplace_back();
    copy.a = contact.a;
    copy.b = contact.b;
    copy.sensor = contact.sensor;
    copy.manifold = ManifoldNow(contact);
    for (std::uint32_t i = 0; i < contact.manifold.count(); ++i) {
      copy.impulses[i] = contact.impulses[i].normal;
    }
  }
}

void PhysicsUpdate::SnapshotLinks(std::size_t limit, LinkSnapshot& out) const {
  out.links.clear();
  const auto is_linked = [&](BodyId id) {
    return state_.bodies.Has(id) && state_.bodies[id.slot()].type == BodyType::kDynamic;
  };
  const auto add = [&](BodyId a, BodyId b, bool joint) {
    if (!is_linked(a) || !is_linked(b)) return;
    out.links.push_back({std::min(a.slot(), b.slot()), std::max(a.slot(), b.slot()), joint});
  };
  for (const ContactStore::Entry& entry : contacts_.entries()) {
    const Contact& contact = contacts_[entry.index];
    if (!contact.sensor) add(contact.a, contact.b, false);
  }
  for (std::uint32_t slot = 0; slot < state_.joints.end(); ++slot) {
    if (!state_.joints.Has(slot)) continue;
    add(state_.joints[slot].def.a, state_.joints[slot].def.b, true);
  }
  // Two joints may connect the same bodies.
  std::ranges::sort(out.links);
  const auto again = std::ranges::unique(out.links);
  out.links.erase(again.begin(), again.end());
  const std::size_t kept = std::min(limit, out.links.size());
  out.left_out = static_cast<std::uint32_t>(out.links.size() - kept);
  out.links.resize(kept);
}

}  // namespace nowait
