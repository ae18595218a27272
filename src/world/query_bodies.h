// Search: one query of the world. The trees lead it to bodies; it takes copies of those that pass
// its filter.
//
//   Search search(reading, filter, wait);
//   const auto meet = [&](ProxyId proxy) { ... search.Copy(proxy, copy) ...; return go_on; };
//   search.LookAtAll([&](LayerSet layers) { begin anew; walk the trees of the layers; }, meet);
//
// Promise: meet is called for each body that is in the layers throughout, and copy finds it once;
// so it is with bodies that go from layer to layer meanwhile (layer_changes.h).
//
// Thread safety: any thread, with a Reading of its own. Blocking: a body lock, one at a time.
// Complexity: one walk. Where a body has changed its layer meanwhile, two; where that happened in
// both, a look at each slot besides.
#ifndef NOWAIT_SRC_WORLD_QUERY_BODIES_H_
#define NOWAIT_SRC_WORLD_QUERY_BODIES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/bodies/body_locks.h"
#include "src/bodies/guarded_body.h"
#include "src/world/world_parts.h"
#include "src/world/world_view.h"

namespace nowait {

inline std::array<float, 3> ToArray(Vec3 v) { return {v.x, v.y, v.z}; }

// The data that the narrow phase of a query needs of a body.
struct Target {
  Shape shape;
  Vec3 position;
  Quat rotation;
};

class Search {
 public:
  Search(const Reading& reading, const QueryFilter& filter, WaitTime& wait)
      : reading_(reading), filter_(filter), wait_(wait) {}

  const Reading& reading() const { return reading_; }

  // Calls copy(body), under the body's lock if one is needed, and then filter.accept. Returns no id
  // when the body is gone, copy rejects it, it does not pass, or it is left out for now: the tree
  // may lead to a body that was removed, and whose slot was reused, after the tree was read.
  template <class F>
  std::optional<BodyId> Copy(ProxyId proxy, F&& copy) {
    std::optional<BodySnapshot> to_ask;
    const WorldState& state = reading_.state;
    std::optional<BodyId> found;
    const auto look = [&](const Body& body) {
      if (!Passes(body) || IsLeftOut(body) || !copy(body)) return;
      found = body.id;
      if (filter_.accept) to_ask = SnapshotOf(body, state.bodies.StateOf(proxy.slot()));
    };
    if (MayChange()) {
      ReadBody(state.locks, state.present(), proxy, wait_, look);
    } else if (state.present().Has(proxy)) {
      look(state.bodies[proxy.slot()]);
    }
    if (found && keeps_found_) found_.push_back(proxy);
    if (to_ask && !filter_.accept(*to_ask)) return std::nullopt;
    return found;
  }

  // As Copy, for these data.
  std::optional<BodyId> Copy(ProxyId proxy, Target& target) {
    return Copy(proxy, [&](const Body& body) {
      target = {body.shape, body.position, body.rotation};
      return true;
    });
  }

  // walk(layers) begins anew, and calls meet(proxy) for what it comes upon until meet says no.
  template <class Walk, class Meet>
  void LookAtAll(Walk&& walk, Meet&& meet) {
    const LayerSet layers = Layers();
    const auto walk_until = [&] {
      go_on_ = true;
      walk(layers, [&](ProxyId proxy) { return go_on_ = meet(proxy); });
    };
    if (!MayMissSome(layers)) return walk_until();
    // A short walk seldom meets a change, and hardly ever two of them.
    for (const bool is_last : {false, true}) {
      watch_.emplace(reading_.state.layer_changes.BeginWatch());
      has_left_out_ = false;
      keeps_found_ = is_last;
      walk_until();
      if (!go_on_ || (!has_left_out_ && !watch_->HasMetSome())) return;
    }
    LookAtNewer(meet);
  }

 private:
  bool MayChange() const { return reading_.bodies == Reading::Bodies::kMayChange; }

  bool Passes(const Body& body) const {
    return (body.type == BodyType::kStatic ? filter_.statics : filter_.dynamics) &&
           (filter_.sensors || !body.sensor) && filter_.layers.Has(body.layer) &&
           body.id != filter_.ignore;
  }

  bool IsLeftOut(const Body& body) {
    if (!watch_ || !watch_->IsNewer(body.layer_change)) return false;
    has_left_out_ = true;
    return true;
  }

  // The trees that may have bodies that pass the filter.
  LayerSet Layers() const {
    LayerSet layers = filter_.layers;
    if (!filter_.statics) layers.Drop(Layer::kStatic);
    if (!filter_.dynamics) layers.Drop(Layer::kDynamic);
    return layers;
  }

  // Whether a body may go from one tree of the walk to another. Without layers of the game's own
  // each body stays in that of its type.
  bool MayMissSome(LayerSet layers) const {
    const std::size_t own = reading_.state.def.user_layers.size();
    if (!MayChange() || own == 0) return false;
    std::size_t trees = 0;
    for (std::size_t i = 0; i < kLayerCount + own; ++i) trees += layers.Has(static_cast<Layer>(i));
    return trees > 1;
  }

  // The bodies that the last walk left out, or may have missed.
  template <class Meet>
  void LookAtNewer(Meet& meet) {
    const WorldState& state = reading_.state;
    const auto last = *watch_;
    watch_.reset();
    keeps_found_ = false;
    std::sort(found_.begin(), found_.end());
    const std::uint32_t end = state.bodies.end();
    for (std::uint32_t slot = 0; slot < end; ++slot) {
      std::optional<ProxyId> newer;
      {
        const BodyReadScopeOf<BodyLocks> lock(state.locks, ProxyId(slot, 0), wait_);
        const Body& body = state.bodies[slot];
        if (last.IsNewer(body.layer_change)) newer = body.id.proxy();
      }
      if (newer && !std::binary_search(found_.begin(), found_.end(), *newer) && !meet(*newer))
        return;
    }
  }

  const Reading& reading_;
  const QueryFilter& filter_;
  WaitTime& wait_;
  std::optional<LayerChanges<>::Watch> watch_;  // of the walk
  bool has_left_out_ = false;                   // by the walk
  bool go_on_ = true;
  bool keeps_found_ = false;
  std::vector<ProxyId> found_;  // by the last walk
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_QUERY_BODIES_H_
