// SceneBlob: a scene of the open world as a blob: its objects, where game objects appear, and its
// script.
//
//   SceneHeader     which scene, its site and its radii
//   spawn points    places within the encounter area, on the ground
//   triggers        volumes in which the script looks for the player
//   gates           boxes that the script opens
//   objects         as in placed_object.h
//   script          its name and its text; both are empty if there is no script
//
// Thread safety: a view of bytes that others own; any number of readers.
// Errors: a scene comes from outside. Open checks all of it, so that no reader has to check
// anything: kCorrupt "blob" (src/resource/blob.h), "scene" with the reason, or "object".
// Test: tests/streaming/blobs_test.cc, tests/fuzz/tile_programs.cc.
// Source: [rouwe2022], "Open world - scenes"; [bitsquid2010], "The Blob and I".
#ifndef NOWAIT_SRC_STREAMING_SCENE_BLOB_H_
#define NOWAIT_SRC_STREAMING_SCENE_BLOB_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/scene_site.h"

namespace nowait {

inline constexpr std::uint32_t kSceneKind = FourCharacters("SCEN");
inline constexpr std::uint32_t kSceneVersion = 3;

// An axis-aligned box in the world's frame, metres.
struct SceneBox {
  Vec3 centre;
  Vec3 half;

  bool Contains(Vec3 point) const {
    const Vec3 from = point - centre;
    return std::abs(from.x) <= half.x && std::abs(from.y) <= half.y && std::abs(from.z) <= half.z;
  }
  friend bool operator==(const SceneBox&, const SceneBox&) = default;
};
static_assert(BlobData<SceneBox> && sizeof(SceneBox) == 2 * sizeof(Vec3));

// A script's file, as far as the engine needs it.
struct SceneScript {
  static constexpr std::size_t kMostName = 64;         // bytes
  static constexpr std::size_t kMostText = 48u << 10;  // bytes
  // Bytes of a Lua state into which it alone is loaded.
  static constexpr std::uint32_t kMostMemory = 96u << 10;

  std::string name;  // without folders: "camp.lua"
  std::string text;

  bool exists() const { return !name.empty(); }
  // Whether this can be the name of a script: printable, and without '/'.
  static bool IsName(std::string_view name);
};

struct SceneHeader {
  std::uint32_t number = 0;  // in the world's index
  SceneSite site;
  BlobArray<Vec3> spawn_points;
  BlobArray<SceneBox> triggers;
  BlobArray<SceneBox> gates;
  ObjectArrays objects;
  BlobArray<char> script_name;
  BlobArray<char> script_text;
};
static_assert(BlobData<SceneHeader> && sizeof(SceneHeader) == 5 * 4 + 8 * sizeof(BlobArray<Vec3>));

class SceneBlob {
 public:
  static constexpr std::uint32_t kMostBytes = 4u << 20;
  static constexpr std::size_t kMostTriggers = 64;
  static constexpr std::size_t kMostGates = 64;

  // The scene at the beginning of `bytes`. `number`: a blob of another scene is refused.
  static Result<SceneBlob> Open(std::span<const std::byte> bytes, std::uint32_t number);

  const SceneSite& site() const { return header_->site; }
  std::span<const Vec3> spawn_points() const { return spawn_points_; }
  std::span<const SceneBox> triggers() const { return triggers_; }
  std::span<const SceneBox> gates() const { return gates_; }
  const ObjectsView& objects() const { return objects_; }
  std::string_view script_name() const { return script_name_; }
  std::string_view script_text() const { return script_text_; }

 private:
  explicit SceneBlob(const SceneHeader* header) : header_(header) {}
  Result<void> OpenPlaces(const Blob& blob);
  Result<void> OpenScript(const Blob& blob);

  const SceneHeader* header_;
  std::span<const Vec3> spawn_points_;
  std::span<const SceneBox> triggers_;
  std::span<const SceneBox> gates_;
  ObjectsView objects_;
  std::string_view script_name_;
  std::string_view script_text_;
};

struct SceneSource {
  std::uint32_t number = 0;
  SceneSite site;
  std::vector<Vec3> spawn_points;
  ObjectLists objects;
  std::vector<SceneBox> triggers = {};
  std::vector<SceneBox> gates = {};
  SceneScript script = {};
};

// kCapacity "blob bytes" or "memory".
Result<std::vector<std::byte>> MakeSceneBlob(const SceneSource& scene);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_SCENE_BLOB_H_
