// From the layers of a WorldDef to trees and the collision matrix, or to the error that names what is
// wrong with them.
#ifndef NOWAIT_SRC_WORLD_WORLD_LAYERS_H_
#define NOWAIT_SRC_WORLD_WORLD_LAYERS_H_

#include <string_view>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/layers.h"
#include "src/broadphase/broad_phase.h"
#include "src/world/world_def.h"

namespace nowait {

// kInvalidArgument: "user_layers" when there are too many, or the first row that is wrong: "user layer
// 0" to "user layer 13".
Result<BroadPhaseDef> TreesOf(const WorldDef& def);

// kInvalidArgument "layer" when the world has no such layer, or when it is not the game's to choose.
Result<Layer> LayerOf(const BodyDef& body, const WorldDef& def);

// kNotFound "layer".
Result<Layer> LayerNamed(std::string_view name, const WorldDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_LAYERS_H_
