// CompoundBlob: a compound as a blob, which opens without finding its frame and its tree anew.
//
//   const auto bytes = MakeCompoundBlob(*compound, hulls);        // once, in a tool
//   if (!bytes) return std::unexpected(bytes.error());
//   const auto opened = OpenCompoundBlob(*file, hulls);
//   if (!opened) return std::unexpected(opened.error());
//
// Hulls are blobs of their own (hull_blob.h), which several compounds may share; a child names its
// hull by the place in a list of the caller's. shape_set.h keeps such a list. A compound is small:
// it is copied out of the blob, which may go. One that was opened answers as the one that was
// saved, bit by bit.
//
// It is checked that each child is one that CompoundShape::Create takes, that the tree is one that
// a build makes, and that the frame is that of the children: their centre of mass is its origin,
// its axes are their principal ones, and mass and inertia are theirs.
//
// Thread safety: pure functions; any thread.
// Errors: kNotFound "child hull" with the child's number, of a hull that is not in the list.
// kInvalidArgument "blob" for the bytes' alignment (16). kCorrupt: those of blob.h and
// compound_child.h, or "compound children", "compound node", "compound nodes", "compound child",
// "compound mass", "compound centre", "compound inertia" or "compound rotation". kCapacity "blob
// bytes" or "memory".
// Complexity: linear in the children. Source: [bitsquid2010], "The Blob and I".
// Test: tests/collision/compound_blob_test.cc.
#ifndef NOWAIT_SRC_COLLISION_COMPOUND_BLOB_H_
#define NOWAIT_SRC_COLLISION_COMPOUND_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/mesh_tree.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kCompoundKind = FourCharacters("COMP");
inline constexpr std::uint32_t kCompoundVersion = 1;

// Sizes as in Shape; those that a kind does not have are zero.
struct CompoundBlobChild {
  static constexpr std::uint32_t kNoHull = ~std::uint32_t{0};

  std::uint32_t kind = 0;        // a ShapeKind
  std::uint32_t hull = kNoHull;  // of a hull: its place in the list
  float radius = 0.0f;
  float half_height = 0.0f;
  Vec3 half;
  Vec3 position;  // in the body's frame, likewise the rotation
  Quat rotation;
  float density = 1.0f;
  std::uint32_t number = 0;
};
static_assert(BlobData<CompoundBlobChild>);

struct CompoundBlobHeader {
  BlobArray<CompoundBlobChild> children;  // in the order of the tree
  BlobArray<MeshNode> nodes;
  float mass = 0.0f;  // of a density of one
  Vec3 inertia;       // likewise
  Vec3 centre;        // where the frame is, seen from the children's definition
  Quat rotation;
};
static_assert(BlobData<CompoundBlobHeader>);

// hulls: at least those of the compound's children, each once.
Result<std::vector<std::byte>> MakeCompoundBlob(const CompoundShape& compound,
                                                std::span<const ConvexHull* const> hulls);

// hulls: in the same order. They outlive the compound.
Result<std::unique_ptr<const CompoundShape>> OpenCompoundBlob(
    std::span<const std::byte> bytes, std::span<const ConvexHull* const> hulls);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_COMPOUND_BLOB_H_
