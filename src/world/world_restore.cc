// World::Restore. A blob comes from outside: each value that a step or a query relies on is checked
// before the first part of the world is replaced, and the replacing cannot fail.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/bodies/combine_rule.h"
#include "src/collision/shape_geometry.h"
#include "src/dynamics/contact_recycling.h"
#include "src/dynamics/solver_body.h"
#include "src/math/float_mode.h"
#include "src/world/check_field.h"
#include "src/world/make_body.h"
#include "src/world/make_joint.h"
#include "src/world/saved_world.h"
#include "src/world/world.h"
#include "src/world/world_layers.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

constexpr float kFastest = 1.01e4f;  // the largest limit of speed, and its rounding
constexpr float kFarthest = 1e12f;   // where a body may get by its own speed
constexpr float kMostImpulse = 1e30f;
constexpr float kMostOfPair = 1e6f;  // a point's factor of the pair's friction, and its rounding
constexpr float kMostAcceleration = 1.01e8f;  // by the game's forces, and its rounding
// The body may have turned since, and its moments may differ by a lot.
constexpr float kMostTurning = 1e34f;

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

Result<Shape> ShapeOf(const SavedBody& saved, std::span<const Shape> shared) {
  const SavedShape& from = saved.shape;
  if (from.kind >= kShapeKinds) return Wrong("saved body", saved.id.slot, "shape kind");
  const auto kind = static_cast<ShapeKind>(from.kind);
  if (from.shared == SavedShape::kOwn) {
    Shape shape{.kind = kind};
    if (kind == ShapeKind::kPlane) {
      shape.normal = from.half;
      shape.distance = from.radius;
    } else {
      shape.radius = from.radius;
      shape.half_height = from.half_height;
      shape.half = from.half;
    }
    if (const auto valid = Validate(shape); !valid) {
      return Wrong("saved body", saved.id.slot, valid.error().subject);
    }
    return WithOwnFields(shape);
  }
  if (from.shared >= shared.size() || shared[from.shared].kind != kind ||
      !Validate(shared[from.shared])) {
    return Fail(ErrorCode::kInvalidArgument, "shared", from.shared,
                "a body has another shape than this one of the list");
  }
  return WithOwnFields(shared[from.shared]);
}

bool FitTogether(BodyType type, BodyState state) {
  switch (type) {
    case BodyType::kStatic:
      return state == BodyState::kStatic;
    case BodyType::kDynamic:
      return IsDynamic(state);
    case BodyType::kKinematic:
      return state == BodyState::kKinematic;
  }
  return false;
}

// The bodies of all definitions are within these, also compounds of 256 children.
bool IsMass(float inverse) { return Within(inverse, 1e-26f, 1e16f); }
bool IsInertia(float inverse) { return Within(inverse, 1e-35f, 1e22f); }

// The field that no body has, or null. body: made from `saved`, but for its id.
const char* WrongField(const SavedBody& saved, const Body& body, BodyState state) {
  const bool moves = body.type == BodyType::kDynamic;
  if (!FitTogether(body.type, state)) return "state";
  // Layers without a name of the game's go by the type.
  const bool is_static = body.type == BodyType::kStatic;
  if (body.layer == (is_static ? Layer::kDynamic : Layer::kStatic)) return "layer";
  if (body.type != BodyType::kStatic && IsSurface(body.shape)) return "type";
  if (!Within(body.position, kFarthest)) return "position";
  if (!ValidatePlace(body.shape, {}, body.rotation)) return "rotation";
  if (!Within(body.linear_velocity, kFastest) || !Within(body.angular_velocity, kFastest)) {
    return "velocity";
  }
  const Vec3 inertia = body.inverse_inertia;
  if (moves && !(IsMass(body.inverse_mass) && IsInertia(inertia.x) && IsInertia(inertia.y) &&
                 IsInertia(inertia.z))) {
    return "mass";
  }
  if (!moves && (body.inverse_mass != 0.0f || inertia != Vec3{})) return "mass";
  if (!body.tree_box.IsUsable() || !Contains(body.tree_box, body.box)) return "tree_box";
  if (!Within(body.rest_position, kFarthest) || !IsFinite(body.rest_rotation) ||
      !Within(body.rest_time, 0.0f, 1e9f)) {
    return "rest";
  }
  const bool to_target = (saved.flags & SavedBody::kHasTarget) != 0;
  if (to_target && (body.type != BodyType::kKinematic ||
                    !ValidatePlace(body.shape, body.target_position, body.target_rotation))) {
    return "target";
  }
  if (!moves && (body.force != Vec3{} || body.torque != Vec3{})) return "force";
  if (!Within(body.force * body.inverse_mass, kMostAcceleration)) return "force";
  if (!Within(InverseInertiaOf(body) * body.torque, kMostTurning)) return "torque";
  return nullptr;
}

Result<std::pair<Body, BodyState>> FromSaved(const SavedBody& saved, std::span<const Shape> shared,
                                             std::uint32_t world, std::size_t layers) {
  const std::uint32_t slot = saved.id.slot;
  const auto wrong = [&](const char* field) { return Wrong("saved body", slot, field); };
  if (saved.type > static_cast<std::uint32_t>(BodyType::kKinematic)) return wrong("type");
  if (saved.state > static_cast<std::uint32_t>(BodyState::kKinematic)) return wrong("state");
  if (saved.layer >= layers) return wrong("layer");
  if (saved.flags > SavedBody::kAllFlags) return wrong("flags");
  if (saved.sensor > 1) return wrong("sensor");
  if (saved.friction_rule >= kCombineRules) return wrong("friction_rule");
  if (saved.restitution_rule >= kCombineRules) return wrong("restitution_rule");
  if (saved.continuous > static_cast<std::uint32_t>(Continuous::kAll)) return wrong("continuous");
  const Result<Shape> shape = ShapeOf(saved, shared);
  if (!shape) return std::unexpected(shape.error());
  BodyDef numbers;
  numbers.density = saved.density;
  numbers.friction = saved.friction;
  numbers.restitution = saved.restitution;
  numbers.friction_rule = static_cast<CombineRule>(saved.friction_rule);
  numbers.restitution_rule = static_cast<CombineRule>(saved.restitution_rule);
  numbers.surface_velocity = saved.surface_velocity;
  numbers.rolling_resistance = saved.rolling_resistance;
  numbers.linear_damping = saved.linear_damping;
  numbers.angular_damping = saved.angular_damping;
  numbers.gravity_scale = saved.gravity_scale;
  numbers.continuous = static_cast<Continuous>(saved.continuous);
  if (const auto valid = ValidateNumbers(numbers); !valid) return wrong(valid.error().subject);

  Body body;
  body.id = BodyId(world, slot, saved.id.generation);
  body.type = static_cast<BodyType>(saved.type);
  body.may_sleep = (saved.flags & SavedBody::kMaySleep) != 0;
  body.layer = static_cast<Layer>(saved.layer);
  body.shape = *shape;
  body.radii = RadiiOf(*shape);
  body.position = saved.position;
  body.rotation = saved.rotation;
  body.linear_velocity = saved.linear_velocity;
  body.angular_velocity = saved.angular_velocity;
  body.inverse_mass = saved.inverse_mass;
  body.inverse_inertia = saved.inverse_inertia;
  body.friction = saved.friction;
  body.restitution = saved.restitution;
  body.friction_rule = numbers.friction_rule;
  body.restitution_rule = numbers.restitution_rule;
  body.surface_velocity = saved.surface_velocity;
  body.sensor = saved.sensor != 0;
  body.rolling_resistance = saved.rolling_resistance;
  body.linear_damping = saved.linear_damping;
  body.angular_damping = saved.angular_damping;
  body.gravity_scale = saved.gravity_scale;
  body.continuous = numbers.continuous;
  body.tree_box = saved.tree_box;
  body.rest_position = saved.rest_position;
  body.rest_rotation = saved.rest_rotation;
  body.rest_time = saved.rest_time;
  body.island = saved.island;
  body.user = saved.user;
  body.has_target = (saved.flags & SavedBody::kHasTarget) != 0;
  body.target_position = saved.target_position;
  body.target_rotation = saved.target_rotation;
  body.force = saved.force;
  body.torque = saved.torque;
  body.no_turn = {.x = (saved.flags & SavedBody::kNoTurnX) != 0,
                  .y = (saved.flags & SavedBody::kNoTurnY) != 0,
                  .z = (saved.flags & SavedBody::kNoTurnZ) != 0};
  body.density = saved.density;
  // Where the body is first: its box is computed from that.
  if (!Within(body.position, kFarthest)) return wrong("position");
  if (!IsUnit(body.rotation)) return wrong("rotation");
  body.box = BoundsOf(body.shape, body.position, body.rotation);
  const auto state = static_cast<BodyState>(saved.state);
  if (const char* field = WrongField(saved, body, state)) return wrong(field);
  return std::pair(body, state);
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
    if (!Within(place.position, kFarthest) || !IsUnit(place.rotation)) return wrong("origin");
  }
  for (std::uint32_t i = 0; i < saved.points; ++i) {
    const SavedPoint& point = points[i];
    if (!Within(point.position, kFarthest)) return wrong("position");
    if (!Within(LengthSquared(point.normal), 0.99f, 1.01f)) return wrong("normal");
    if (!Within(point.separation, -kFarthest, kFarthest)) return wrong("separation");
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
