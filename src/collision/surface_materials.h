// SurfaceMaterials: the materials of a surface's parts, the triangles of a mesh or the cells of a
// height field: a small table, and for each part its number in it.
//
//   constexpr std::array kTable = {SurfaceMaterial{}, SurfaceMaterial{.friction = 0.01f}};  // ice
//   auto mesh = TriangleMesh::Create({.vertices = places, .indices = corners,
//                                     .materials = {.table = kTable, .numbers = of_triangles}});
//
// A part's friction is a factor of the body's. So one surface can be a slippery body here and a
// rough one there, a contact hook that changes the friction of a pair changes all of its parts
// alike, and a body with a friction of one has the table's own values. Each contact point has the
// material of the part that it lies on: a box that stands half on ice has two corners that hold.
// The surface velocity and the rolling resistance are the body's alone. The tiles of the streamer
// have a number for each cell of their ground (src/streaming/ground_material.h).
//
// Thread safety: immutable after Create; any thread.
// Errors: kInvalidArgument "surface materials" with the size of the table; "surface friction" or
// "surface restitution" with the place in the table; "material numbers" with how many there are;
// "material number" with the place of one that is not below the size of the table, nor the hole of
// a height field. kCapacity "memory" is the surface's.
// Complexity: of each answer, constant. Memory: a byte a part.
// Source: materials by index beside the triangles: [ericson2005], section 12.1.
// Lecture: mesh contacts and inner edges.
#ifndef NOWAIT_SRC_COLLISION_SURFACE_MATERIALS_H_
#define NOWAIT_SRC_COLLISION_SURFACE_MATERIALS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/shared_array.h"

namespace nowait {

struct SurfaceMaterial {
  float friction = 1.0f;     // 0 .. 100, times the friction of the surface's body
  float restitution = 0.0f;  // 0 .. 1; counts as the body's, where it is larger
};

// Both empty: every part has material 0, which is the body's.
struct SurfaceMaterialsDef {
  std::span<const SurfaceMaterial> table;  // up to 255
  // One for each part, below the size of the table; a cell's may also be kHole.
  std::span<const std::uint8_t> numbers;
};

class SurfaceMaterials {
 public:
  static constexpr std::size_t kMostMaterials = 255;
  // The number of a height field's cell in which there is no ground (height_field.h).
  static constexpr std::uint8_t kHole = 255;
  enum class Holes : std::uint8_t { kNone, kAllowed };

  // Of the body alone.
  SurfaceMaterials() = default;

  // parts: how many the surface has.
  static Result<void> Validate(const SurfaceMaterialsDef& def, std::size_t parts, Holes holes);
  // def: valid. Throws std::bad_alloc.
  explicit SurfaceMaterials(const SurfaceMaterialsDef& def)
      : table_(std::vector(def.table.begin(), def.table.end())),
        numbers_(std::vector(def.numbers.begin(), def.numbers.end())) {}
  // Likewise, without a copy: the owner keeps both lists, where they lie.
  SurfaceMaterials(const SurfaceMaterialsDef& def, const BlobOwner& owner)
      : table_(def.table, owner), numbers_(def.numbers, owner) {}

  // Those of these parts, in this order. Throws std::bad_alloc.
  SurfaceMaterials Ordered(std::span<const std::uint32_t> parts) const;

  bool empty() const { return table_.empty(); }
  std::span<const SurfaceMaterial> table() const { return table_.all(); }
  std::span<const std::uint8_t> numbers() const { return numbers_.all(); }
  std::uint8_t NumberOf(std::size_t part) const {
    return empty() ? std::uint8_t{0} : numbers_[part];
  }
  std::size_t bytes() const { return table_.bytes() + numbers_.bytes(); }

 private:
  SharedArray<SurfaceMaterial> table_;
  SharedArray<std::uint8_t> numbers_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SURFACE_MATERIALS_H_
