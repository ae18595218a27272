// HeightField: solid ground below a grid of heights.
//
// Sample (i, k) stands at x = i * spacing, z = k * spacing in the field's frame, for i below
// columns and k below rows. Each cell is cut into two triangles along the diagonal from its sample
// (i, k) to (i + 1, k + 1). Everything below the surface is solid, so a body that has sunk below it
// is pushed up again.
//
// A cell whose material is SurfaceMaterials::kHole is a hole: it has no triangles, and below it
// nothing is solid. Every query and every body passes. The sides of a hole are no surface either: a
// game lines a shaft with other shapes, or a body that moves beside it, into the ground, is pushed
// up. A cave needs a hole for each cell over it, and a roof. Samples with holes all round have no
// effect. Test: tests/collision/field_holes_test.cc.
//
// Thread safety: immutable after Create, Use or Edited; any thread.
#ifndef NOWAIT_SRC_COLLISION_HEIGHT_FIELD_H_
#define NOWAIT_SRC_COLLISION_HEIGHT_FIELD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "src/base/result.h"
#include "src/collision/height_pyramid.h"
#include "src/collision/shared_array.h"
#include "src/collision/surface_materials.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

struct HeightFieldDef {
  std::uint32_t columns = 0;       // samples along x, 2 .. 4096
  std::uint32_t rows = 0;          // samples along z, 2 .. 4096
  float spacing = 1.0f;            // metres between samples, above zero
  std::span<const float> heights;  // columns * rows of them, row by row: heights[k * columns + i]
  // Of the cells: that of cell (i, k) is number k * (columns - 1) + i.
  SurfaceMaterialsDef materials = {};
};

// A rectangle of samples, with what they and the cells between them become.
struct FieldRegion {
  std::uint32_t first_i = 0, first_k = 0;  // its first sample
  std::uint32_t columns = 0, rows = 0;     // samples
  std::span<const float> heights = {};     // columns * rows of them, row by row; empty: they stay
  // (columns - 1) * (rows - 1) of them, of a field with materials; empty: they stay.
  std::span<const std::uint8_t> materials = {};
};

class HeightField {
 public:
  // Copies the heights and the materials; time and memory linear in them. kInvalidArgument names
  // the value that is out of range; kCapacity "memory"; and those of surface_materials.h.
  static Result<std::unique_ptr<const HeightField>> Create(const HeightFieldDef& def);
  // Likewise, but the heights and the materials are used where they lie, kept by the owner; memory:
  // a twelfth of the heights', for the pyramid. As a blob of its own: field_blob.h.
  static Result<std::unique_ptr<const HeightField>> Use(const HeightFieldDef& def, BlobOwner owner);

  // This field with the region changed. This one stays: readers may have it. kInvalidArgument
  // "field region", "field region heights" or "field region materials" with their number; "height
  // field height" or "material number" with the place in the region; "height field cells" if no
  // ground is left; kCapacity "memory". Time: a copy of what changes, one look at each sample
  // and cell for the lowest height, and work in the region. Lists that stay are shared, and a blob
  // is kept as long as one of the fields has a list of it.
  Result<std::unique_ptr<const HeightField>> Edited(const FieldRegion& region) const;

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  float spacing() const { return spacing_; }
  // Of the samples at cells that are no holes.
  float min_height() const { return min_height_; }
  float max_height() const { return max_height_; }
  const HeightPyramid& tops() const { return tops_; }

  const SurfaceMaterials& materials() const { return materials_; }
  bool has_holes() const { return has_holes_; }
  // Whether cell (i, k) is a hole.
  bool IsHole(std::uint32_t i, std::uint32_t k) const {
    return has_holes_ && MaterialOf(i, k) == SurfaceMaterials::kHole;
  }
  // Likewise, the cell at (x, z) of the field's frame; outside, the nearest one.
  bool IsHoleAt(float x, float z) const;
  // Whether there is a cell (i, k), which may lie outside, and it is no hole.
  bool HasGround(std::int64_t i, std::int64_t k) const;
  // Whether one of the edges of the surface leads from sample (i, k) to (i + di, k + dk), one of
  // the six that may: on the border of a hole it does.
  bool HasEdge(std::uint32_t i, std::uint32_t k, int di, int dk) const;
  // The number of the material of cell (i, k).
  std::uint8_t MaterialOf(std::uint32_t i, std::uint32_t k) const {
    return materials_.NumberOf(std::size_t{k} * (columns_ - 1) + i);
  }
  // Of the cell at (x, z) of the field's frame; outside, of the nearest one. At a hole, of one of
  // its neighbours with ground: the point lies on its border; 0 without any.
  std::uint8_t MaterialAt(float x, float z) const;

  // Along x and z.
  float width() const { return static_cast<float>(columns_ - 1) * spacing_; }
  float depth() const { return static_cast<float>(rows_ - 1) * spacing_; }

  float HeightOf(std::uint32_t i, std::uint32_t k) const { return heights_[k * columns_ + i]; }
  Vec3 Sample(std::uint32_t i, std::uint32_t k) const {
    return {static_cast<float>(i) * spacing_, HeightOf(i, k), static_cast<float>(k) * spacing_};
  }

  // The height of the surface at (x, z) of the field's frame; outside, that of the border; in a
  // hole, what the samples give.
  float SurfaceAt(float x, float z) const;
  std::span<const float> heights() const { return heights_.all(); }

  // The cells that a range of x and z touches, first to last inclusive; empty when it lies outside.
  struct CellRange {
    std::uint32_t first_i, last_i, first_k, last_k;
    bool empty = false;
  };
  CellRange CellsIn(float min_x, float max_x, float min_z, float max_z) const;

  // Triangle 0 of a cell has the sample (i, k + 1), triangle 1 has (i + 1, k); both have the
  // diagonal. Vertices run counter-clockwise seen from above.
  struct Triangle {
    std::uint32_t id;                                     // 2 * (k * columns + i) + which
    std::array<std::array<std::uint32_t, 2>, 3> samples;  // (i, k) of each vertex
    std::array<Vec3, 3> vertices;
    Vec3 normal;  // unit length, upwards
  };
  Triangle TriangleAt(std::uint32_t i, std::uint32_t k, std::uint32_t which) const;
  // Its vertices alone.
  std::array<Vec3, 3> VerticesAt(std::uint32_t i, std::uint32_t k, std::uint32_t which) const {
    const Vec3 far = Sample(i + 1, k + 1);
    return which == 0 ? std::array{Sample(i, k), Sample(i, k + 1), far}
                      : std::array{Sample(i, k), far, Sample(i + 1, k)};
  }

  // The vertex across edge `edge` (from vertex `edge` to the next) in the triangle on the other
  // side of it, or nothing where the ground ends.
  std::optional<Vec3> VertexAcross(const Triangle& triangle, int edge) const;

 private:
  HeightField() = default;
  // Finds what is kept beside the samples, but for the pyramid. The error is that of a field that
  // is all holes.
  Result<void> Summarise();
  static Result<std::unique_ptr<const HeightField>> Make(const HeightFieldDef& def,
                                                         SharedArray<float> heights,
                                                         SurfaceMaterials materials);

  std::uint32_t columns_ = 0;
  std::uint32_t rows_ = 0;
  float spacing_ = 1.0f;
  float min_height_ = 0.0f;
  float max_height_ = 0.0f;
  bool has_holes_ = false;
  SharedArray<float> heights_;
  HeightPyramid tops_;
  SurfaceMaterials materials_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_HEIGHT_FIELD_H_
