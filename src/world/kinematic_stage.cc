#include "src/world/kinematic_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/assert.h"
#include "src/collision/shape_geometry.h"
#include "src/math/angle.h"
#include "src/world/continuous_stage.h"

namespace nowait {
namespace {

// The turn from one rotation to the other by the shorter way, as its axis times its angle.
Vec3 TurnBetween(Quat from, Quat to) {
  const Quat turn = to * Conjugate(from);
  const float sign = turn.w < 0.0f ? -1.0f : 1.0f;
  const Vec3 sine = Vec3{turn.x, turn.y, turn.z} * sign;
  const float length = Length(sine);
  if (length == 0.0f) return {};
  return sine * (2.0f * Atan2(length, sign * turn.w) / length);
}

// The part of a way that may be gone.
float PartWithin(float way, float most) { return way <= most ? 1.0f : most / way; }

}  // namespace

void KinematicStage::List(std::span<const std::uint32_t> slots, float dt,
                          std::uint32_t steps_left) {
  any_ = !slots.empty();
  ways_.clear();
  longest_ = 0.0f;
  for (const std::uint32_t slot : slots) {
    const Body& body = state_.bodies[slot];
    if (!IsMoving(body)) continue;
    ways_.push_back(WayOf(body, dt, steps_left));
    if (!body.sensor) longest_ = std::max(longest_, ways_.back().length);
  }
}

KinematicWay KinematicStage::WayOf(const Body& body, float dt, std::uint32_t steps_left) const {
  const SolverDef& def = state_.def.solver;
  KinematicWay way{.slot = body.id.slot(),
                   .to_target = body.has_target,
                   .arrives = false,
                   .widened = false,
                   .linear_velocity = body.linear_velocity,
                   .angular_velocity = body.angular_velocity,
                   .sweep = Sweep::AtRest(body.position, body.rotation),
                   .length = 0.0f,
                   .covered = {}};
  if (body.has_target) {
    const float time = dt * static_cast<float>(steps_left);
    const Vec3 move = body.target_position - body.position;
    const Vec3 turn = TurnBetween(body.rotation, body.target_rotation);
    const float part = std::min(PartWithin(Length(move), def.max_linear_speed * time),
                                PartWithin(Length(turn), def.max_angular_speed * time));
    way.arrives = part == 1.0f && steps_left == 1;
    way.linear_velocity = move * (part / time);
    way.angular_velocity = turn * (part / time);
  }
  // As the copies of the constraints move.
  SolverBody moving;
  moving.linear_velocity = way.linear_velocity;
  moving.angular_velocity = way.angular_velocity;
  moving.rotation = body.rotation;
  const float h = dt / static_cast<float>(def.substeps);
  for (std::uint32_t i = 0; i < def.substeps; ++i) IntegratePosition(moving, h, def);
  way.linear_velocity = moving.linear_velocity;
  way.angular_velocity = moving.angular_velocity;
  way.sweep.end = way.arrives ? body.target_position : body.position + moving.moved;
  way.sweep.end_rotation = way.arrives ? body.target_rotation : moving.rotation;
  const Vec3 turn = TurnBetween(way.sweep.start_rotation, way.sweep.end_rotation);
  const float bend = Length(turn) * body.radii.reach;
  way.length = Length(way.sweep.end - way.sweep.start) + bend;
  // On its way a point is no farther out of the two boxes than its turn is long.
  Bounds<3> ends = body.box;
  ends.Include(BoundsOf(body.shape, way.sweep.end, way.sweep.end_rotation));
  way.covered = Expanded(ends, bend);
  return way;
}

const KinematicWay* KinematicStage::WayOf(std::uint32_t slot) const {
  const auto way = std::ranges::lower_bound(ways_, slot, {}, &KinematicWay::slot);
  return way != ways_.end() && way->slot == slot ? &*way : nullptr;
}

Sweep KinematicStage::SweepOf(const Body& body) const {
  const KinematicWay* way = WayOf(body.id.slot());
  return way != nullptr ? way->sweep : Sweep::AtRest(body.position, body.rotation);
}

Body KinematicStage::InStep(const Body& body) const {
  Body moving = body;
  if (const KinematicWay* way = WayOf(body.id.slot())) {
    moving.linear_velocity = way->linear_velocity;
    moving.angular_velocity = way->angular_velocity;
  }
  return moving;
}

SolverBody KinematicStage::SolverBodyOf(std::uint32_t slot) const {
  SolverBody copy;
  if (const KinematicWay* way = WayOf(slot)) {
    // A sum with zero is never minus zero, as blocks of contacts have it (contact_block.h).
    copy.linear_velocity = way->linear_velocity + Vec3{};
    copy.angular_velocity = way->angular_velocity + Vec3{};
  }
  return copy;
}

bool KinematicStage::MayPass(const Bounds<3>& box, float inner_radius, float way) const {
  if (longest_ + way <= ContinuousStage::kSlowWay * inner_radius) return false;
  return std::ranges::any_of(ways_, [&](const KinematicWay& of) {
    return !state_.bodies[of.slot].sensor &&
           of.length + way > ContinuousStage::kSlowWay * inner_radius &&
           Overlaps(of.covered, Expanded(box, way));
  });
}

void KinematicStage::SetTreeBox(Body& body, const Bounds<3>& box) {
  body.tree_box = box;
  const Result<void> moved = state_.tree->Move(body.id.proxy(), body.layer, box);
  NOWAIT_ASSERT(moved.has_value(), "speeds have limits, so a body stays where floats do");
}

void KinematicStage::Widen(WaitTime& wait) {
  for (KinematicWay& way : ways_) {
    Body& body = state_.bodies[way.slot];
    way.widened = !Contains(body.tree_box, way.covered);
    if (!way.widened) continue;
    const BodyWriteScope lock(state_.locks, body.id, wait);
    SetTreeBox(body, Expanded(way.covered, kTreeMargin));
  }
}

void KinematicStage::Finish(WaitTime& wait) {
  for (KinematicWay& way : ways_) {
    Body& body = state_.bodies[way.slot];
    const BodyWriteScope lock(state_.locks, body.id, wait);
    body.position = way.sweep.end;
    body.rotation = way.sweep.end_rotation;
    body.box = BoundsOf(body.shape, body.position, body.rotation);
    body.has_target = way.to_target && !way.arrives;
    body.linear_velocity = way.arrives ? Vec3{} : way.linear_velocity;
    body.angular_velocity = way.arrives ? Vec3{} : way.angular_velocity;
    // Where it stands from now on, no step has looked for sleepers yet.
    if (way.arrives) state_.Note(way.slot, Change::kMoved);
    Narrow(way, body);
  }
}

void KinematicStage::GiveUp(WaitTime& wait) {
  for (KinematicWay& way : ways_) {
    if (!way.widened) continue;
    Body& body = state_.bodies[way.slot];
    const BodyWriteScope lock(state_.locks, body.id, wait);
    Narrow(way, body);
  }
}

void KinematicStage::Narrow(KinematicWay& way, Body& body) {
  if (std::exchange(way.widened, false)) SetTreeBox(body, Expanded(body.box, kTreeMargin));
}

}  // namespace nowait
