#include "src/collision/convex_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "src/base/or_no_memory.h"
#include "src/collision/hull_mass.h"
#include "src/collision/principal_axes.h"
#include "src/math/double3.h"

namespace nowait {
namespace {

// A plane along the face that has all vertices below. The normal by Newell's method, which takes
// all corners alike.
HullPlane PlaneOf(std::span<const std::uint32_t> corners, std::span<const Vec3> vertices) {
  const Double3 first = ToDouble(vertices[corners[0]]);
  Double3 sum;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    sum = sum +
          Cross(ToDouble(vertices[corners[i - 1]]) - first, ToDouble(vertices[corners[i]]) - first);
  }
  HullPlane plane;
  plane.normal = ToFloat(sum * (1.0 / Length(sum)));
  plane.offset = Dot(plane.normal, vertices[0]);
  for (const Vec3& vertex : vertices) {
    plane.offset = std::max(plane.offset, Dot(plane.normal, vertex));
  }
  return plane;
}

// Behind what is there, at a multiple of the alignment of T; the place.
template <class T>
std::uint32_t Append(std::vector<std::byte>& block, const std::vector<T>& values) {
  block.resize((block.size() + alignof(T) - 1) / alignof(T) * alignof(T));
  const std::size_t at = block.size();
  block.resize(at + values.size() * sizeof(T));
  std::memcpy(block.data() + at, values.data(), values.size() * sizeof(T));
  return static_cast<std::uint32_t>(at);
}

}  // namespace

Result<std::unique_ptr<const ConvexHull>> ConvexHull::Create(const ConvexHullDef& def) {
  const Result<HullFaces> faces = BuildHull(def.points);
  if (!faces) return std::unexpected(faces.error());
  return OrNoMemory([&]() -> Result<std::unique_ptr<const ConvexHull>> {
    const HullMass mass = MassOfHull(*faces);
    std::vector<Vec3> vertices;
    for (const Vec3& vertex : faces->vertices) {
      const Double3 from = ToDouble(vertex) - mass.centre;
      vertices.push_back(
          ToFloat({Dot(mass.axes[0], from), Dot(mass.axes[1], from), Dot(mass.axes[2], from)}));
    }
    return Assemble(vertices, *faces,
                    {.volume = static_cast<float>(mass.volume),
                     .inertia = ToFloat(mass.inertia),
                     .centre = ToFloat(mass.centre),
                     .rotation = RotationTo(mass.axes)});
  });
}

std::unique_ptr<const ConvexHull> ConvexHull::Assemble(const std::vector<Vec3>& vertices,
                                                       const HullFaces& faces, const Solid& solid) {
  Header header{};
  header.solid = solid;
  for (const Vec3& vertex : vertices) header.radius = std::max(header.radius, Length(vertex));
  std::vector<HullPlane> planes;
  for (std::size_t face = 0; face < faces.count(); ++face) {
    planes.push_back(PlaneOf(faces.CornersOf(face), vertices));
  }
  std::vector<std::byte> block(sizeof(Header));
  header.vertices = static_cast<std::uint32_t>(vertices.size());
  header.faces = static_cast<std::uint32_t>(planes.size());
  header.vertices_at = Append(block, vertices);
  header.planes_at = Append(block, planes);
  header.first_at =
      Append(block, std::vector<std::uint16_t>(faces.first.begin(), faces.first.end()));
  header.corners_at =
      Append(block, std::vector<std::uint8_t>(faces.corners.begin(), faces.corners.end()));
  header.bytes = static_cast<std::uint32_t>(block.size());
  std::memcpy(block.data(), &header, sizeof(header));

  auto hull = std::unique_ptr<ConvexHull>(new ConvexHull);
  hull->block_ = std::make_unique<std::byte[]>(block.size());
  std::memcpy(hull->block_.get(), block.data(), block.size());
  hull->vertex_rows_ = VectorRows(vertices);
  std::vector<Vec3> normals;
  for (const HullPlane& plane : planes) normals.push_back(plane.normal);
  hull->normal_rows_ = VectorRows(normals);
  return hull;
}

std::size_t ConvexHull::SupportOf(const Double3& direction) const {
  return vertex_rows_.FurthestIn(direction);
}

std::size_t ConvexHull::FaceTowards(Vec3 direction) const {
  return normal_rows_.FurthestIn(direction);
}

}  // namespace nowait
