// LayerDef: a layer that the game defines; it has a tree of its own in the broad phase.
#ifndef NOWAIT_SRC_WORLD_LAYER_DEF_H_
#define NOWAIT_SRC_WORLD_LAYER_DEF_H_

#include <string>

#include "src/bodies/layers.h"
#include "src/broadphase/rebuild_policy.h"

namespace nowait {

struct LayerDef {
  // For World::FindLayer. Not empty, not another layer's, not "static" or "dynamic".
  std::string name;
  // Its row of the collision matrix: which layers' bodies its bodies touch, possibly its own. Two
  // of the game's layers must agree about each other. kStatic and kDynamic have no rows: they
  // agree. Two static bodies touch in no layer.
  LayerSet touches = LayerSet::All();
  RebuildPolicy rebuild = RebuildPolicy::kByTurns;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_LAYER_DEF_H_
