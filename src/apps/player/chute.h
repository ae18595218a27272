// The player's scene of a mesh: a spiral chute of triangles, twice, and round and angular bodies
// that go down in it to a floor. The lower end of the chute is rough, the rest is smooth.
#ifndef NOWAIT_SRC_APPS_PLAYER_CHUTE_H_
#define NOWAIT_SRC_APPS_PLAYER_CHUTE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "src/apps/player/shapes.h"
#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {

// Two turns, its middle along the y axis, its lower end at height one. The errors are
// TriangleMesh::Create's.
Result<std::unique_ptr<const TriangleMesh>> MakeChute();

// The bodies of the scene; `bodies` of them move. The second chute is the first one, turned by half
// a turn.
std::vector<BodyDef> BodiesInChutes(const TriangleMesh& chute, const Hulls& hulls,
                                    std::uint32_t bodies, std::uint64_t seed);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_CHUTE_H_
