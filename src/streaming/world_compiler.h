// CompileWorld: a folder of tile and scene blobs from elevation data and documents.
//
//   auto compiled = CompileWorld(pool, source, elevation, {.folder = "out/tiles", .seed = 1});
//   if (!compiled) return Complain(compiled.error().text);
//
// Each tile is a piece of a ParallelFor: its ground is resampled, objects are scattered over it,
// and its scenes are placed. The index is written last: a folder with an index is whole.
//
// Thread safety: a thread of the pool, outside of tasks that have an affinity. Blocking: helps, and
// writes files.
// Promise: the same bytes for any number of threads, and on each machine.
// Errors: one line: "tile 3, 4: ...". Files that were written stay; without an index they are not a
// world.
// Source: [bitsquid2010], "The Blob and I": data are compiled for the engine, not parsed by it.
// Test: tests/streaming/world_compiler_test.cc.
#ifndef NOWAIT_SRC_STREAMING_WORLD_COMPILER_H_
#define NOWAIT_SRC_STREAMING_WORLD_COMPILER_H_

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/resource/elevation.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/scene_blob.h"
#include "src/streaming/tile_grid.h"
#include "src/streaming/world_index.h"
#include "src/streaming/world_source.h"

namespace nowait {

struct CompileDef {
  std::string folder;  // exists
  std::uint64_t seed = 1;
};

// The index that CompileWorld would write: where scenes are. Pure. With the same source, elevation
// and seed its `source` is the same number.
WorldIndex IndexOf(const WorldSource& source, const Elevation& elevation, std::uint64_t seed);

// One tile and one scene, as blobs. kInvalidArgument "terrain window": the elevation does not have
// the ground. kCapacity "blob bytes" or "memory".
Result<std::vector<std::byte>> CompileTile(const WorldSource& source, const Elevation& elevation,
                                           std::uint64_t seed, TileCoord tile);
Result<std::vector<std::byte>> CompileScene(const WorldSource& source, const Elevation& elevation,
                                            std::uint64_t seed, const WorldIndex& index,
                                            std::uint32_t number);

std::expected<WorldIndex, SourceError> CompileWorld(TaskPool& pool, const WorldSource& source,
                                                    const Elevation& elevation,
                                                    const CompileDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_WORLD_COMPILER_H_
