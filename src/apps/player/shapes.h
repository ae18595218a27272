// The player's scene of every shape: on the demo's ground stand pillars, ramps and a deck of
// triangles. Spheres, boxes, capsules, cylinders, convex hulls and compounds of them fall on all
// of that.
#ifndef NOWAIT_SRC_APPS_PLAYER_SHAPES_H_
#define NOWAIT_SRC_APPS_PLAYER_SHAPES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "src/apps/demo/scene.h"
#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {

using Hulls = std::vector<std::unique_ptr<const ConvexHull>>;

// A ramp, a pyramid, prisms and stones; always the same ones. The errors are ConvexHull::Create's.
Result<Hulls> MakeHulls();

using Compounds = std::vector<std::unique_ptr<const CompoundShape>>;

// A table, a dumbbell, a hammer and a ring of capsules. The errors are CompoundShape::Create's.
Result<Compounds> MakeCompounds();

// The bodies of the scene; `bodies` of them fall. The first two are the ground and the deck.
std::vector<BodyDef> ShapesOn(const Ground& ground, const TriangleMesh& deck, const Hulls& hulls,
                              const Compounds& compounds, std::uint32_t bodies, std::uint64_t seed);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PLAYER_SHAPES_H_
