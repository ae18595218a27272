// World::Save. It saves all that a step depends on: bodies, contacts with their impulses, joints,
// the game's changes since the last step, and the order in which slots are given away. The tree is
// left out: its form changes no result, and a restored world builds one.
#include <limits>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/math/hash.h"
#include "src/world/saved_world.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

SavedPlace ToSaved(const BodyPlace& place) { return {place.position, place.rotation}; }

void AddContact(const Contact& contact, std::vector<SavedContact>& contacts,
                std::vector<SavedPoint>& points) {
  contacts.push_back({ToSaved(contact.a), ToSaved(contact.b), ToSaved(contact.origin.a),
                      ToSaved(contact.origin.b), contact.manifold.count(), contact.friction,
                      contact.restitution, contact.rolling_length, contact.surface_velocity,
                      contact.sensor ? 1u : 0u, contact.rolling_impulse});
  for (std::uint32_t i = 0; i < contact.manifold.count(); ++i) {
    const ContactPoint& point = contact.manifold.points()[i];
    points.push_back({point.position, point.normal, point.separation, point.feature, point.friction,
                      point.restitution, point.material, contact.impulses[i].normal,
                      contact.impulses[i].friction});
  }
}

// Adds arrays to a blob, up to the first error.
class Adding {
 public:
  explicit Adding(BlobWriter& writer) : writer_(writer) {}

  template <class T>
  BlobArray<T> operator()(const std::vector<T>& values) {
    if (!done_) return {};
    const auto added = writer_.AddArray(std::span<const T>(values));
    if (!added) done_ = std::unexpected(added.error());
    return added.value_or(BlobArray<T>{});
  }
  SavedSlots operator()(const SlotOrder& slots) {
    return {(*this)(slots.generations), (*this)(slots.free), slots.end};
  }
  const Result<void>& done() const { return done_; }

 private:
  BlobWriter& writer_;
  Result<void> done_;
};

}  // namespace

SavedDef ToSaved(const WorldDef& def, const CollisionMatrix& collisions, std::size_t layers) {
  Hash touch;
  for (std::size_t a = 0; a < layers; ++a) {
    for (std::size_t b = 0; b < layers; ++b) {
      touch.AddByte(collisions.Touch(static_cast<Layer>(a), static_cast<Layer>(b)) ? 1 : 0);
    }
  }
  const SolverDef& solver = def.solver;
  return {
      .max_bodies = def.max_bodies,
      .max_contacts = def.max_contacts,
      .max_joints = def.max_joints,
      .substeps = solver.substeps,
      .layers = static_cast<std::uint32_t>(layers),
      .layers_touch = static_cast<std::uint32_t>(touch.value()),
      .gravity = def.gravity,
      .rest = {def.rest.time, def.rest.linear_speed, def.rest.angular_speed},
      .solver = {solver.contact_hertz, solver.contact_damping_ratio, solver.joint_hertz,
                 solver.joint_damping_ratio, solver.max_push_speed, solver.slop,
                 solver.restitution_threshold, solver.max_linear_speed, solver.max_angular_speed}};
}

Result<std::vector<std::byte>> World::Save(std::span<const Shape> shared) const {
  const WorldState& state = parts_->state;
  WaitTime wait;
  state.SettleBatches(wait);
  const PhaseScope phase(state.phases, Op::kCollide);  // as ReadNoLock: no thread changes anything
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    const BodyStorage& storage = state.bodies;
    if (const std::uint32_t reserved = storage.reserved(); reserved != 0) {
      return Fail(ErrorCode::kInvalidArgument, "batch", reserved,
                  "bodies of a batch that is neither finalised nor given back");
    }
    std::vector<SavedBody> bodies;
    for (std::uint32_t slot = 0; slot < storage.end(); ++slot) {
      if (storage.InstalledState(slot) == BodyState::kVacant) continue;
      const Body& body = storage[slot];
      const Result<SavedBody> one = ToSaved(body, storage.StateOf(slot), shared);
      if (!one) return std::unexpected(one.error());
      bodies.push_back(*one);
    }
    std::vector<SavedContact> contacts;
    std::vector<SavedPoint> points;
    const ContactStore& store = parts_->update.contacts();
    for (const ContactStore::Entry& entry : store.entries()) {
      AddContact(store[entry.index], contacts, points);
    }
    std::vector<SavedJoint> joints;
    std::vector<SavedAxis> axes;
    for (std::uint32_t slot = 0; slot < state.joints.end(); ++slot) {
      if (state.joints.Has(slot)) joints.push_back(ToSaved(state.joints[slot], axes));
    }
    std::vector<std::uint32_t> changes;
    for (const Changes of : state.changes) changes.push_back(of.bits());

    BlobWriter writer(kSavedWorldKind, kSavedWorldVersion,
                      std::numeric_limits<std::uint32_t>::max());
    SavedWorld saved{};
    const auto at = writer.Add(saved);
    if (!at) return std::unexpected(at.error());
    Adding add(writer);
    saved.def = ToSaved(state.def, state.tree->collisions(), state.tree->layer_count());
    saved.bodies = add(bodies);
    saved.contacts = add(contacts);
    saved.points = add(points);
    saved.joints = add(joints);
    saved.axes = add(axes);
    saved.body_slots = add(storage.slot_order());
    saved.joint_slots = add(state.joints.slot_order());
    saved.changes = add(changes);
    if (!add.done()) return std::unexpected(add.done().error());
    writer.Set(*at, saved);
    return writer.Finish();
  });
}

}  // namespace nowait
