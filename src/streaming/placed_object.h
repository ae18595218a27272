// PlacedObject: an object of a tile or a scene, as it lies in a blob.
//
// A blob has its objects, and the hulls that they share, as three arrays. Objects lie in this order
// in a blob: static ones first. A view of a blob is made by OpenObjects, which checks all of it;
// after that each index leads to an entry.
//
// Thread safety: plain data and pure functions.
// Errors: kCorrupt "object", `amount` is the object's or the hull's number.
#ifndef NOWAIT_SRC_STREAMING_PLACED_OBJECT_H_
#define NOWAIT_SRC_STREAMING_PLACED_OBJECT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"

namespace nowait {

struct PlacedObject {
  enum Kind : std::uint32_t { kSphere, kCapsule, kBox, kCylinder, kHull };
  enum Motion : std::uint32_t { kStatic, kAsleep, kAwake };
  // Metres, of a half extent or a radius. There is no smaller shape.
  static constexpr float kLeastSize = 0.001f;
  static constexpr float kMostSize = 128.0f;
  static constexpr float kMostFriction = 10.0f;

  std::uint32_t kind = kSphere;
  std::uint32_t motion = kStatic;
  std::uint32_t hull = 0;  // of a hull: its number in the blob
  // A sphere: x is the radius. A capsule, a cylinder: x is the radius and y half the height, as in
  // Shape. A box: half its extents. A hull: unused.
  Vec3 size;
  Vec3 position;  // in the world's frame, metres
  Quat rotation;
  float friction = 0.7f;
  std::uint32_t friction_rule = 0;  // a CombineRule
};
static_assert(BlobData<PlacedObject> && sizeof(PlacedObject) == 15 * sizeof(float));

// Its points lie behind those of the hulls before it.
struct PlacedHull {
  static constexpr std::uint32_t kMostPoints = 64;
  std::uint32_t points = 0;
};
static_assert(BlobData<PlacedHull>);

// The part of a blob's header that names its objects.
struct ObjectArrays {
  BlobArray<PlacedObject> objects;
  BlobArray<PlacedHull> hulls;
  BlobArray<Vec3> hull_points;
};

struct ObjectsView {
  std::span<const PlacedObject> objects;
  std::span<const PlacedHull> hulls;
  std::span<const Vec3> hull_points;
};

// The source of a blob's objects.
struct ObjectLists {
  std::vector<PlacedObject> objects;
  std::vector<std::vector<Vec3>> hulls;  // their points
};

Result<ObjectsView> OpenObjects(const Blob& blob, const ObjectArrays& arrays);
// Errors are the writer's. Static objects are put first; otherwise the order stays.
Result<ObjectArrays> AddObjects(const ObjectLists& lists, BlobWriter& writer);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_PLACED_OBJECT_H_
