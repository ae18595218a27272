#include "src/collision/field_blob.h"

#include <limits>
#include <utility>

#include "src/base/as_corrupt.h"

namespace nowait {

Result<std::vector<std::byte>> MakeFieldBlob(const HeightField& field) {
  BlobWriter writer(kFieldKind, kFieldVersion, std::numeric_limits<std::uint32_t>::max());
  FieldBlobHeader header{field.columns(), field.rows(), field.spacing(), {}, {}};
  const auto first = writer.Add(header);
  if (!first) return std::unexpected(first.error());
  const auto heights = writer.AddArray<float>(field.heights());
  if (!heights) return std::unexpected(heights.error());
  const auto materials = MaterialList::Add(field.materials(), writer);
  if (!materials) return std::unexpected(materials.error());
  header.heights = *heights;
  header.materials = *materials;
  writer.Set(*first, header);
  return writer.Finish();
}

Result<std::unique_ptr<const HeightField>> OpenFieldBlob(std::span<const std::byte> bytes,
                                                         BlobOwner owner) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kFieldKind, kFieldVersion); !kind) {
    return std::unexpected(kind.error());
  }
  const auto first = blob->First<FieldBlobHeader>();
  if (!first) return std::unexpected(first.error());
  const FieldBlobHeader& header = **first;
  const auto heights = blob->Get(header.heights);
  if (!heights) return std::unexpected(heights.error());
  const auto materials = header.materials.In(*blob);
  if (!materials) return std::unexpected(materials.error());
  auto field = HeightField::Use({.columns = header.columns,
                                 .rows = header.rows,
                                 .spacing = header.spacing,
                                 .heights = *heights,
                                 .materials = *materials},
                                std::move(owner));
  if (!field) return AsCorrupt(field.error());
  return field;
}

}  // namespace nowait
