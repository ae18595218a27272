// WorldSource: what people write to make an open world: JSON documents in a folder.
//
//   world.json   the place of the ground, the tiles, what is scattered over them, the scenes
//   SCENE.json   one for each kind of scene that world.json names
//   SCRIPT.lua   one for each script that a scene names
//
// src/apps/openworld/world has such files, and README.md there says what each field means.
//
// Thread safety: a value. Blocking: LoadWorldSource reads files.
// Errors: one line that names the file and the field: "camp.json: objects[2].size: ...".
// Test: tests/streaming/world_source_test.cc.
#ifndef NOWAIT_SRC_STREAMING_WORLD_SOURCE_H_
#define NOWAIT_SRC_STREAMING_WORLD_SOURCE_H_

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "src/bodies/combine_rule.h"
#include "src/math/vec3.h"
#include "src/streaming/object_scale.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/scene_blob.h"

namespace nowait {

// How objects hold on to others.
struct Grip {
  float friction = PlacedObject().friction;
  CombineRule rule = CombineRule::kUsual;
};

// Objects of one kind, at random places of each tile.
struct ScatterRule {
  PlacedObject::Kind kind = PlacedObject::kSphere;
  PlacedObject::Motion motion = PlacedObject::kStatic;
  Vec3 least;  // as PlacedObject::size; of a hull, x is its radius
  Vec3 most;
  std::uint32_t per_tile = 0;
  bool upright = true;  // without it, any rotation
  Grip grip{};
  Vec3 scale = kNoScale;

  static constexpr std::uint32_t kMostPerTile = 4096;
};

// Objects of one kind, in a block.
struct SceneObjects {
  PlacedObject::Kind kind = PlacedObject::kSphere;
  PlacedObject::Motion motion = PlacedObject::kStatic;
  Vec3 size;
  Vec3 at;  // of the first one, from the scene's middle; y: above the ground
  std::array<std::uint32_t, 3> repeat = {1, 1, 1};  // along x, y and z
  Vec3 step;
  Grip grip{};
  Vec3 scale = kNoScale;

  static constexpr std::uint32_t kMostRepeat = 64;
};

struct SceneKind {
  std::string file;
  float encounter = 0.0f;   // metres; see SceneSite
  float activation = 0.0f;  // metres
  std::vector<SceneObjects> objects;
  std::vector<std::array<float, 2>> spawn_points;  // x and z, from the scene's middle
  // From the scene's middle; y: above the ground below.
  std::vector<SceneBox> triggers = {};
  std::vector<SceneBox> gates = {};
  SceneScript script = {};
};

struct WorldSource {
  double south = 0.0;  // metres from the elevation's first row to the first tile's northern edge
  double east = 0.0;   // metres from its first column to the first tile's western edge
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::uint32_t scenes_per_tile = 0;
  std::vector<ScatterRule> scatter;
  std::vector<SceneKind> scenes;
  std::uint64_t hash = 0;  // of all documents
};

struct SourceError {
  std::string text;
};

// The scene of a document's text, without the text of its script; `file` is its name in messages.
std::expected<SceneKind, SourceError> ParseSceneKind(std::string_view text, std::string file);
// The world of world.json's text, without its scenes; `files` gets the scenes' names.
std::expected<WorldSource, SourceError> ParseWorld(std::string_view text,
                                                   std::vector<std::string>& files);
// Loads the script once, within kMostMemory, and drops it. The error has its line:
// "camp.lua:3: ...".
std::expected<void, SourceError> CheckScript(const SceneScript& script);
std::expected<WorldSource, SourceError> LoadWorldSource(const std::string& folder);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_WORLD_SOURCE_H_
