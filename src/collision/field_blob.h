// FieldBlob: a height field as a blob, whose samples and materials are used where they lie.
//
//   FieldBlobHeader   sizes, and which places the lists have
//   heights           columns times rows of them, metres, row by row
//   table, numbers    of the materials, and which cells are holes
//
// Opening finds the pyramid of the highest samples anew, which is no more work than a check of it:
// linear, and a twelfth of the memory of the samples. mesh_blob.h has the same for meshes.
//
// Thread safety: pure functions; any thread.
// Errors: kInvalidArgument "blob" for the bytes' alignment. kCorrupt: those of blob.h, of
// HeightField::Create and of surface_materials.h. kCapacity "blob bytes" or "memory".
// Source: [bitsquid2010], "The Blob and I". Test: tests/collision/shape_blobs_test.cc.
#ifndef NOWAIT_SRC_COLLISION_FIELD_BLOB_H_
#define NOWAIT_SRC_COLLISION_FIELD_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/height_field.h"
#include "src/collision/material_list.h"
#include "src/collision/shared_array.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kFieldKind = FourCharacters("FELD");
inline constexpr std::uint32_t kFieldVersion = 2;

struct FieldBlobHeader {
  std::uint32_t columns = 0, rows = 0;
  float spacing = 0.0f;  // metres
  BlobArray<float> heights;
  MaterialList materials;
};
static_assert(BlobData<FieldBlobHeader> && sizeof(FieldBlobHeader) == 9 * sizeof(float));

Result<std::vector<std::byte>> MakeFieldBlob(const HeightField& field);

// owner: keeps `bytes` as long as the field is there; without one, the caller does.
Result<std::unique_ptr<const HeightField>> OpenFieldBlob(std::span<const std::byte> bytes,
                                                         BlobOwner owner);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_FIELD_BLOB_H_
