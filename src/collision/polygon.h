// Polygon: a convex polygon of a few vertices that is clipped plane by plane, and whose vertices
// remember which edges and planes made them.
//
// Source: I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping", CACM 17(1), 1974.
#ifndef NOWAIT_SRC_COLLISION_POLYGON_H_
#define NOWAIT_SRC_COLLISION_POLYGON_H_

#include <array>
#include <cstdint>

#include "src/math/vec3.h"

namespace nowait {

struct PolygonVertex {
  Vec3 position;
  std::uint32_t feature =
      0;                   // 0 .. 3: a vertex of the start; 16 + 4 * edge + plane: a cut; below 64
  std::uint32_t edge = 0;  // to the next vertex; 0 .. 3: of the start; 4 + plane: made by a cut
};

class Polygon {
 public:
  // A face of four vertices and at most four planes: each plane adds at most one vertex.
  static constexpr std::uint32_t kMaxVertices = 8;

  void Add(Vec3 position) {
    vertices_[count_] = {position, count_, count_};
    ++count_;
  }

  std::uint32_t count() const { return count_; }
  const PolygonVertex& operator[](std::uint32_t i) const { return vertices_[i]; }

  // Keeps the part where Dot(normal, p) <= offset. plane: its number, 0 .. 3, each used once.
  void Clip(Vec3 normal, float offset, std::uint32_t plane);

 private:
  std::uint32_t count_ = 0;
  std::array<PolygonVertex, kMaxVertices> vertices_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_POLYGON_H_
