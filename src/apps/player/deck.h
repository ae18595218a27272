// The mesh of the scene of every shape: a folded deck above half of its ground.
#ifndef NOWAIT_SRC_APPS_PLAYER_DECK_H_
#define NOWAIT_SRC_APPS_PLAYER_DECK_H_

#include <memory>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {

// In the world's frame; it follows the ground, so that no part of it is below. The errors are
// TriangleMesh::Create's.
Result<std::unique_ptr<const TriangleMesh>> MakeDeck(const Ground& ground);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_DECK_H_
