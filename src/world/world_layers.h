// Turns the layers of a WorldDef into trees and the collision matrix, or into the error that names
// the wrong field.
#ifndef NOWAIT_SRC_WORLD_WORLD_LAYERS_H_
#define NOWAIT_SRC_WORLD_WORLD_LAYERS_H_

#include <string_view>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/bodies/layers.h"
#include "src/broadphase/broad_phase.h"
#include "src/world/world_def.h"

namespace nowait {

// kInvalidArgument: "user_layers" when there are too many, or the first row that is wrong: "user
// layer 0" to "user layer 13".
Result<BroadPhaseDef> TreesOf(const WorldDef& def);

// kInvalidArgument "layer" when the world has no such layer, or when the game may not choose it.
Result<Layer> LayerOf(const BodyDef& body, const WorldDef& def);

// kNotFound "layer".
Result<Layer> LayerNamed(std::string_view name, const WorldDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_WORLD_LAYERS_H_
