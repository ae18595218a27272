#include "src/collision/mesh_blob.h"

#include <limits>
#include <utility>

#include "src/base/as_corrupt.h"
#include "src/base/or_no_memory.h"
#include "src/collision/mesh_tree_reader.h"
#include "src/math/bounds.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* subject, std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, subject, static_cast<std::int64_t>(place), why);
}

constexpr MeshTreeNames kTreeNames = {"mesh node", "mesh nodes", "mesh triangle"};
constexpr std::uint64_t kUnusedBit = std::uint64_t{1} << 63;

}  // namespace

class MeshBlobReader {
 public:
  MeshBlobReader(const Blob& blob, BlobOwner owner) : blob_(blob), owner_(std::move(owner)) {}

  Result<std::unique_ptr<const TriangleMesh>> Read() {
    const auto header = blob_.First<MeshBlobHeader>();
    if (!header) return std::unexpected(header.error());
    const auto nodes = blob_.Get((*header)->nodes);
    if (!nodes) return std::unexpected(nodes.error());
    const auto triangles = blob_.Get((*header)->triangles);
    if (!triangles) return std::unexpected(triangles.error());
    const auto vertices = blob_.Get((*header)->vertices);
    if (!vertices) return std::unexpected(vertices.error());
    nodes_ = *nodes;
    triangles_ = *triangles;
    vertices_ = *vertices;
    if (Result<void> checked = CheckLists(); !checked) return std::unexpected(checked.error());
    const auto materials = (*header)->materials.In(blob_);
    if (!materials) return std::unexpected(materials.error());
    if (auto valid = SurfaceMaterials::Validate(*materials, triangles_.size(),
                                                SurfaceMaterials::Holes::kNone);
        !valid) {
      return AsCorrupt(valid.error());
    }
    const auto box_of = [this](std::uint32_t id) { return TriangleBox(id); };
    auto tree = MeshTreeReader(SharedArray<MeshNode>(nodes_, owner_),
                               static_cast<std::uint32_t>(triangles_.size()), box_of, kTreeNames)
                    .Read();
    if (!tree) return std::unexpected(tree.error());
    auto mesh = std::unique_ptr<TriangleMesh>(new TriangleMesh);
    mesh->tree_ = std::move(*tree);
    mesh->triangles_ = SharedArray<TriangleMesh::Packed>(triangles_, owner_);
    mesh->vertices_ = SharedArray<Vec3>(vertices_, owner_);
    mesh->materials_ = SurfaceMaterials(*materials, owner_);
    mesh->dropped_ = (*header)->dropped;
    mesh->FindRounding();
    return mesh;
  }

 private:
  Result<void> CheckLists() const {
    if (triangles_.empty() || triangles_.size() > TriangleMesh::kMaxTriangles) {
      return Wrong("mesh triangles", triangles_.size(), "1 .. 2097152");
    }
    if (vertices_.size() > TriangleMesh::kMaxVertices) {
      return Wrong("mesh vertices", vertices_.size(), "up to 1048576");
    }
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      const Vec3 size = Abs(vertices_[i]);
      constexpr float kMost = TriangleMesh::kFarthest;
      if (!(size.x <= kMost && size.y <= kMost && size.z <= kMost)) {  // NaN fails too
        return Wrong("mesh vertex", i, "not within 10000 metres");
      }
    }
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      if ((triangles_[i].word & kUnusedBit) != 0)
        return Wrong("mesh triangle", i, "has no such bit");
      for (std::uint32_t corner = 0; corner < 3; ++corner) {
        if (triangles_[i].Corner(corner) >= vertices_.size()) {
          return Wrong("mesh triangle", i, "there is no such vertex");
        }
      }
      if (!TriangleMesh::HasArea(PlacesOf(i))) return Wrong("mesh triangle", i, "has no area");
    }
    return {};
  }

  std::array<Vec3, 3> PlacesOf(std::size_t id) const {
    const TriangleMesh::Packed& packed = triangles_[id];
    return {vertices_[packed.Corner(0)], vertices_[packed.Corner(1)], vertices_[packed.Corner(2)]};
  }

  Bounds<3> TriangleBox(std::size_t id) const {
    const auto [a, b, c] = PlacesOf(id);
    return ToBounds(Min(Min(a, b), c), Max(Max(a, b), c));
  }

  const Blob& blob_;
  const BlobOwner owner_;
  std::span<const MeshNode> nodes_;
  std::span<const TriangleMesh::Packed> triangles_;
  std::span<const Vec3> vertices_;
};

Result<std::vector<std::byte>> MakeMeshBlob(const TriangleMesh& mesh) {
  BlobWriter writer(kMeshKind, kMeshVersion, std::numeric_limits<std::uint32_t>::max());
  MeshBlobHeader header;
  const auto first = writer.Add(header);
  if (!first) return std::unexpected(first.error());
  const auto nodes = writer.AddArray<MeshNode>(mesh.tree().nodes());
  if (!nodes) return std::unexpected(nodes.error());
  const auto triangles = writer.AddArray<TriangleMesh::Packed>(mesh.packed());
  if (!triangles) return std::unexpected(triangles.error());
  const auto vertices = writer.AddArray<Vec3>(mesh.places());
  if (!vertices) return std::unexpected(vertices.error());
  const auto materials = MaterialList::Add(mesh.materials(), writer);
  if (!materials) return std::unexpected(materials.error());
  header = {*nodes, *triangles, *vertices, *materials, mesh.dropped(), {}};
  writer.Set(*first, header);
  return writer.Finish();
}

Result<std::unique_ptr<const TriangleMesh>> OpenMeshBlob(std::span<const std::byte> bytes,
                                                         BlobOwner owner) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kMeshKind, kMeshVersion); !kind) {
    return std::unexpected(kind.error());
  }
  return OrNoMemory([&] { return MeshBlobReader(*blob, std::move(owner)).Read(); });
}

}  // namespace nowait
