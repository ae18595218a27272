#include "src/world/collide_stage.h"

#include <algorithm>
#include <cstddef>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/collision/collide.h"
#include "src/collision/time_of_impact.h"
#include "src/dynamics/contact_recycling.h"
#include "src/math/float_mode.h"
#include "src/profile/profile.h"
#include "src/world/ask_hook.h"
#include "src/world/continuous_stage.h"
#include "src/world/jobs_threw.h"

namespace nowait {

CollideStage::CollideStage(WorldState& state, const JointLinks& joints,
                           const KinematicStage& kinematics, const ContactStore& contacts)
    : state_(state),
      joints_(joints),
      kinematics_(kinematics),
      contacts_(contacts),
      batch_(kPieces + 1),
      sets_(state.def.max_bodies),
      awake_(state.def.max_bodies),
      awake_at_start_(state.def.max_bodies),
      pieces_(kPieces),
      // A pair is found at most twice: beyond this the store is certainly too small, and the step
      // will not happen.
      quota_(2 * state.def.max_contacts + 1) {
  slots_.reserve(state.def.max_bodies);  // so that listing them never fails
}

Result<void> CollideStage::Run(const Lookers& lookers, bool with_rebuild, TaskPool& pool) {
  const Result<void> done = OrNoMemory([&] { return RunRounds(lookers, with_rebuild, pool); });
  // The next run takes apart the links of a failed run as well.
  if (!done) awake_.List(slots_);
  return done;
}

void CollideStage::RebuildTree() {
  const ProfileScope profile("rebuild tree");
  const FloatModeScope float_mode;
  rebuilt_ = OrNoMemory([&] { return state_.tree->Rebuild(); });
}

Result<void> CollideStage::RunRounds(const Lookers& lookers, bool with_rebuild, TaskPool& pool) {
  Start(lookers.awake);
  looking_.assign(lookers.awake.begin(), lookers.awake.end());
  looking_.insert(looking_.end(), lookers.statics.begin(), lookers.statics.end());
  if (Result<void> done = Round(looking_, with_rebuild, pool); !done) return done;
  for (CollectWoken(); !woken_.empty(); CollectWoken()) {
    if (Result<void> done = Round(woken_, false, pool); !done) return done;
  }
  looking_.clear();
  for (const std::uint32_t slot : lookers.new_sleepers) {
    if (!awake_.Contains(slot)) looking_.push_back(slot);
  }
  if (!looking_.empty()) {
    if (Result<void> done = Round(looking_, false, pool); !done) return done;
  }
  Collect();
  return {};
}

void CollideStage::Start(std::span<const std::uint32_t> awake) {
  sets_.Reset(slots_);
  awake_.Clear();
  awake_at_start_.Clear();
  for (Piece& piece : pieces_) {
    piece.found.clear();
    piece.woken.clear();
    piece.find_stats = {};
    piece.pairs = 0;
    piece.recycled = 0;
    piece.ended = false;
  }
  quota_.Reset();
  for (const std::uint32_t slot : awake) {
    awake_.Add(slot);
    awake_at_start_.Add(slot);
  }
}

Result<void> CollideStage::Round(std::span<const std::uint32_t> slots, bool with_rebuild,
                                 TaskPool& pool) {
  const auto count = static_cast<std::uint32_t>(slots.size());
  const std::uint32_t grain = std::max(kSmallestPiece, (count + kPieces - 1) / kPieces);
  auto rebuild = [&] { RebuildTree(); };
  auto collide = [&](std::uint32_t from, std::uint32_t to) {
    const ProfileScope profile("narrow phase");
    const FloatModeScope float_mode;
    const BroadPhase::View view = state_.tree->Read();
    Piece& piece = pieces_[from / grain];
    for (std::uint32_t i = from; i < to && !piece.ended; ++i) CollideBody(slots[i], view, piece);
  };
  // The rebuild first: it is the longest job.
  Result<void> added;
  if (with_rebuild) added = batch_.Add(rebuild);
  if (added) added = batch_.AddLoop(count, grain, collide);
  NOWAIT_ASSERT(added.has_value(), "the batch has room for a rebuild and all pieces");
  if (const auto ran = batch_.Run(pool); !ran) return JobsThrew(ran.error());
  return {};
}

void CollideStage::CollideBody(std::uint32_t slot, const BroadPhase::View& view, Piece& piece) {
  const KinematicWay* way = kinematics_.WayOf(slot);
  const Bounds<3> reach =
      Expanded(way != nullptr ? way->covered : state_.bodies[slot].box, kContactMargin);
  const LooksAs as = AsWhat(slot);
  if (as == LooksAs::kAwake) LinkPartners(slot, piece);
  contacts_.Prefetch(slot);  // while the tree is asked
  view.QueryBox(
      reach,
      [&](ProxyId id) {
        const std::uint32_t other = id.slot();
        if (Mine(slot, as, other) && Overlaps(reach, state_.bodies[other].box)) {
          Test(slot, as, other, piece);
        }
        return !piece.ended;
      },
      state_.tree->collisions().PartnersOf(state_.bodies[slot].layer));
}

// All partners of an awake body are awake by now, and each of the two gets here.
void CollideStage::LinkPartners(std::uint32_t slot, Piece& piece) {
  for (const std::uint32_t partner : joints_.PartnersOf(slot)) {
    if (slot < partner) sets_.Union(slot, partner, &piece.find_stats);
  }
}

CollideStage::LooksAs CollideStage::AsWhat(std::uint32_t slot) const {
  if (!IsDynamic(state_.bodies.StateOf(slot))) return LooksAs::kStatic;
  return awake_.Contains(slot) ? LooksAs::kAwake : LooksAs::kAsleep;
}

bool CollideStage::Mine(std::uint32_t slot, LooksAs as, std::uint32_t other) const {
  if (slot == other) return false;
  const auto is_new = [&] { return state_.changes[other].Has(Change::kNew); };
  if (as == LooksAs::kStatic) {
    return state_.bodies.StateOf(other) == BodyState::kAsleep && !awake_at_start_.Contains(other) &&
           (state_.changes[slot].Has(Change::kMoved) || !is_new());
  }
  if (as == LooksAs::kAsleep) {
    if (!IsDynamic(state_.bodies.StateOf(other))) return true;
    return !awake_.Contains(other) && (!is_new() || slot < other);
  }
  const bool other_started = awake_at_start_.Contains(other);
  if (awake_at_start_.Contains(slot)) return !other_started || slot < other;
  return !other_started;
}

void CollideStage::Test(std::uint32_t slot, LooksAs as, std::uint32_t other, Piece& piece) {
  const Body& a = state_.bodies[std::min(slot, other)];
  const Body& b = state_.bodies[std::max(slot, other)];
  if (joints_.KeepsApart(a.id, b.id) || (a.sensor && b.sensor)) return;
  ++piece.pairs;
  const bool sensor = a.sensor || b.sensor;
  // In its place at once: it is hundreds of bytes.
  FoundContact& contact = piece.found.emplace_back();
  if (!Find(a, b, contact)) {
    piece.found.pop_back();
    if (as == LooksAs::kStatic && !sensor && WouldPass(slot, other) && awake_.Wake(other)) {
      piece.woken.push_back(other);
    }
    return;
  }
  if (!IsKept(a, b, contact)) {
    piece.found.pop_back();
    return;
  }
  if (!quota_.Take()) {
    piece.found.pop_back();
    piece.ended = true;
    return;
  }
  if (contact.recycled != nullptr) ++piece.recycled;
  if (sensor || as == LooksAs::kAsleep || !IsDynamic(state_.bodies.StateOf(other))) return;
  if (awake_.Wake(other)) piece.woken.push_back(other);
  if (as == LooksAs::kAwake) sets_.Union(slot, other, &piece.find_stats);
}

const Contact* CollideStage::Recycled(const Body& a, const Body& b) const {
  const auto keeps_points = [&](const Body& body) {
    const Changes changes = state_.changes[body.id.slot()];
    return !body.sensor && !changes.Has(Change::kDisturbed) && !changes.Has(Change::kNew);
  };
  if (!AreFaceted(a.shape, b.shape) || !keeps_points(a) || !keeps_points(b)) return nullptr;
  const Contact* const old = contacts_.Find(a.id, b.id);
  return old != nullptr && MayRecycle(*old, a, b) ? old : nullptr;
}

// Whether the two touch, and where.
bool CollideStage::Find(const Body& a, const Body& b, FoundContact& found) const {
  found.a = a.id;
  found.b = b.id;
  found.sensor = a.sensor || b.sensor;
  found.recycled = Recycled(a, b);
  if (found.recycled != nullptr) return true;
  Collide(Placed(a.shape, a.position, a.rotation), Placed(b.shape, b.position, b.rotation),
          kContactMargin, found.manifold);
  if (found.manifold.empty()) return false;
  found.origin = OriginOf(a, b, found.manifold.points());
  ShareMaterials(a, b, found.manifold.points());
  return true;
}

// Whether the world's hook, if there is one, lets the contact be.
bool CollideStage::IsKept(const Body& a, const Body& b, FoundContact& found) const {
  found.material = MaterialOf(a, b);
  if (!state_.def.contact_hook) return true;
  Manifold room;
  const std::span<const ContactPoint> points =
      found.recycled != nullptr ? PointsNow(*found.recycled, a, b, room) : found.manifold.points();
  return IsAccepted(state_, kinematics_, a, b, points, found.material);
}

bool CollideStage::WouldPass(std::uint32_t slot, std::uint32_t other) const {
  const KinematicWay* way = kinematics_.WayOf(slot);
  const Body& sleeper = state_.bodies[other];
  if (way == nullptr || way->length <= ContinuousStage::kSlowWay * sleeper.radii.inner) {
    return false;
  }
  const Body& body = state_.bodies[slot];
  const Mover resting{&sleeper.shape, sleeper.radii,
                      Sweep::AtRest(sleeper.position, sleeper.rotation)};
  const auto stop = TimeOfImpact(resting, {&body.shape, body.radii, way->sweep}, 1.0f);
  return stop && IsStopAccepted(state_, kinematics_, sleeper, body, resting.sweep, *stop);
}

void CollideStage::CollectWoken() {
  woken_.clear();
  for (Piece& piece : pieces_) {
    woken_.insert(woken_.end(), piece.woken.begin(), piece.woken.end());
    piece.woken.clear();
  }
  for (std::size_t i = 0; i < woken_.size(); ++i) {
    for (const std::uint32_t partner : joints_.PartnersOf(woken_[i])) {
      if (awake_.Wake(partner)) woken_.push_back(partner);
    }
  }
}

void CollideStage::Collect() {
  pairs_ = 0;
  recycled_ = 0;
  find_stats_ = {};
  sorted_.clear();
  for (const Piece& piece : pieces_) {
    pairs_ += piece.pairs;
    recycled_ += piece.recycled;
    find_stats_ += piece.find_stats;
    for (const FoundContact& contact : piece.found) sorted_.emplace_back(contact.key(), &contact);
  }
  // Equal keys have equal contacts, so it does not matter which one stays.
  std::sort(sorted_.begin(), sorted_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  found_.clear();
  for (const auto& [key, contact] : sorted_) {
    if (found_.empty() || found_.back()->key() != key) found_.push_back(contact);
  }
  awake_.List(slots_);
}

}  // namespace nowait
