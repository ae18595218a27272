// World::Restore. A blob comes from outside: each value that a step or a query relies on is checked
// before the first part of the world is replaced, and the replacing cannot fail.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/dynamics/contact_recycling.h"
#include "src/math/float_mode.h"
#include "src/world/check_field.h"
#include "src/world/make_joint.h"
#include "src/world/saved_world.h"
#include "src/world/world.h"
#include "src/world/world_layers.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

constexpr float kMostImpulse = 1e30f;
constexpr float kMostOfPair = 1e6f;  // a point's factor of the pair's friction, and its rounding

std::unexpected<Error> Wrong(const char* what, std::uint32_t which, const char* field) {
  return Fail(ErrorCode::kCorrupt, what, which, field);
}

std::unexpected<Error> AnotherDef(const char* field) {
  return Fail(ErrorCode::kInvalidArgument, field, 0, "the saved world had another one");
}

Result<void> CheckDef(const SavedDef& saved, const SavedDef& own) {
  const struct {
    const char* name;
    bool same;
  } fields[] = {
      {"max_bodies", saved.max_bodies == own.max_bodies},
      {"max_contacts", saved.max_contacts == own.max_contacts},
      {"max_joints", saved.max_joints == own.max_joints},
      {"user_layers", saved.layers == own.layers && saved.layers_touch == own.layers_touch},
      {"gravity", saved.gravity == own.gravity},
      {"rest", saved.rest == own.rest},
      {"solver", saved.substeps == own.substeps && saved.solver == own.solver}};
  for (const auto& [name, same] : fields) {
    if (!same) return AnotherDef(name);
  }
  return {};
}

// Takes the points of the contact off the front of `points`.
Result<Contact> FromSaved(const SavedContact& saved, std::span<const SavedPoint>& points,
                          std::uint32_t which, std::uint32_t world) {
  const auto wrong = [&](const char* field) { return Wrong("saved contact", which, field); };
  if (saved.points == 0 || saved.points > Manifold::kMaxPoints || saved.points > points.size()) {
    return wrong("points");
  }
  const ContactMaterial material{saved.friction, saved.restitution, saved.rolling_length,
                                 saved.surface_velocity};
  if (!IsPossible(material)) return wrong("material");
  if (saved.sensor > 1) return wrong("sensor");
  if (!Within(saved.rolling_impulse, kMostImpulse)) return wrong("impulse");
  Contact contact;
  contact.a = BodyId(world, saved.a.slot, saved.a.generation);
  contact.b = BodyId(world, saved.b.slot, saved.b.generation);
  contact.Take(material);
  contact.sensor = saved.sensor != 0;
  contact.rolling_impulse = saved.rolling_impulse;
  contact.origin.a = {saved.origin_a.position, saved.origin_a.rotation};
  contact.origin.b = {saved.origin_b.position, saved.origin_b.rotation};
  for (const BodyPlace& place : {contact.origin.a, contact.origin.b}) {
    if (!Within(place.position, kFarthestSaved) || !IsUnit(place.rotation)) return wrong("origin");
  }
  for (std::uint32_t i = 0; i < saved.points; ++i) {
    const SavedPoint& point = points[i];
    if (!Within(point.position, kFarthestSaved)) return wrong("position");
    if (!Within(LengthSquared(point.normal), 0.99f, 1.01f)) return wrong("normal");
    if (!Within(point.separation, -kFarthestSaved, kFarthestSaved)) return wrong("separation");
    if (!Within(point.impulse, 0.0f, kMostImpulse) ||
        !Within(point.friction_impulse, kMostImpulse)) {
      return wrong("impulse");
    }
    if (!Within(point.friction, 0.0f, kMostOfPair) || !Within(point.restitution, 0.0f, 1.0f) ||
        point.material > std::numeric_limits<std::uint8_t>::max()) {
      return wrong("point material");
    }
    contact.manifold.Add({point.position, point.normal, point.separation, point.feature,
                          point.friction, point.restitution,
                          static_cast<std::uint8_t>(point.material)});
    contact.impulses[i] = {point.impulse, point.friction_impulse};
  }
  contact.origin.separation = LeastSeparation(contact.manifold.points());
  points = points.subspan(saved.points);
  return contact;
}

// Each slot is free or has one of the `used`, which ascend.
bool Fit(const SlotOrder& slots, std::span<const SavedId> used, std::uint32_t capacity) {
  if (slots.generations.size() != capacity || slots.end > capacity) return false;
  if (slots.free.size() + used.size() != capacity) return false;
  std::vector<bool> seen(capacity, false);
  for (const std::uint32_t slot : slots.free) {
    if (slot >= capacity || seen[slot]) return false;
    seen[slot] = true;
  }
  for (const SavedId id : used) {
    if (id.slot >= slots.end || seen[id.slot]) return false;
    if (slots.generations[id.slot] != id.generation + 1) return false;
    seen[id.slot] = true;
  }
  return true;
}

Result<SlotOrder> FromSaved(const Blob& blob, const SavedSlots& saved) {
  const auto generations = blob.Get(saved.generations);
  if (!generations) return std::unexpected(generations.error());
  const auto free = blob.Get(saved.free);
  if (!free) return std::unexpected(free.error());
  return SlotOrder{
      {generations->begin(), generations->end()}, {free->begin(), free->end()}, saved.end};
}

template <class Saved>
std::vector<SavedId> IdsOf(std::span<const Saved> all) {
  std::vector<SavedId> ids;
  for (const Saved& one : all) ids.push_back(one.id);
  return ids;
}

// Everything that replaces the parts of a world.
class Restored {
 public:
  Restored(const WorldState& state, std::span<const Shape> shared)
      : state_(state), shared_(shared) {}

  Result<void> Read(std::span<const std::byte> bytes) {
    const Result<Blob> blob = Blob::Open(bytes);
    if (!blob) return std::unexpected(blob.error());
    if (auto fits = blob->Expect(kSavedWorldKind, kSavedWorldVersion); !fits) return fits;
    const auto saved = blob->First<SavedWorld>();
    if (!saved) return std::unexpected(saved.error());
    const auto own = ToSaved(state_.def, state_.tree->collisions(), state_.tree->layer_count());
    if (auto same = CheckDef((*saved)->def, own); !same) return same;
    if (auto read = ReadBodies(*blob, **saved); !read) return read;
    if (auto read = ReadContacts(*blob, **saved); !read) return read;
    if (auto read = ReadJoints(*blob, **saved); !read) return read;
    if (auto read = ReadChanges(*blob, **saved); !read) return read;
    return MakeTree();
  }

  std::vector<std::pair<Body, BodyState>> bodies;
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
  SlotOrder body_slots, joint_slots;
  std::vector<Changes> changes;
  std::unique_ptr<BroadPhase> tree;

 private:
  std::uint32_t world() const { return state_.bodies.world(); }

  Result<void> ReadBodies(const Blob& blob, const SavedWorld& saved) {
    const auto all = blob.Get(saved.bodies);
    if (!all) return std::unexpected(all.error());
    Result<SlotOrder> slots = FromSaved(blob, saved.body_slots);
    if (!slots) return std::unexpected(slots.error());
    if (!Fit(*slots, IdsOf(*all), state_.def.max_bodies)) return Wrong("saved bodies", 0, "slots");
    body_slots = std::move(*slots);
    at_.assign(state_.def.max_bodies, ~std::uint32_t{0});
    for (const SavedBody& one : *all) {
      const auto body = FromSaved(one, shared_, world(), state_.tree->layer_count());
      if (!body) return std::unexpected(body.error());
      at_[one.id.slot] = static_cast<std::uint32_t>(bodies.size());
      bodies.push_back(*body);
    }
    return {};
  }

  Result<void> ReadContacts(const Blob& blob, const SavedWorld& saved) {
    const auto all = blob.Get(saved.contacts);
    if (!all) return std::unexpected(all.error());
    const auto points = blob.Get(saved.points);
    if (!points) return std::unexpected(points.error());
    if (all->size() > state_.def.max_contacts) return Wrong("saved contacts", 0, "number");
    std::span<const SavedPoint> rest = *points;
    for (const SavedContact& one : *all) {
      const auto which = static_cast<std::uint32_t>(contacts.size());
      const Result<Contact> contact = FromSaved(one, rest, which, world());
      if (!contact) return std::unexpected(contact.error());
      const bool ascends = contacts.empty() || PairKey(contacts.back().a, contacts.back().b) <
                                                   PairKey(contact->a, contact->b);
      if (one.b.slot >= state_.def.max_bodies || one.a.slot >= one.b.slot || !ascends) {
        return Wrong("saved contact", which, "bodies");
      }
      if (IsOfOtherKind(*contact)) return Wrong("saved contact", which, "sensor");
      contacts.push_back(*contact);
    }
    return {};
  }

  // Whether its bodies say that it is none of a sensor, or that it is one. Those of bodies that are
  // gone end in the next step.
  bool IsOfOtherKind(const Contact& contact) const {
    const Body* const a = Find(contact.a);
    const Body* const b = Find(contact.b);
    return a != nullptr && b != nullptr && contact.sensor != (a->sensor || b->sensor);
  }
  const Body* Find(BodyId id) const {
    const std::uint32_t at = at_[id.slot()];
    return at < bodies.size() && bodies[at].first.id == id ? &bodies[at].first : nullptr;
  }

  Result<void> ReadJoints(const Blob& blob, const SavedWorld& saved) {
    const auto all = blob.Get(saved.joints);
    if (!all) return std::unexpected(all.error());
    Result<SlotOrder> slots = FromSaved(blob, saved.joint_slots);
    if (!slots) return std::unexpected(slots.error());
    if (!Fit(*slots, IdsOf(*all), state_.def.max_joints)) return Wrong("saved joints", 0, "slots");
    joint_slots = std::move(*slots);
    const auto axes = blob.Get(saved.axes);
    if (!axes) return std::unexpected(axes.error());
    std::span<const SavedAxis> rest = *axes;
    for (const SavedJoint& one : *all) {
      // A body that is gone has a slot nevertheless.
      if (one.a.slot >= state_.def.max_bodies || one.b.slot >= state_.def.max_bodies) {
        return Wrong("saved joint", one.id.slot, "bodies");
      }
      const std::uint32_t most = state_.def.max_joints;
      if (one.first.slot >= most || one.second.slot >= most) {
        return Wrong("saved joint", one.id.slot, "partners");
      }
      const Result<Joint> joint = nowait::FromSaved(one, rest, world());
      if (!joint) return std::unexpected(joint.error());
      joints.push_back(*joint);
    }
    return CheckGears();
  }

  // A joint that is gone ends its gear in the next step.
  Result<void> CheckGears() const {
    const auto find = [&](JointId id) {
      const auto at = std::ranges::lower_bound(joints, id.slot(), {},
                                               [](const Joint& joint) { return joint.id.slot(); });
      return at != joints.end() && at->id == id ? &*at : nullptr;
    };
    for (const Joint& joint : joints) {
      const auto* gear = std::get_if<GearJoint>(&joint.def.kind);
      if (gear == nullptr) continue;
      const auto valid = ValidateGear(joint.def, find(gear->first), find(gear->second));
      if (!valid) return Wrong("saved joint", joint.id.slot(), valid.error().subject);
      if (IsStatic(joint.def.a) || IsStatic(joint.def.b)) {
        return Wrong("saved joint", joint.id.slot(), "bodies");
      }
    }
    return {};
  }
  // A wheel that was dynamic may have become kinematic since.
  bool IsStatic(BodyId id) const {
    const Body* const body = Find(id);
    return body != nullptr && body->type == BodyType::kStatic;
  }

  Result<void> ReadChanges(const Blob& blob, const SavedWorld& saved) {
    const auto all = blob.Get(saved.changes);
    if (!all) return std::unexpected(all.error());
    if (all->size() != state_.def.max_bodies) return Wrong("saved changes", 0, "number");
    for (const std::uint32_t bits : *all) {
      if (bits > Changes::kAll) return Wrong("saved changes", bits, "bits");
      changes.push_back(Changes::FromBits(static_cast<std::uint8_t>(bits)));
    }
    for (const auto& [body, state] : bodies) {
      const std::uint32_t slot = body.id.slot();
      if (!changes[slot].Has(Change::kMass) && body.old_inverse_mass != 0.0f) {
        return Wrong("saved body", slot, "old mass");
      }
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (!HasBodies(contacts[i])) return Wrong("saved contact", i, "bodies");
    }
    return {};
  }
  // Whether both bodies exist and one is dynamic, or a change makes the next step look at them.
  bool HasBodies(const Contact& contact) const {
    const Body* const a = Find(contact.a);
    const Body* const b = Find(contact.b);
    const bool both = a != nullptr && b != nullptr;
    return (both && (a->type == BodyType::kDynamic || b->type == BodyType::kDynamic)) ||
           changes[contact.a.slot()].any() || changes[contact.b.slot()].any();
  }

  Result<void> MakeTree() {
    const Result<BroadPhaseDef> trees = TreesOf(state_.def);
    if (!trees) return std::unexpected(trees.error());
    auto made = BroadPhase::Create(*trees);
    if (!made) return std::unexpected(made.error());
    tree = std::move(*made);
    std::array<std::vector<BroadPhase::Entry>, kMaxLayers> entries;
    for (const auto& [body, state] : bodies) {
      entries[IndexOf(body.layer)].push_back({body.id.proxy(), body.tree_box});
    }
    for (std::size_t i = 0; i < tree->layer_count(); ++i) {
      if (entries[i].empty()) continue;
      auto prepared = tree->Prepare(static_cast<Layer>(i), entries[i]);
      if (!prepared) return std::unexpected(prepared.error());
      tree->Finalise(std::move(*prepared));
    }
    return {};
  }

  const WorldState& state_;
  const std::span<const Shape> shared_;
  std::vector<std::uint32_t> at_;  // by slot: where its body stands in `bodies`
};

}  // namespace

Result<void> World::Restore(std::span<const std::byte> saved, std::span<const Shape> shared) {
  WorldState& state = parts_->state;
  {
    WaitTime wait;
    state.SettleBatches(wait);
  }
  const PhaseScope phase(state.phases, Op::kSolve);  // no thread queries a tree that goes, either
  if (const std::uint32_t reserved = state.bodies.reserved(); reserved != 0) {
    return Fail(ErrorCode::kInvalidArgument, "batch", reserved,
                "bodies of a batch that is neither finalised nor given back");
  }
  const FloatModeScope float_mode;
  Restored restored(state, shared);
  if (auto read = OrNoMemory([&] { return restored.Read(saved); }); !read) return read;
  // Beyond those that changes of a body have counted since the restoring before.
  state.restored_form += 1u << 16;
  for (auto& [body, of_body] : restored.bodies) body.form = state.restored_form;
  state.bodies.Restore(restored.bodies, restored.body_slots);
  state.joints.Restore(restored.joints, restored.joint_slots);
  state.changes = std::move(restored.changes);
  state.tree = std::move(restored.tree);
  parts_->update.Restore(restored.contacts);
  return {};
}

}  // namespace nowait
