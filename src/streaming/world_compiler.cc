#include "src/streaming/world_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/base/report.h"
#include "src/collision/convex_hull.h"
#include "src/jobs/parallel_for.h"
#include "src/math/hash.h"
#include "src/math/random.h"
#include "src/resource/terrain.h"
#include "src/streaming/ground_material.h"
#include "src/streaming/object_scale.h"
#include "src/streaming/tile_blob.h"

namespace nowait {
namespace {

constexpr std::uint32_t kHullsPerRule = 4;  // that the objects of a rule share, in a tile
constexpr std::uint32_t kHullPoints = 14;
constexpr float kFlattest = 0.6f;  // of a hull's radius: its least distance to a point
constexpr float kBorder = SceneSite::kMostEncounter;  // no scene leads out of the world

// Of a tile or a scene, apart from those of its neighbours.
Random RandomOf(std::uint64_t seed, std::uint32_t kind, std::uint32_t a, std::uint32_t b) {
  Hash hash;
  for (const std::uint32_t part :
       {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), kind, a, b}) {
    hash.Add(part);
  }
  return Random(hash.value());
}

// Its hull is made when it is loaded; one that a stretch has made too flat for that ends here.
Result<void> AddRock(Random& random, float radius, Vec3 scale, ObjectLists& lists) {
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < kHullPoints; ++i) {
    const Vec3 point = random.Direction() * (radius * random.Between(kFlattest, 1.0f));
    points.push_back(ScaledPoint(point, scale));
  }
  if (scale != kNoScale) {
    if (const auto hull = ConvexHull::Create({.points = points}); !hull) {
      return std::unexpected(hull.error());
    }
  }
  lists.hulls.push_back(std::move(points));
  return {};
}

// size: after the stretch.
float HalfHeightOf(PlacedObject::Kind kind, Vec3 size, Vec3 scale) {
  switch (kind) {
    case PlacedObject::kSphere:
      return size.x;
    case PlacedObject::kCapsule:
      return size.x + size.y;
    case PlacedObject::kBox:
    case PlacedObject::kCylinder:
      return size.y;
    case PlacedObject::kHull:
      break;
  }
  return kFlattest * size.x * std::abs(scale.y);
}

// The ground below a place of the world.
Result<float> GroundAt(const WorldSource& source, const Elevation& elevation, float x, float z) {
  return HeightAt(elevation, source.south + double{z}, source.east + double{x});
}

void Hold(const Grip& grip, PlacedObject& object) {
  object.friction = grip.friction;
  object.friction_rule = static_cast<std::uint32_t>(grip.rule);
}

// A tile's objects by one rule.
Result<void> Scatter(const WorldSource& source, const Elevation& elevation, const ScatterRule& rule,
                     TileCoord tile, Random& random, ObjectLists& lists) {
  const auto first_hull = static_cast<std::uint32_t>(lists.hulls.size());
  if (rule.kind == PlacedObject::kHull) {
    for (std::uint32_t i = 0; i < kHullsPerRule; ++i) {
      const float radius = random.Between(rule.least.x, rule.most.x);
      if (auto added = AddRock(random, radius, rule.scale, lists); !added) return added;
    }
  }
  for (std::uint32_t i = 0; i < rule.per_tile; ++i) {
    PlacedObject object;
    object.kind = rule.kind;
    object.motion = rule.motion;
    Hold(rule.grip, object);
    object.hull = rule.kind == PlacedObject::kHull ? first_hull + i % kHullsPerRule : 0;
    const auto size = ScaledSize(rule.kind, random.InBox(rule.least, rule.most), rule.scale);
    if (!size) return std::unexpected(size.error());
    object.size = *size;
    const float x = kTileSide * (static_cast<float>(tile.column) + random.Unit());
    const float z = kTileSide * (static_cast<float>(tile.row) + random.Unit());
    const auto ground = GroundAt(source, elevation, x, z);
    if (!ground) return std::unexpected(ground.error());
    object.position = {x, *ground + HalfHeightOf(rule.kind, object.size, rule.scale), z};
    if (!rule.upright) object.rotation = random.Rotation();
    lists.objects.push_back(object);
  }
  return {};
}

Result<void> Place(const WorldSource& source, const Elevation& elevation,
                   const SceneObjects& objects, Random& random, SceneSource& scene) {
  if (objects.kind == PlacedObject::kHull) {
    auto added = AddRock(random, objects.size.x, objects.scale, scene.objects);
    if (!added) return added;
  }
  const auto size = ScaledSize(objects.kind, objects.size, objects.scale);
  if (!size) return std::unexpected(size.error());
  for (std::uint32_t i = 0; i < objects.repeat[0]; ++i) {
    for (std::uint32_t k = 0; k < objects.repeat[2]; ++k) {
      const float x = scene.site.x + objects.at.x + objects.step.x * static_cast<float>(i);
      const float z = scene.site.z + objects.at.z + objects.step.z * static_cast<float>(k);
      const auto ground = GroundAt(source, elevation, x, z);
      if (!ground) return std::unexpected(ground.error());
      for (std::uint32_t j = 0; j < objects.repeat[1]; ++j) {
        PlacedObject object;
        object.kind = objects.kind;
        object.motion = objects.motion;
        Hold(objects.grip, object);
        object.hull = objects.kind == PlacedObject::kHull
                          ? static_cast<std::uint32_t>(scene.objects.hulls.size()) - 1
                          : 0;
        object.size = *size;
        object.position = {x, *ground + objects.at.y + objects.step.y * static_cast<float>(j), z};
        scene.objects.objects.push_back(object);
      }
    }
  }
  return {};
}

std::string_view TextOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The error, or an empty text.
std::string Write(const std::string& path, const Result<std::vector<std::byte>>& bytes) {
  if (!bytes) return ToString(bytes.error());
  const auto written = WriteFileWhole(path, TextOf(*bytes));
  return written ? std::string() : path + ": " + ToString(written.error());
}

}  // namespace

WorldIndex IndexOf(const WorldSource& source, const Elevation& elevation, std::uint64_t seed) {
  WorldIndex index{source.columns, source.rows, 0, {}};
  Hash hash;
  hash.Add(static_cast<std::uint32_t>(seed));
  hash.Add(static_cast<std::uint32_t>(seed >> 32));
  hash.Add(static_cast<std::uint32_t>(source.hash));
  hash.Add(static_cast<std::uint32_t>(source.hash >> 32));
  for (const std::int16_t post : elevation.posts) hash.Add(static_cast<std::uint32_t>(post));
  for (const std::uint32_t version : {kTileVersion, kSceneVersion}) hash.Add(version);
  index.source = hash.value();

  const float east = kTileSide * static_cast<float>(source.columns) - kBorder;
  const float south = kTileSide * static_cast<float>(source.rows) - kBorder;
  for (std::uint32_t tile = 0; tile < index.tiles(); ++tile) {
    const float west = kTileSide * static_cast<float>(tile % source.columns);
    const float north = kTileSide * static_cast<float>(tile / source.columns);
    Random random = RandomOf(seed, kSceneKind, tile, 0);
    for (std::uint32_t i = 0; i < source.scenes_per_tile; ++i) {
      const std::size_t number = index.scenes.size();
      const SceneKind& kind = source.scenes[number % source.scenes.size()];
      const float x = random.Between(std::max(west, kBorder), std::min(west + kTileSide, east));
      const float z = random.Between(std::max(north, kBorder), std::min(north + kTileSide, south));
      index.scenes.push_back({x, z, kind.encounter, kind.activation});
    }
  }
  return index;
}

Result<std::vector<std::byte>> CompileTile(const WorldSource& source, const Elevation& elevation,
                                           std::uint64_t seed, TileCoord tile) {
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    const auto heights =
        ResampleSquare(elevation, {.south = source.south + double{kTileSide} * tile.row,
                                   .east = source.east + double{kTileSide} * tile.column,
                                   .side = double{kTileSide},
                                   .cells = kTileCells});
    if (!heights) return std::unexpected(heights.error());
    Random random = RandomOf(seed, kTileKind, static_cast<std::uint32_t>(tile.column),
                             static_cast<std::uint32_t>(tile.row));
    ObjectLists lists;
    for (const ScatterRule& rule : source.scatter) {
      if (auto scattered = Scatter(source, elevation, rule, tile, random, lists); !scattered) {
        return std::unexpected(scattered.error());
      }
    }
    return MakeTileBlob(tile, *heights, GroundMaterialsOf(*heights), lists);
  });
}

Result<std::vector<std::byte>> CompileScene(const WorldSource& source, const Elevation& elevation,
                                            std::uint64_t seed, const WorldIndex& index,
                                            std::uint32_t number) {
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    const SceneKind& kind = source.scenes[number % source.scenes.size()];
    SceneSource scene{number, index.scenes[number], {}, {}};
    Random random = RandomOf(seed, kSceneKind, number, 1);
    for (const SceneObjects& objects : kind.objects) {
      if (auto placed = Place(source, elevation, objects, random, scene); !placed) {
        return std::unexpected(placed.error());
      }
    }
    for (const auto& [dx, dz] : kind.spawn_points) {
      const float x = scene.site.x + dx;
      const float z = scene.site.z + dz;
      const auto ground = GroundAt(source, elevation, x, z);
      if (!ground) return std::unexpected(ground.error());
      scene.spawn_points.push_back({x, *ground, z});
    }
    for (const auto& [from, to] :
         {std::pair(&kind.triggers, &scene.triggers), std::pair(&kind.gates, &scene.gates)}) {
      for (const SceneBox& box : *from) {
        const float x = scene.site.x + box.centre.x;
        const float z = scene.site.z + box.centre.z;
        const auto ground = GroundAt(source, elevation, x, z);
        if (!ground) return std::unexpected(ground.error());
        to->push_back({{x, *ground + box.centre.y, z}, box.half});
      }
    }
    scene.script = kind.script;
    return MakeSceneBlob(scene);
  });
}

std::expected<WorldIndex, SourceError> CompileWorld(TaskPool& pool, const WorldSource& source,
                                                    const Elevation& elevation,
                                                    const CompileDef& def) {
  const WorldIndex index = IndexOf(source, elevation, def.seed);
  const auto tiles = static_cast<std::uint32_t>(index.tiles());
  std::vector<std::string> errors(tiles);  // by tile: the first one is the same each time
  const auto compile = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const TileCoord tile{static_cast<std::int32_t>(i % index.columns),
                           static_cast<std::int32_t>(i / index.columns)};
      errors[i] =
          Write(FileOfTile(def.folder, tile), CompileTile(source, elevation, def.seed, tile));
      const std::uint32_t first = i * source.scenes_per_tile;
      for (std::uint32_t k = first; k < first + source.scenes_per_tile; ++k) {
        if (!errors[i].empty()) break;
        errors[i] =
            Write(FileOfScene(def.folder, k), CompileScene(source, elevation, def.seed, index, k));
      }
    }
  };
  if (const auto done = ParallelFor(pool, tiles, 1, compile); !done) {
    return std::unexpected(SourceError{ToString(done.error())});
  }
  for (std::uint32_t i = 0; i < tiles; ++i) {
    if (errors[i].empty()) continue;
    return std::unexpected(SourceError{
        fmt::format("tile {}, {}: {}", i % index.columns, i / index.columns, errors[i])});
  }
  const std::string failed = Write(FileOfIndex(def.folder), MakeIndexBlob(index));
  if (!failed.empty()) return std::unexpected(SourceError{failed});
  return index;
}

}  // namespace nowait
