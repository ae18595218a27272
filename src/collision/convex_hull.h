// ConvexHull: a convex polyhedron made from points, which many bodies may have as their shape.
//
//   const auto hull = ConvexHull::Create({.points = points});
//   if (!hull) return std::unexpected(hull.error());
//   def.shape = Shape::Hull(hull->get());
//   def.position = position + Rotate(rotation, (*hull)->centre());
//   def.rotation = rotation * (*hull)->rotation();
//
// A body's frame has its centre of mass at the origin and its principal axes of inertia as axes.
// So the hull is moved and turned into that frame: centre() and rotation() say where the frame is,
// seen from the points. It is not turned where the points' axes are principal ones already.
//
// Its vertices, planes and faces are plain data in one block, with offsets and without pointers.
// A plane touches the hull and has all of it below; a face is a loop of vertices, which lie in its
// plane within a few kFlatness of the hull's size; of points far from the origin, whose rounding is
// larger than that, within a few kMostFlatness (quickhull.h). HullBlob relies on 1e-3 of radius().
//
// Thread safety: immutable after Create; any thread.
// Errors: those of BuildHull.
// Complexity: of Create, as BuildHull; a hull has at most 255 vertices and 506 faces.
//
// Source: [barber1996]. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_CONVEX_HULL_H_
#define NOWAIT_SRC_COLLISION_CONVEX_HULL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/collision/quickhull.h"
#include "src/collision/vector_rows.h"
#include "src/math/double3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct ConvexHullDef {
  std::span<const Vec3> points;  // 4 .. 65,536, not all in one plane; within 10,000 metres
};

// The half space where Dot(normal, p) <= offset.
struct HullPlane {
  Vec3 normal;  // of length one
  float offset;
};

class ConvexHull {
 public:
  static Result<std::unique_ptr<const ConvexHull>> Create(const ConvexHullDef& def);

  // In the body's frame.
  std::span<const Vec3> vertices() const {
    return Part<Vec3>(header().vertices_at, header().vertices);
  }
  std::span<const HullPlane> planes() const {  // one for each face
    return Part<HullPlane>(header().planes_at, header().faces);
  }
  // The vertices of a face, counter-clockwise seen from outside.
  std::span<const std::uint8_t> CornersOf(std::size_t face) const {
    const auto first = Part<std::uint16_t>(header().first_at, header().faces + 1);
    return Part<std::uint8_t>(header().corners_at + first[face], first[face + 1] - first[face]);
  }

  // The vertex furthest in `direction`; of equals the first. Linear in the vertices.
  std::size_t SupportOf(const Double3& direction) const;
  // The face whose normal is nearest to `direction`; of equals the first.
  std::size_t FaceTowards(Vec3 direction) const;

  float volume() const { return header().solid.volume; }
  Vec3 inertia() const { return header().solid.inertia; }  // about the axes, of a density of one
  float radius() const { return header().radius; }         // of the ball about the centre

  // Where a point p of the body's frame was: centre + Rotate(rotation, p).
  Vec3 centre() const { return header().solid.centre; }
  Quat rotation() const { return header().solid.rotation; }

  std::span<const std::byte> block() const { return {block_.get(), header().bytes}; }

 private:
  friend class HullBlobReader;

  struct Solid {
    float volume = 0.0f;
    Vec3 inertia, centre;
    Quat rotation;
  };
  struct Header {
    std::uint32_t bytes, vertices, faces;                        // sizes
    std::uint32_t vertices_at, planes_at, first_at, corners_at;  // offsets from the header
    float radius;
    Solid solid;
  };

  ConvexHull() = default;
  // vertices: in the body's frame. faces: their corners; its own vertices are not read.
  static std::unique_ptr<const ConvexHull> Assemble(const std::vector<Vec3>& vertices,
                                                    const HullFaces& faces, const Solid& solid);

  const Header& header() const { return *reinterpret_cast<const Header*>(block_.get()); }
  template <class T>
  std::span<const T> Part(std::uint32_t at, std::uint32_t count) const {
    return {reinterpret_cast<const T*>(block_.get() + at), count};
  }

  std::unique_ptr<std::byte[]> block_;
  VectorRows vertex_rows_;  // what SupportOf scans
  VectorRows normal_rows_;  // of the faces: what FaceTowards scans
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CONVEX_HULL_H_
