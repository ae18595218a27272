// MeshBlob: a triangle mesh as a blob, used where it lies.
//
//   const auto bytes = MakeMeshBlob(*mesh);                       // once, in a tool
//   if (!bytes) return std::unexpected(bytes.error());
//   const auto opened = OpenMeshBlob(*file, file);                // no tree is built
//   if (!opened) return std::unexpected(opened.error());
//
//   MeshBlobHeader   which places the lists have
//   nodes            of the tree, 64 bytes each, at a multiple of 64
//   triangles        64 bits each, in the order of the tree
//   vertices         three floats each, in the order of their first use
//   table, numbers   of the materials
//
// Opening takes the time to read the blob twice, for the checksum and for the check; it keeps no
// copy of a list and allocates none. It is checked that each walk of the tree ends, that each
// vertex and material is there, and that each box is the one that a build makes of its triangles.
// So a mesh that was opened answers as the one that was saved. It is not checked which edges are
// active: any marks are usable.
//
// Thread safety: pure functions; any thread.
// Errors: kInvalidArgument "blob" for the bytes' alignment (16; walks of the tree are fastest at a
// multiple of 64). kCorrupt: those of blob.h, or "mesh vertex", "mesh triangle", "mesh node",
// "mesh triangles", "mesh vertices" or "mesh nodes" with the place in the list or its length; those
// of surface_materials.h. kCapacity "blob bytes" or "memory".
// Source: [bitsquid2010], "The Blob and I". Test: tests/collision/shape_blobs_test.cc.
#ifndef NOWAIT_SRC_COLLISION_MESH_BLOB_H_
#define NOWAIT_SRC_COLLISION_MESH_BLOB_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/material_list.h"
#include "src/collision/shared_array.h"
#include "src/collision/triangle_mesh.h"
#include "src/resource/blob.h"

namespace nowait {

inline constexpr std::uint32_t kMeshKind = FourCharacters("MESH");
inline constexpr std::uint32_t kMeshVersion = 1;

static_assert(BlobData<TriangleMesh::Packed> && sizeof(TriangleMesh::Packed) == 8);
static_assert(BlobData<MeshNode> && sizeof(MeshNode) == 2 * 3 * 4 * 2 + 4 * 4);

struct MeshBlobHeader {
  BlobArray<MeshNode> nodes;
  BlobArray<TriangleMesh::Packed> triangles;
  BlobArray<Vec3> vertices;
  MaterialList materials;
  std::uint32_t dropped = 0;
  std::array<std::uint32_t, 13> unused = {};  // the nodes begin at a multiple of 64
};
static_assert(BlobData<MeshBlobHeader>);
static_assert((sizeof(BlobHeader) + sizeof(MeshBlobHeader)) % sizeof(MeshNode) == 0);

Result<std::vector<std::byte>> MakeMeshBlob(const TriangleMesh& mesh);

// owner: keeps `bytes` as long as the mesh is there; without one, the caller does.
Result<std::unique_ptr<const TriangleMesh>> OpenMeshBlob(std::span<const std::byte> bytes,
                                                         BlobOwner owner);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_BLOB_H_
