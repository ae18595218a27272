// MaterialList: the materials of a surface's parts, as they lie in a blob.
//
// Thread safety: plain data and pure functions.
// Errors: those of blob.h.
#ifndef NOWAIT_SRC_COLLISION_MATERIAL_LIST_H_
#define NOWAIT_SRC_COLLISION_MATERIAL_LIST_H_

#include <cstdint>

#include "src/base/result.h"
#include "src/collision/surface_materials.h"
#include "src/resource/blob.h"

namespace nowait {

static_assert(BlobData<SurfaceMaterial> && sizeof(SurfaceMaterial) == 2 * sizeof(float));

struct MaterialList {
  BlobArray<SurfaceMaterial> table;
  BlobArray<std::uint8_t> numbers;

  // The errors are the writer's.
  static Result<MaterialList> Add(const SurfaceMaterials& materials, BlobWriter& writer) {
    const auto table = writer.AddArray<SurfaceMaterial>(materials.table());
    if (!table) return std::unexpected(table.error());
    const auto numbers = writer.AddArray<std::uint8_t>(materials.numbers());
    if (!numbers) return std::unexpected(numbers.error());
    return MaterialList{*table, *numbers};
  }

  // In place; not checked by SurfaceMaterials::Validate yet.
  Result<SurfaceMaterialsDef> In(const Blob& blob) const {
    const auto of_table = blob.Get(table);
    if (!of_table) return std::unexpected(of_table.error());
    const auto of_parts = blob.Get(numbers);
    if (!of_parts) return std::unexpected(of_parts.error());
    return SurfaceMaterialsDef{*of_table, *of_parts};
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MATERIAL_LIST_H_
