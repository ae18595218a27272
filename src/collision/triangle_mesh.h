// TriangleMesh: a surface of triangles, which bodies that do not move may have as their shape.
//
//   const auto mesh = TriangleMesh::Create({.vertices = places, .indices = corners});
//   if (!mesh) return std::unexpected(mesh.error());
//   def.type = BodyType::kStatic;
//   def.shape = Shape::Mesh(mesh->get());
//
// A triangle has a front: the side from which its corners run counter-clockwise. Bodies, rays and
// casts meet it from there and pass through its back; so a closed mesh is solid, and a sheet that
// has to hold on both sides is given twice. The surface encloses nothing: a body whose centre has
// got behind it is not pushed out again.
//
// Vertices at the same place are one vertex. Triangles without area are left out and counted
// (`dropped`): they have no normal, exported meshes are full of them, and the triangles beside them
// cover the surface. An edge is active where a body can touch it alone: at a border, where the
// surface bends outwards, and where more than two triangles meet (mesh_features.h).
//
// As a blob a mesh is used where it lies: mesh_blob.h.
//
// Thread safety: immutable after Create; any thread. No allocation after Create.
// Errors: kInvalidArgument "mesh vertex" or "mesh index", with its place in the list as `amount`,
// "mesh indices" or "mesh triangles" with their number; kCapacity "mesh triangles", "mesh vertices"
// or "memory"; those of surface_materials.h.
// Complexity: of Create, n log n. Memory: 64 bits a triangle, 12 bytes a vertex, and the tree.
// Lecture: mesh contacts and inner edges.
#ifndef NOWAIT_SRC_COLLISION_TRIANGLE_MESH_H_
#define NOWAIT_SRC_COLLISION_TRIANGLE_MESH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "src/base/result.h"
#include "src/collision/mesh_tree.h"
#include "src/collision/shared_array.h"
#include "src/collision/surface_materials.h"
#include "src/math/bounds.h"
#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

struct TriangleMeshDef {
  std::span<const Vec3> vertices;          // within 10,000 metres
  std::span<const std::uint32_t> indices;  // three vertices for each triangle
  SurfaceMaterialsDef materials = {};      // of the triangles, as they are given
};

class TriangleMesh {
 public:
  static constexpr std::uint32_t kMaxTriangles = MeshTree::kMaxTriangles;
  static constexpr std::uint32_t kMaxVertices = 1u << 20;  // at different places
  static constexpr float kFarthest = 1e4f;                 // metres, of a vertex along an axis

  static Result<std::unique_ptr<const TriangleMesh>> Create(const TriangleMeshDef& def);

  // Copied by the walk; its vertices are in the mesh's frame.
  struct Triangle {
    std::uint32_t id;  // in the order of the tree, below triangles()
    std::array<Vec3, 3> vertices;
    Vec3 normal;          // of length one, to the front
    std::uint32_t edges;  // bit e: the edge from vertex e to the next is active
  };

  std::uint32_t triangles() const { return static_cast<std::uint32_t>(triangles_.size()); }
  std::uint32_t vertices() const { return static_cast<std::uint32_t>(vertices_.size()); }
  std::uint32_t dropped() const { return dropped_; }
  const MeshTree& tree() const { return tree_; }
  const SurfaceMaterials& materials() const { return materials_; }  // by the triangle's id
  const Bounds<3>& bounds() const { return tree_.bounds(); }

  // How far apart two computations of one place of the surface may be, in metres.
  float rounding() const { return rounding_; }
  // Of the triangles, the vertices, the materials and the tree.
  std::size_t bytes() const;

  // A triangle as it lies in memory and in a blob.
  struct Packed {
    std::uint64_t word;  // three vertices of twenty bits each, and three bits for the edges

    std::uint32_t Corner(std::uint32_t i) const {
      return static_cast<std::uint32_t>(word >> 20 * i) & (kMaxVertices - 1);
    }
    std::uint32_t edges() const { return static_cast<std::uint32_t>(word >> 60) & 7u; }
  };
  std::span<const Packed> packed() const { return triangles_.all(); }
  std::span<const Vec3> places() const { return vertices_.all(); }

  // Whether the triangle has a normal that floats have room for. Others are left out.
  static bool HasArea(const std::array<Vec3, 3>& vertices);

  std::array<std::uint32_t, 3> CornersOf(std::uint32_t id) const {
    return {triangles_[id].Corner(0), triangles_[id].Corner(1), triangles_[id].Corner(2)};
  }
  Vec3 Vertex(std::uint32_t vertex) const { return vertices_[vertex]; }
  std::array<Vec3, 3> PlacesOf(std::uint32_t id) const {
    const Packed& packed = triangles_[id];
    return {vertices_[packed.Corner(0)], vertices_[packed.Corner(1)], vertices_[packed.Corner(2)]};
  }
  Triangle TriangleAt(std::uint32_t id) const;

  // Calls visit(triangle) for each triangle whose own box overlaps `box`, in the order of the tree.
  // Linear in the triangles of the leaves that it meets.
  template <class Visit>
  void VisitTriangles(const Bounds<3>& box, Visit visit) const;

 private:
  friend class TriangleMeshBuilder;
  friend class MeshBlobReader;

  TriangleMesh() = default;
  void FindRounding();  // from the tree's bounds

  SharedArray<Packed> triangles_;
  SharedArray<Vec3> vertices_;
  MeshTree tree_;
  SurfaceMaterials materials_;
  float rounding_ = 0.0f;
  std::uint32_t dropped_ = 0;
};

// In doubles: the sides of a needle are nearly parallel.
inline Vec3 NormalOf(const std::array<Vec3, 3>& vertices) {
  const Double3 from = ToDouble(vertices[0]);
  const Double3 normal = Cross(ToDouble(vertices[1]) - from, ToDouble(vertices[2]) - from);
  return ToFloat(normal * (1.0 / Length(normal)));
}

inline TriangleMesh::Triangle TriangleMesh::TriangleAt(std::uint32_t id) const {
  const std::array<Vec3, 3> places = PlacesOf(id);
  return {id, places, NormalOf(places), triangles_[id].edges()};
}

template <class Visit>
void TriangleMesh::VisitTriangles(const Bounds<3>& box, Visit visit) const {
  tree_.VisitLeaves(box, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t id = first; id < first + count; ++id) {
      const std::array<Vec3, 3> places = PlacesOf(id);
      const auto& [a, b, c] = places;
      if (!Overlaps(box, ToBounds(Min(Min(a, b), c), Max(Max(a, b), c)))) continue;
      visit(Triangle{id, places, NormalOf(places), triangles_[id].edges()});
    }
  });
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_TRIANGLE_MESH_H_
