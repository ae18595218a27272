#include "src/world/continuous_stage.h"

#include <algorithm>

#include "src/base/assert.h"
#include "src/broadphase/shape_probes.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/ask_hook.h"
#include "src/world/jobs_threw.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBulletsAtATime = 8;
constexpr std::uint32_t kJobs = 64;

Mover MoverOf(const Body& body, const Sweep& way) { return {&body.shape, body.radii, way}; }

}  // namespace

ContinuousStage::ContinuousStage(WorldState& state, const KinematicStage& kinematics)
    : state_(state), kinematics_(kinematics), batch_(kJobs) {}

void ContinuousStage::Begin(std::span<const std::uint32_t> slot_at, const JointLinks& joints) {
  slot_at_ = slot_at;
  joints_ = &joints;
  motions_.resize(slot_at.size());
  sweeps_.resize(slot_at.size());
  bullets_.reserve(slot_at.size());
  meetings_.reserve(slot_at.size());
  bullet_stops_.clear();
  bullet_stops_.reserve(2 * slot_at.size());
}

ContinuousStage::Way ContinuousStage::StopAtStatics(std::uint32_t place, const Body& body,
                                                    const SolverBody& solved) {
  const Sweep whole{body.position, body.position + solved.moved, body.rotation, solved.rotation};
  const float way = Length(solved.moved) + Length(solved.turned) * body.radii.reach;
  // False for a way that is not a number, too.
  const bool is_fast =
      way > kSlowWay * body.radii.inner || kinematics_.MayPass(body.box, body.radii.inner, way);
  if (!is_fast || body.continuous == Continuous::kOff || body.sensor) {
    motions_[place] = {Pace::kSlow, false};
    return {whole, {}};
  }
  // The layer of moving bodies without one of their own has no static ones.
  LayerSet layers = state_.tree->collisions().PartnersOf(body.layer);
  if (!kinematics_.any()) layers.Drop(Layer::kDynamic);
  const auto if_fixed = [&](std::uint32_t slot, Mover& mover) {
    if (IsDynamic(state_.bodies.StateOf(slot))) return false;
    const Body& other = state_.bodies[slot];
    mover = MoverOf(other, kinematics_.SweepOf(other));
    return true;
  };
  auto [stop, slot] = FirstStop(body, whole, 0.0f, layers, if_fixed);
  motions_[place] = {body.continuous == Continuous::kAll ? Pace::kBullet : Pace::kFast,
                     stop.fraction < 1.0f};
  sweeps_[place] = whole.UpTo(stop.fraction);
  const KinematicWay* by = stop.fraction < 1.0f ? kinematics_.WayOf(slot) : nullptr;
  if (by != nullptr) {
    sweeps_[place] = Carried(body, sweeps_[place], *by, stop.fraction, layers);
    stop.wedged = false;  // its speed is measured against a body that stands
  }
  return {sweeps_[place], stop};
}

Sweep ContinuousStage::Carried(const Body& body, const Sweep& stopped, const KinematicWay& by,
                               float fraction, LayerSet layers) const {
  const Quat turn = by.sweep.end_rotation * Conjugate(by.sweep.RotationAt(fraction));
  const Vec3 place = by.sweep.end + Rotate(turn, stopped.end - by.sweep.PositionAt(fraction));
  const Sweep rest{stopped.end, place, stopped.end_rotation, stopped.end_rotation};
  const auto if_static = [&](std::uint32_t slot, Mover& mover) {
    if (state_.bodies.StateOf(slot) != BodyState::kStatic) return false;
    const Body& other = state_.bodies[slot];
    mover = MoverOf(other, Sweep::AtRest(other.position, other.rotation));
    return true;
  };
  layers.Drop(Layer::kDynamic);
  const float gone = FirstStop(body, rest, 0.0f, layers, if_static).stop.fraction;
  return {stopped.start, rest.PositionAt(gone), stopped.start_rotation, stopped.end_rotation};
}

template <class OtherOf>
ContinuousStage::Meeting ContinuousStage::FirstStop(const Body& body, const Sweep& way, float wider,
                                                    LayerSet layers, OtherOf other_of) const {
  const Mover mover = MoverOf(body, way);
  const Vec3 translation = way.end - way.start;
  // Room for the rounding of the box.
  const float half = body.radii.outer * 1.001f + (wider + 2 * kStopDistance);
  SweptBoxProbe<3> probe(Ray<3>{{way.start.x, way.start.y, way.start.z},
                                {translation.x, translation.y, translation.z},
                                1.0f},
                         {half, half, half});
  Meeting first;
  const auto meet = [&](ProxyId proxy) {
    const std::uint32_t slot = proxy.slot();
    Mover other;
    if (slot == body.id.slot() || !other_of(slot, other)) return true;
    const Body& met = state_.bodies[slot];
    if (met.sensor || joints_->KeepsApart(body.id, met.id)) return true;
    // On the whole way, even if an earlier stop is known: a stop of the full shape is looked for
    // only where the shrunken one touches, and that may be later than the earlier stop.
    const auto stop = TimeOfImpact(mover, other, 1.0f);
    if (!stop || stop->fraction > first.stop.fraction) return true;
    if (!IsStopAccepted(state_, kinematics_, body, met, way, *stop)) return true;
    // Of two at the same moment the one with the lower slot, whatever the order.
    if (stop->fraction == first.stop.fraction && slot > first.slot) return true;
    first = {*stop, slot};
    // A body that moves itself may be met before its box is.
    if (wider == 0.0f) probe.set_max_fraction(stop->fraction);
    return true;
  };
  state_.tree->Read().Query(probe, meet, layers);
  return first;
}

Result<void> ContinuousStage::StopBullets(const AwakeSet<>& awake,
                                          std::span<const std::uint32_t> place_of, TaskPool& pool) {
  ListBullets();
  if (bullets_.empty()) return {};
  auto find = [&](std::uint32_t begin, std::uint32_t end) {
    const ProfileScope profile("stop bullets");
    const FloatModeScope float_mode;
    for (std::uint32_t i = begin; i < end; ++i) {
      meetings_[i] = MeetingOfBullet(bullets_[i], awake, place_of);
    }
  };
  const auto count = static_cast<std::uint32_t>(bullets_.size());
  const Result<void> added = batch_.AddLoop(count, kBulletsAtATime, find);
  NOWAIT_ASSERT(added.has_value(), "an empty batch has room for a loop");
  if (const auto ran = batch_.Run(pool); !ran) return JobsThrew(ran.error());
  ListBulletStops(awake, place_of);
  return {};
}

void ContinuousStage::ListBulletStops(const AwakeSet<>& awake,
                                      std::span<const std::uint32_t> place_of) {
  for (std::size_t i = 0; i < bullets_.size(); ++i) {
    const auto& [stop, slot] = meetings_[i];
    if (stop.fraction >= 1.0f) continue;
    bullet_stops_.push_back({bullets_[i], stop});
    const bool is_fast = awake.Contains(slot) && motions_[place_of[slot]].pace == Pace::kFast;
    if (is_fast) bullet_stops_.push_back({place_of[slot], {stop.fraction, false, {}}});
  }
  // Several bullets may meet one body.
  std::ranges::sort(bullet_stops_, [](const BulletStop& a, const BulletStop& b) {
    return a.place != b.place ? a.place < b.place : a.stop.fraction < b.stop.fraction;
  });
  const auto again = std::ranges::unique(bullet_stops_, {}, &BulletStop::place);
  bullet_stops_.erase(again.begin(), again.end());
  for (const BulletStop& of : bullet_stops_) {
    if (!motions_[of.place].stopped) ++stopped_;
  }
}

void ContinuousStage::ListBullets() {
  fast_ = 0;
  stopped_ = 0;
  widest_ = 0.0f;
  bullets_.clear();
  for (std::uint32_t place = 0; place < motions_.size(); ++place) {
    const Motion motion = motions_[place];
    if (motion.pace == Pace::kSlow) continue;
    ++fast_;
    if (motion.stopped) ++stopped_;
    widest_ = std::max(widest_, state_.bodies[slot_at_[place]].radii.outer);
    if (motion.pace == Pace::kBullet) bullets_.push_back(place);
  }
  meetings_.resize(bullets_.size());
}

// The tree's box of a body that has moved contains the places where it was and where it is. While
// it turns between them, it may reach out of both by its radius.
ContinuousStage::Meeting ContinuousStage::MeetingOfBullet(
    std::uint32_t place, const AwakeSet<>& awake, std::span<const std::uint32_t> place_of) const {
  const Body& body = state_.bodies[slot_at_[place]];
  const LayerSet layers = state_.tree->collisions().PartnersOf(body.layer);
  return FirstStop(body, sweeps_[place], widest_, layers, [&](std::uint32_t slot, Mover& mover) {
    if (!IsDynamic(state_.bodies.StateOf(slot))) return false;
    const Body& other = state_.bodies[slot];
    const bool is_fast = awake.Contains(slot) && motions_[place_of[slot]].pace != Pace::kSlow;
    mover = MoverOf(
        other, is_fast ? sweeps_[place_of[slot]] : Sweep::AtRest(other.position, other.rotation));
    return true;
  });
}

}  // namespace nowait
