// SceneBlob: a scene of the open world as a blob: its objects, and where game objects appear.
//
//   SceneHeader     which scene, its site and its radii
//   spawn points    places within the encounter area, on the ground
//   objects         as in placed_object.h
//
// Thread safety: a view of bytes that others own; any number of readers.
// Errors: a scene comes from outside. Open checks all of it, so that no reader has to check
// anything: kCorrupt "blob" (src/resource/blob.h), "scene" with the reason, or "object".
// Test: tests/streaming/blobs_test.cc, tests/fuzz/tile_programs.cc.
// Source: [rouwe2022], "Open world - scenes"; [bitsquid2010], "The Blob and I".
#ifndef NOWAIT_SRC_STREAMING_SCENE_BLOB_H_
#define NOWAIT_SRC_STREAMING_SCENE_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/scene_site.h"

namespace nowait {

inline constexpr std::uint32_t kSceneKind = FourCharacters("SCEN");
inline constexpr std::uint32_t kSceneVersion = 1;

struct SceneHeader {
  std::uint32_t number = 0;  // in the world's index
  SceneSite site;
  BlobArray<Vec3> spawn_points;
  ObjectArrays objects;
};
template <>
inline constexpr bool kHasNoPadding<SceneHeader> = true;
static_assert(BlobData<SceneHeader> && sizeof(SceneHeader) == 5 * 4 + 4 * sizeof(BlobArray<Vec3>));

class SceneBlob {
 public:
  static constexpr std::uint32_t kMostBytes = 4u << 20;

  // The scene at the beginning of `bytes`. `number`: a blob of another scene is refused.
  static Result<SceneBlob> Open(std::span<const std::byte> bytes, std::uint32_t number);

  const SceneSite& site() const { return header_->site; }
  std::span<const Vec3> spawn_points() const { return spawn_points_; }
  const ObjectsView& objects() const { return objects_; }

 private:
  SceneBlob(const SceneHeader* header, std::span<const Vec3> points, const ObjectsView& objects)
      : header_(header), spawn_points_(points), objects_(objects) {}

  const SceneHeader* header_;
  std::span<const Vec3> spawn_points_;
  ObjectsView objects_;
};

struct SceneSource {
  std::uint32_t number = 0;
  SceneSite site;
  std::vector<Vec3> spawn_points;
  ObjectLists objects;
};

// kCapacity "blob bytes" or "memory".
Result<std::vector<std::byte>> MakeSceneBlob(const SceneSource& scene);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_SCENE_BLOB_H_
