#include "tests/whole/world/expected_step.h"

#include <map>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/time_of_impact.h"
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
  if (a.type != BodyType::kDynamic && b.type != BodyType::kDynamic) return false;
  if (!LayersTouch(a.layer, b.layer, def)) return false;
  Manifold manifold;
  Collide(Placed(a.shape, a.position, a.rotation), Placed(b.shape, b.position, b.rotation),
          kContactMargin, manifold);
  return !manifold.empty();
}

// Whether the kinematic body meets the sleeper on its way, so that it would pass through it if it
// did not wake it.
bool WouldPass(const BodySnapshot& moving, const Sweep& way, const BodySnapshot& sleeper,
               const WorldDef& def) {
  if (!LayersTouch(moving.layer, sleeper.layer, def)) return false;
  const Radii radii = RadiiOf(moving.shape), of_sleeper = RadiiOf(sleeper.shape);
  const Quat turn = way.end_rotation * Conjugate(way.start_rotation);
  const float reach = 2.0f * Length(Vec3{turn.x, turn.y, turn.z}) * radii.reach;
  if (Length(way.end - way.start) + reach <= 0.5f * of_sleeper.inner) return false;
  const Sweep rest = Sweep::AtRest(sleeper.position, sleeper.rotation);
  return TimeOfImpact({&sleeper.shape, of_sleeper, rest}, {&moving.shape, radii, way}, 1.0f)
      .has_value();
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
    if (joint.ended) continue;
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
  for (const Joined& joint : before.joints) {
    if (!joint.ended) continue;
    expected.awake.insert(joint.a);
    expected.awake.insert(joint.b);
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
  // A body that was moved to where something sleeps, and a kinematic one that goes there.
  wake_beside(touching, before.moved);
  std::set<BodyId> going;
  for (const auto& [id, way] : before.ways) {
    going.insert(id);
    for (const auto& [other, body] : bodies) {
      const Pair pair = id < other ? Pair{id, other} : Pair{other, id};
      if (!can_wake(other) || !body->asleep || apart.contains(pair)) continue;
      if (WouldPass(*bodies.at(id), way, *body, def)) expected.awake.insert(other);
    }
  }
  wake_beside(touching, going);
  // A fresh static or kinematic body where something has slept before; equally fresh sleepers sleep
  // on with it.
  std::set<Pair> put_in;
  std::set<BodyId> fresh_statics;
  for (const Pair& pair : touching) {
    if (before.fresh.contains(pair.first) != before.fresh.contains(pair.second)) {
      put_in.insert(pair);
    }
  }
  for (const BodyId id : before.fresh) {
    if (bodies.at(id)->type != BodyType::kDynamic) fresh_statics.insert(id);
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
