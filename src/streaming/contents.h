// Contents: a tile or a scene in memory, between its blob and the world.
//
// The shapes outlive the bodies made from them, and each query that may have found one
// (retired_shapes.h). The ground of a tile uses its heights and materials where they lie in the
// blob, and keeps its bytes; those of a scene are not needed any more.
//
// Thread safety: a value; made by a loading task.
// Errors: those of TileBlob::Open and SceneBlob::Open, of HeightField and ConvexHull, and kCapacity
// "memory".
#ifndef NOWAIT_SRC_STREAMING_CONTENTS_H_
#define NOWAIT_SRC_STREAMING_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/body_def.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/shared_array.h"
#include "src/math/vec3.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/scene_site.h"
#include "src/streaming/tile_grid.h"

namespace nowait {

struct Shapes {
  std::unique_ptr<const HeightField> ground;  // of a tile
  std::size_t ground_bytes = 0;               // of its blob
  std::vector<std::unique_ptr<const ConvexHull>> hulls;

  // Of the ground's blob and of hulls.
  std::size_t bytes() const;
};

struct Contents {
  Shapes shapes;
  // The ground or the gates first, then other static ones, then dynamic ones.
  std::vector<BodyDef> bodies;
  // Of a scene.
  std::vector<Vec3> spawn_points;
  std::vector<SceneBox> triggers;
  std::vector<SceneBox> gates;
  SceneScript script;
};

// user: BodyDef::user of all bodies. site: as the index has it. A scene that says another one is
// refused: its objects might lie where no ground is.
// owner: keeps `bytes`, see shared_array.h.
Result<Contents> ReadTile(std::span<const std::byte> bytes, BlobOwner owner, TileCoord tile,
                          std::uint64_t user);
Result<Contents> ReadScene(std::span<const std::byte> bytes, std::uint32_t number,
                           const SceneSite& site, std::uint64_t user);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_CONTENTS_H_
