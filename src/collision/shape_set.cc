#include "src/collision/shape_set.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/collision/compound_blob.h"
#include "src/collision/field_blob.h"
#include "src/collision/hull_blob.h"
#include "src/collision/mesh_blob.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* subject, std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, subject, static_cast<std::int64_t>(place), why);
}

void AddOnce(const ConvexHull* hull, std::vector<const ConvexHull*>& hulls) {
  if (std::ranges::find(hulls, hull) == hulls.end()) hulls.push_back(hull);
}

// Those of the shapes, and of their children.
std::vector<const ConvexHull*> HullsOf(std::span<const Shape> shapes) {
  std::vector<const ConvexHull*> hulls;
  for (const Shape& shape : shapes) {
    if (shape.kind == ShapeKind::kHull) AddOnce(shape.hull, hulls);
    if (shape.kind != ShapeKind::kCompound) continue;
    for (const CompoundShape::Child& child : shape.compound->children()) {
      if (child.shape.kind == ShapeKind::kHull) AddOnce(child.shape.hull, hulls);
    }
  }
  return hulls;
}

Result<std::vector<std::byte>> BlobOf(const Shape& shape,
                                      std::span<const ConvexHull* const> hulls) {
  if (shape.kind == ShapeKind::kMesh) return MakeMeshBlob(*shape.mesh);
  if (shape.kind == ShapeKind::kHeightField) return MakeFieldBlob(*shape.height_field);
  return MakeCompoundBlob(*shape.compound, hulls);
}

// The blobs of the shapes, hulls first, and of each shape the place of its blob.
struct Blobs {
  std::vector<std::byte> bytes;
  std::vector<std::uint32_t> places;
  ShapeSetHeader header;

  Result<void> Add(std::span<const Shape> shapes) {
    const std::vector<const ConvexHull*> hulls = HullsOf(shapes);
    for (const ConvexHull* hull : hulls) {
      if (auto added = Append(MakeHullBlob(*hull)); !added) return added;
    }
    header.hulls = static_cast<std::uint32_t>(hulls.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!HasSharedData(shapes[i])) {
        return Fail(ErrorCode::kInvalidArgument, "shape", static_cast<std::int64_t>(i),
                    "it has no shared data");
      }
      if (shapes[i].kind == ShapeKind::kHull) {
        const auto place = std::ranges::find(hulls, shapes[i].hull) - hulls.begin();
        places.push_back(static_cast<std::uint32_t>(place));
        continue;
      }
      if (auto added = Append(BlobOf(shapes[i], hulls)); !added) return added;
      places.push_back(header.hulls + header.others++);
    }
    return {};
  }

 private:
  Result<void> Append(const Result<std::vector<std::byte>>& blob) {
    if (!blob) return std::unexpected(blob.error());
    bytes.insert(bytes.end(), blob->begin(), blob->end());
    return {};
  }
};

// The next blob of a set, which is not at its end.
Result<Blob> TakeBlob(BlobSequence& sequence, std::size_t place) {
  const auto blob = sequence.TakeNext();
  if (!blob) return std::unexpected(blob.error());
  if (!*blob) return Wrong("shapes", place, "the blob of a shape is missing");
  return **blob;
}

}  // namespace

Result<std::vector<std::byte>> ShapeSet::ToBytes(std::span<const Shape> shapes) {
  return OrNoMemory([&]() -> Result<std::vector<std::byte>> {
    Blobs blobs;
    if (auto added = blobs.Add(shapes); !added) return std::unexpected(added.error());
    BlobWriter writer(kShapeSetKind, kShapeSetVersion, std::numeric_limits<std::uint32_t>::max());
    const auto at = writer.Add(blobs.header);
    if (!at) return std::unexpected(at.error());
    const auto places = writer.AddArray<std::uint32_t>(blobs.places);
    if (!places) return std::unexpected(places.error());
    blobs.header.shapes = *places;
    writer.Set(*at, blobs.header);
    auto bytes = writer.Finish();
    if (bytes) bytes->insert(bytes->end(), blobs.bytes.begin(), blobs.bytes.end());
    return bytes;
  });
}

Result<ShapeSet> ShapeSet::Take(BlobSequence& sequence, const BlobOwner& owner) {
  return OrNoMemory([&]() -> Result<ShapeSet> {
    const auto first = TakeBlob(sequence, 0);
    if (!first) return std::unexpected(first.error());
    if (auto kind = first->Expect(kShapeSetKind, kShapeSetVersion); !kind) {
      return std::unexpected(kind.error());
    }
    const auto header = first->First<ShapeSetHeader>();
    if (!header) return std::unexpected(header.error());
    const auto places = first->Get((*header)->shapes);
    if (!places) return std::unexpected(places.error());

    ShapeSet set;
    if (auto taken = set.TakeHulls(sequence, (*header)->hulls); !taken) {
      return std::unexpected(taken.error());
    }
    std::vector<Shape> all;
    for (const ConvexHull* hull : set.hull_list_) all.push_back(Shape::Hull(hull));
    for (std::uint32_t i = 0; i < (*header)->others; ++i) {
      const auto shape = set.TakeOther(sequence, owner);
      if (!shape) return std::unexpected(shape.error());
      all.push_back(*shape);
    }
    for (std::size_t i = 0; i < places->size(); ++i) {
      if ((*places)[i] >= all.size()) return Wrong("shape", i, "its blob is missing");
      set.shapes_.push_back(all[(*places)[i]]);
    }
    return set;
  });
}

Result<void> ShapeSet::TakeHulls(BlobSequence& sequence, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto blob = TakeBlob(sequence, i);
    if (!blob) return std::unexpected(blob.error());
    auto hull = OpenHullBlob(blob->bytes());
    if (!hull) return std::unexpected(hull.error());
    hull_list_.push_back(hull->get());
    hulls_.push_back(std::move(*hull));
  }
  return {};
}

Result<Shape> ShapeSet::TakeOther(BlobSequence& sequence, const BlobOwner& owner) {
  const std::size_t place = hulls_.size() + meshes_.size() + fields_.size() + compounds_.size();
  const auto blob = TakeBlob(sequence, place);
  if (!blob) return std::unexpected(blob.error());
  if (blob->kind() == kMeshKind) {
    auto mesh = OpenMeshBlob(blob->bytes(), owner);
    if (!mesh) return std::unexpected(mesh.error());
    return Shape::Mesh(meshes_.emplace_back(std::move(*mesh)).get());
  }
  if (blob->kind() == kFieldKind) {
    auto field = OpenFieldBlob(blob->bytes(), owner);
    if (!field) return std::unexpected(field.error());
    return Shape::Ground(fields_.emplace_back(std::move(*field)).get());
  }
  auto compound = OpenCompoundBlob(blob->bytes(), hull_list_);
  if (!compound) return std::unexpected(compound.error());
  return Shape::Compound(compounds_.emplace_back(std::move(*compound)).get());
}

}  // namespace nowait
