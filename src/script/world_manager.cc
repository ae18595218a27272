#include "src/script/world_manager.h"

#include <algorithm>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

// The number of the world does not count: a contact may end in another one than it began in.
BodyId OfNoWorld(BodyId body) { return BodyId(0, body.slot(), body.generation()); }

}  // namespace

WorldManager::WorldManager(const WorldManagerDef& def) : def_(def), bindings_(def.bodies) {
  touching_.reserve(def.touching);
  found_.reserve(def.calls);
  order_.Reserve(def.calls);
  calls_.reserve(def.calls);
}

Result<std::unique_ptr<WorldManager>> WorldManager::Create(const WorldManagerDef& def) {
  if (def.bodies > BodyId::kMaxBodies) {
    return Fail(ErrorCode::kInvalidArgument, "bodies", def.bodies);
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<WorldManager>> {
    return std::unique_ptr<WorldManager>(new WorldManager(def));
  });
}

Result<void> WorldManager::Bind(BodyId body, ObjectHandle object, BindingOptions options) {
  if (!body.valid() || body.slot() >= bindings_.size()) {
    return Fail(ErrorCode::kInvalidArgument, "body id", body.slot());
  }
  bindings_[body.slot()] = {body.generation(), options.persists, object};
  return {};
}

void WorldManager::Unbind(BodyId body) {
  if (Find(body) != nullptr) bindings_[body.slot()] = {};
}

const WorldManager::Binding* WorldManager::Find(BodyId body) const {
  if (body.slot() >= bindings_.size()) return nullptr;
  const Binding& binding = bindings_[body.slot()];
  const bool is = binding.generation == body.generation() && binding.object != ObjectHandle{};
  return is ? &binding : nullptr;
}

void WorldManager::Add(PhysicsEvent call) {
  if (found_.size() == def_.calls) {
    ++counts_.lost;
    return;
  }
  found_.push_back(call);
}

// For each of the two bodies that has an object. event.normal: from a to b.
void WorldManager::AddPair(PhysicsEvent event, BodyId a, BodyId b) {
  const Binding* const of_a = Find(a);
  const Binding* const of_b = Find(b);
  if (of_a == nullptr && of_b == nullptr) ++counts_.unbound;
  const Vec3 normal = event.normal;
  const auto add = [&](const Binding* to, const Binding* other, Vec3 away) {
    if (to == nullptr) return;
    event.to = to->object;
    event.other = other != nullptr ? other->object : ObjectHandle{};
    event.normal = away;
    Add(event);
  };
  add(of_a, of_b, -normal);
  add(of_b, of_a, normal);
}

void WorldManager::AddSleep(PhysicsEvent::Kind kind, BodyId body) {
  if (const Binding* const of = Find(body)) {
    Add({.kind = kind, .to = of->object});
  } else {
    ++counts_.unbound;
  }
}

void WorldManager::Begin(const ContactBegan& began) {
  AddPair({.kind = PhysicsEvent::Kind::kContactBegan,
           .place = began.place,
           .normal = began.normal,
           .speed = began.speed,
           .slide = began.slide},
          began.a, began.b);
  const Binding* const of_a = Find(began.a);
  const Binding* const of_b = Find(began.b);
  if (!(of_a != nullptr && of_a->persists) && !(of_b != nullptr && of_b->persists)) return;
  const auto at = PlaceOf(began.a, began.b);
  if (IsTouching(at, began.a, began.b)) {  // its end was lost
    at->since = streams_;
    return;
  }
  if (touching_.size() == def_.touching) {
    ++counts_.lost;
    return;
  }
  touching_.insert(at, {OfNoWorld(began.a), OfNoWorld(began.b), streams_});
}

void WorldManager::End(const ContactEnded& ended) {
  AddPair({.kind = PhysicsEvent::Kind::kContactEnded}, ended.a, ended.b);
  const auto at = PlaceOf(ended.a, ended.b);
  if (IsTouching(at, ended.a, ended.b)) touching_.erase(at);
}

std::vector<WorldManager::Touch>::iterator WorldManager::PlaceOf(BodyId a, BodyId b) {
  return std::ranges::lower_bound(touching_, std::pair(OfNoWorld(a), OfNoWorld(b)), {},
                                  [](const Touch& touch) { return std::pair(touch.a, touch.b); });
}

bool WorldManager::IsTouching(std::vector<Touch>::iterator at, BodyId a, BodyId b) const {
  return at != touching_.end() && at->a == OfNoWorld(a) && at->b == OfNoWorld(b);
}

void WorldManager::AddPersisting() {
  // A body that is gone has lost its object, or its slot has another body.
  std::erase_if(touching_, [this](const Touch& touch) {
    const Binding* const of_a = Find(touch.a);
    const Binding* const of_b = Find(touch.b);
    const auto add = [&](const Binding* to, const Binding* other) {
      if (to == nullptr || !to->persists) return false;
      if (touch.since == streams_) return true;
      Add({.kind = PhysicsEvent::Kind::kContactPersists,
           .to = to->object,
           .other = other != nullptr ? other->object : ObjectHandle{}});
      return true;
    };
    const bool a_hears = add(of_a, of_b);
    const bool b_hears = add(of_b, of_a);
    return !a_hears && !b_hears;
  });
}

void WorldManager::Consume(const EventStream& stream) {
  using Kind = PhysicsEvent::Kind;
  ++streams_;
  found_.clear();
  for (const EventView event : stream) {
    if (const auto* began = event.As<ContactBegan>()) {
      Begin(*began);
    } else if (const auto* ended = event.As<ContactEnded>()) {
      End(*ended);
    } else if (const auto* woke = event.As<BodyWoke>()) {
      AddSleep(Kind::kWoke, woke->body);
    } else if (const auto* slept = event.As<BodyFellAsleep>()) {
      AddSleep(Kind::kFellAsleep, slept->body);
    } else if (const auto* broke = event.As<JointBroke>()) {
      AddPair({.kind = Kind::kJointBroke}, broke->a, broke->b);
    } else if (const auto* gone = event.As<JointBodyGone>()) {
      AddPair({.kind = Kind::kJointGone}, gone->a, gone->b);
    } else if (const auto* gear = event.As<JointPartnerGone>()) {
      AddPair({.kind = Kind::kJointGone}, gear->a, gear->b);
    } else {
      ++counts_.unknown;
    }
  }
  AddPersisting();
  order_.Sort<PhysicsEvent>(found_, calls_);
  counts_.calls += calls_.size();
}

}  // namespace nowait
