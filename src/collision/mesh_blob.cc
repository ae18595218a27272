#include "src/collision/mesh_blob.h"

#include <limits>
#include <utility>

#include "src/base/or_no_memory.h"
#include "src/math/bounds.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const char* subject, std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, subject, static_cast<std::int64_t>(place), why);
}

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
    Bounds<3> bounds = Bounds<3>::Empty();
    for (std::uint32_t id = 0; id < triangles_.size(); ++id) bounds.Include(TriangleBox(id));
    auto mesh = std::unique_ptr<TriangleMesh>(new TriangleMesh);
    mesh->tree_ = MeshTree(bounds);
    mesh->tree_.nodes_ = SharedArray<MeshNode>(nodes_, owner_);
    if (Result<Bounds<3>> all = CheckNode(mesh->tree_, 0, 1); !all) {
      return std::unexpected(all.error());
    }
    if (next_node_ != nodes_.size()) return Wrong("mesh nodes", nodes_.size(), "too many");
    if (next_triangle_ != triangles_.size()) {
      return Wrong("mesh triangle", next_triangle_, "is in no leaf");
    }
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
    if (nodes_.empty()) return Wrong("mesh nodes", 0, "there is no tree");
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

  // A build numbers nodes and triangles in the order in which this walk meets them. So each of them
  // is met once, and no node is below itself. Returns the box of the node's triangles.
  Result<Bounds<3>> CheckNode(const MeshTree& tree, std::uint32_t number, std::uint32_t level) {
    next_node_ = number + 1;
    const MeshNode& node = nodes_[number];
    Bounds<3> all = Bounds<3>::Empty();
    MeshNode made{};
    std::size_t count = 0;
    for (; count < MeshNode::kChildren && IsThere(node, count); ++count) {
      const Result<Bounds<3>> box = CheckChild(tree, number, count, level);
      if (!box) return box;
      tree.Quantise(*box, made, count);
      all.Include(*box);
    }
    if (count == 0) return Wrong("mesh node", number, "has no child");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t c = count; c < MeshNode::kChildren; ++c) {
        made.min[axis][c] = std::numeric_limits<std::uint16_t>::max();
      }
    }
    if (node.min != made.min || node.max != made.max) {
      return Wrong("mesh node", number, "has a box that is not that of its triangles");
    }
    return all;
  }

  static bool IsThere(const MeshNode& node, std::size_t child) {
    return node.min[0][child] <= node.max[0][child];
  }

  Result<Bounds<3>> CheckChild(const MeshTree& tree, std::uint32_t number, std::size_t c,
                               std::uint32_t level) {
    const MeshChild child = nodes_[number].children[c];
    if (!child.is_leaf()) {
      if (child.node() != next_node_ || child.node() >= nodes_.size()) {
        return Wrong("mesh node", number, "a child is not the next node");
      }
      if (level == MeshTree::kMaxLevels) return Wrong("mesh node", number, "lies too deep");
      return CheckNode(tree, child.node(), level + 1);
    }
    const std::uint32_t first = child.first(), count = child.count();
    if (first != next_triangle_ || count > MeshChild::kLeafSize ||
        count > triangles_.size() - first) {
      return Wrong("mesh node", number, "a leaf does not have the next triangles");
    }
    next_triangle_ += count;
    Bounds<3> box = Bounds<3>::Empty();
    for (std::uint32_t id = first; id < first + count; ++id) box.Include(TriangleBox(id));
    return box;
  }

  const Blob& blob_;
  const BlobOwner owner_;
  std::span<const MeshNode> nodes_;
  std::span<const TriangleMesh::Packed> triangles_;
  std::span<const Vec3> vertices_;
  std::uint32_t next_node_ = 0, next_triangle_ = 0;
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
