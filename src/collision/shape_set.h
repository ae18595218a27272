// ShapeSet: shapes with shared data and the hulls of their children, written to bytes and opened.
//
//   const auto bytes = ShapeSet::ToBytes(shapes);                 // those of World::Save
//   if (!bytes) return std::unexpected(bytes.error());
//   BlobSequence sequence(*file);
//   auto set = ShapeSet::Take(sequence, file);
//   if (!set) return std::unexpected(set.error());
//   world->Restore(saved, set->shapes());
//
// A world's own blob has the numbers of such shapes (saved_world.h); with this one it is complete:
// a program that has no other file goes on with the world. The bytes are blobs in a row: one of
// kind "SHPS", which says what follows, then the hulls, those of compounds included and each once,
// then the meshes, height fields and compounds.
//
// Thread safety: a set is immutable; any thread. It outlives the bodies that have its shapes, as
// Shape says.
// Errors: of ToBytes kInvalidArgument "shape" with its place, of a shape without shared data. Of
// Take kCorrupt "shapes" or "shape" with its place, and the errors of the blobs (hull_blob.h,
// mesh_blob.h, field_blob.h, compound_blob.h). kCapacity "blob bytes" or "memory". After an error
// of Take the sequence is somewhere.
// Complexity: linear in the bytes, and what opening each blob takes.
// Test: tests/collision/shape_set_test.cc.
#ifndef NOWAIT_SRC_COLLISION_SHAPE_SET_H_
#define NOWAIT_SRC_COLLISION_SHAPE_SET_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/shape.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/shared_array.h"
#include "src/collision/triangle_mesh.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kShapeSetKind = FourCharacters("SHPS");
inline constexpr std::uint32_t kShapeSetVersion = 1;

struct ShapeSetHeader {
  std::uint32_t hulls = 0;          // the first ones of the blobs that follow
  std::uint32_t others = 0;         // behind them
  BlobArray<std::uint32_t> shapes;  // of each shape the place of its blob
};
static_assert(BlobData<ShapeSetHeader>);

class ShapeSet {
 public:
  ShapeSet() = default;

  // shapes: each has shared data.
  static Result<std::vector<std::byte>> ToBytes(std::span<const Shape> shapes);

  // The set at the beginning of the sequence. owner: keeps its bytes as long as the set is there;
  // without one, the caller does.
  static Result<ShapeSet> Take(BlobSequence& sequence, const BlobOwner& owner);

  // In the order of ToBytes.
  std::span<const Shape> shapes() const { return shapes_; }

 private:
  Result<void> TakeHulls(BlobSequence& sequence, std::uint32_t count);
  // Returns the shape of the next blob.
  Result<Shape> TakeOther(BlobSequence& sequence, const BlobOwner& owner);

  std::vector<Shape> shapes_;
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
  std::vector<const ConvexHull*> hull_list_;  // the same ones
  std::vector<std::unique_ptr<const TriangleMesh>> meshes_;
  std::vector<std::unique_ptr<const HeightField>> fields_;
  std::vector<std::unique_ptr<const CompoundShape>> compounds_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SHAPE_SET_H_
