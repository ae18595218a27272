#include "tests/whole/world/expected_step.h"

#include <map>
#include <vector>

#include "src/collision/collide.h"
#include "src/dynamics/contact.h"
#include "src/math/float_mode.h"

namespace nowait::world_programs {
namespace {

bool LayersTouch(Layer a, Layer b, const WorldDef& def) {
  const auto row = [&](Layer layer, Layer other) {
    const std::size_t index = IndexOf(layer);
    if (index < kLayerCount) return true;
    return def.user_layers[index - kLayerCount].touches.Has(other);
  };
  return row(a, b) && row(b, a);
}

bool Touch(const BodySnapshot& a, const BodySnapshot& b, const WorldDef& def) {
  if (a.type == BodyType::kStatic && b.type == BodyType::kStatic) return false;
  if (!LayersTouch(a.layer, b.layer, def)) return false;
  Manifold manifold;
  Collide(Placed(a.shape, a.position, a.rotation), Placed(b.shape, b.position, b.rotation),
          kContactMargin, manifold);
  return !manifold.empty();
}

}  // namespace

ExpectedStep Expect(const BeforeStep& before, const WorldDef& def) {
  const FloatModeScope float_mode;
  std::map<BodyId, const BodySnapshot*> bodies;
  for (const BodySnapshot& body : before.bodies) bodies.emplace(body.id, &body);
  const auto can_wake = [&](BodyId id) {
    return bodies.contains(id) && bodies.at(id)->type == BodyType::kDynamic;
  };
  std::set<Pair> joined, apart;
  for (const Joined& joint : before.joints) {
    const Pair pair = joint.a < joint.b ? Pair{joint.a, joint.b} : Pair{joint.b, joint.a};
    joined.insert(pair);
    if (!joint.bodies_touch) apart.insert(pair);
  }
  std::set<Pair> touching;
  for (auto a = bodies.begin(); a != bodies.end(); ++a) {
    for (auto b = std::next(a); b != bodies.end(); ++b) {
      const Pair pair{a->first, b->first};
      if (!apart.contains(pair) && Touch(*a->second, *b->second, def))
        touching.emplace(a->first, b->first);
    }
  }

  ExpectedStep expected;
  for (const auto& [id, body] : bodies) {
    if (body->type == BodyType::kDynamic && !body->asleep) expected.awake.insert(id);
  }
  const auto wake_beside = [&](const std::set<Pair>& pairs, const std::set<BodyId>& those) {
    bool any = false;
    for (const auto& [a, b] : pairs) {
      if (those.contains(a) && can_wake(b)) any = expected.awake.insert(b).second || any;
      if (those.contains(b) && can_wake(a)) any = expected.awake.insert(a).second || any;
    }
    return any;
  };
  wake_beside(before.contacts, before.disturbed);
  wake_beside(joined, before.disturbed);
  // A static body that was moved to where something sleeps.
  wake_beside(touching, before.disturbed);
  // A fresh static body where something has slept before; equally fresh sleepers sleep on with it.
  std::set<Pair> put_in;
  std::set<BodyId> fresh_statics;
  for (const Pair& pair : touching) {
    if (before.fresh.contains(pair.first) != before.fresh.contains(pair.second)) {
      put_in.insert(pair);
    }
  }
  for (const BodyId id : before.fresh) {
    if (bodies.at(id)->type == BodyType::kStatic) fresh_statics.insert(id);
  }
  wake_beside(put_in, fresh_statics);
  for (bool more = true; more;) {
    more = wake_beside(touching, expected.awake);
    more = wake_beside(joined, expected.awake) || more;
  }

  for (const Pair& pair : touching) {
    const auto looks = [&](BodyId id) {
      return expected.awake.contains(id) || before.fresh.contains(id);
    };
    if (looks(pair.first) || looks(pair.second)) expected.found.insert(pair);
  }
  expected.contacts = expected.found;
  for (const Pair& pair : before.contacts) {
    const bool waits = bodies.contains(pair.first) && bodies.contains(pair.second) &&
                       !expected.awake.contains(pair.first) &&
                       !expected.awake.contains(pair.second);
    if (waits) expected.contacts.insert(pair);
  }
  return expected;
}

}  // namespace nowait::world_programs
