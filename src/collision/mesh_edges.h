// ActiveEdges: the edges of a mesh that a body can touch alone.
//
// Where two triangles meet in a plane or in a valley, a body that is near their common edge is as
// near to one of the triangles, and a contact with the edge would be one too many: it points along
// the floor and stops a sliding body. Such an inner edge is not active. An edge is active where the
// surface bends outwards, at a border, where more than two triangles meet, and where two triangles
// disagree about the front.
//
// Thread safety: a pure function; any thread. Complexity: n log n.
// Source: the name, and the marks made in advance: J. Rouwe, Jolt Physics, "Architecture",
// section "Ghost Collisions". Lecture: mesh contacts and inner edges.
#ifndef NOWAIT_SRC_COLLISION_MESH_EDGES_H_
#define NOWAIT_SRC_COLLISION_MESH_EDGES_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "src/math/vec3.h"

namespace nowait {

using MeshCorners = std::array<std::uint32_t, 3>;  // of one triangle

// An edge that bends outwards by a smaller angle than this (the sine) is level.
inline constexpr double kLevelEdge = 1e-4;

// For each triangle: bit e, whether the edge from its corner e to the next one is active. The
// triangles have areas.
std::vector<std::uint8_t> ActiveEdges(std::span<const MeshCorners> triangles,
                                      std::span<const Vec3> vertices);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_EDGES_H_
