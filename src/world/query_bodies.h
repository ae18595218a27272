// The bodies that a query's tree leads to: which of them pass its filter, and copies of them.
//
// Thread safety: any thread, with a Reading of its own. Blocking: a body lock, one at a time.
#ifndef NOWAIT_SRC_WORLD_QUERY_BODIES_H_
#define NOWAIT_SRC_WORLD_QUERY_BODIES_H_

#include <array>
#include <optional>

#include "src/bodies/guarded_body.h"
#include "src/world/world_parts.h"
#include "src/world/world_view.h"

namespace nowait {

inline std::array<float, 3> ToArray(Vec3 v) { return {v.x, v.y, v.z}; }

inline bool Passes(const QueryFilter& filter, const Body& body) {
  return (body.type == BodyType::kStatic ? filter.statics : filter.dynamics) &&
         (filter.sensors || !body.sensor) && filter.layers.Has(body.layer) &&
         body.id != filter.ignore;
}

// The trees that may have bodies that pass the filter.
inline LayerSet LayersOf(const QueryFilter& filter) {
  LayerSet layers = filter.layers;
  if (!filter.statics) layers.Drop(Layer::kStatic);
  if (!filter.dynamics) layers.Drop(Layer::kDynamic);
  return layers;
}

// Calls copy(body), under the body's lock if one is needed, and then filter.accept. Returns no id
// when the body is gone, copy rejects it, or it does not pass: the tree may lead to a body that was
// removed, and whose slot was reused, after the tree was read.
template <class F>
std::optional<BodyId> CopyBody(const Reading& reading, ProxyId proxy, const QueryFilter& filter,
                               WaitTime& wait, F&& copy) {
  std::optional<BodySnapshot> to_ask;
  const BodyStorage& bodies = reading.state.bodies;
  std::optional<BodyId> found;
  const auto look = [&](const Body& body) {
    if (!Passes(filter, body) || !copy(body)) return;
    found = body.id;
    if (filter.accept) to_ask = SnapshotOf(body, bodies.StateOf(proxy.slot()));
  };
  if (reading.bodies == Reading::Bodies::kMayChange) {
    ReadBody(reading.state.locks, reading.state.present(), proxy, wait, look);
  } else if (reading.state.present().Has(proxy)) {
    look(bodies[proxy.slot()]);
  }
  if (to_ask && !filter.accept(*to_ask)) return std::nullopt;
  return found;
}

// Calls look(), a walk through trees that begins anew each time, until no body has changed its
// layer meanwhile: then each has been met once (layer_changes.h). Without layers of the game's own
// each body stays in that of its type, and a watch is spared.
template <class Look>
void LookAtAll(const Reading& reading, Look&& look) {
  const bool may_change =
      reading.bodies == Reading::Bodies::kMayChange && !reading.state.def.user_layers.empty();
  if (!may_change) return look();
  for (;;) {
    const auto watch = reading.state.layer_changes.BeginWatch();
    look();
    if (!watch.HasMetSome()) return;
  }
}

// The data that the narrow phase of a query needs of a body.
struct Target {
  Shape shape;
  Vec3 position;
  Quat rotation;
};

// As CopyBody, for these data.
inline std::optional<BodyId> CopyTarget(const Reading& reading, ProxyId proxy,
                                        const QueryFilter& filter, WaitTime& wait, Target& target) {
  return CopyBody(reading, proxy, filter, wait, [&](const Body& body) {
    target = {body.shape, body.position, body.rotation};
    return true;
  });
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_QUERY_BODIES_H_
