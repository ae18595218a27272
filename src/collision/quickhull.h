// BuildHull: the convex hull of points, as polygons.
//
//   const Result<HullFaces> faces = BuildHull(points);
//
// Quickhull starts with a tetrahedron and keeps, for each face, the points outside of it. The
// furthest point of a face joins the hull: the faces that see it go, and a fan around it closes the
// horizon that they leave. The points of the faces that went are shared out among the fan.
//
// Points less than kCloseness above the faces are left out: duplicates, points on a face or on an
// edge, and the dents that rounding leaves in a flat side. Neighbouring triangles within kFlatness
// of one plane become one polygon. Beside an edge with an angle a between its faces, a point that
// is left out for either reason may be farther from the hull by 1 / sin(a / 2).
//
// Thread safety: a pure function; any thread.
// Errors: kInvalidArgument "points": the index of a point that is not finite or too far away, or
// the number of points where it is too small or too large, or where all lie at one place, on a line
// or in a plane; kCapacity "hull vertices" and "memory".
// Complexity: n log n expected, for n points; a point for each of n faces at worst.
// Determinism: the result depends on the points and their order alone.
//
// Source: [barber1996]. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_QUICKHULL_H_
#define NOWAIT_SRC_COLLISION_QUICKHULL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/math/vec3.h"

namespace nowait {

struct HullFaces {
  std::vector<Vec3> vertices;          // of the points, each once, in their order
  std::vector<std::uint32_t> corners;  // of all faces; counter-clockwise seen from outside
  std::vector<std::uint32_t> first;    // of each face in `corners`, and one more at the end

  std::size_t count() const { return first.size() - 1; }
  std::span<const std::uint32_t> CornersOf(std::size_t face) const {
    return std::span(corners).subspan(first[face], first[face + 1] - first[face]);
  }
};

inline constexpr std::size_t kMaxHullPoints = 65'536;
inline constexpr std::size_t kMaxHullVertices = 255;
inline constexpr float kFarthestHullPoint = 1e4f;  // metres from the origin, on each axis
inline constexpr float kLeastHullSize = 1e-3f;     // metres: the longest side of the box of points
// Of that longest side, and no less than the rounding of coordinates far from the origin.
inline constexpr double kCloseness = 1e-6;
inline constexpr double kFlatness = 2e-5;
inline constexpr double kLeastThickness = 1e-4;
// However far away the points are, the faces are no less flat.
inline constexpr double kMostFlatness = 1e-4;

Result<HullFaces> BuildHull(std::span<const Vec3> points);

}  // namespace nowait

// Implementation: why this is right
//
// Invariants: (1) the triangles are a closed surface, each edge between two of them; (2) no vertex
// lies above the plane of a triangle; (3) a point that waits lies above the triangle whose it is.
//
// Rounding breaks the second one in a quickhull of floats: of two neighbours that are nearly in one
// plane, one sees a point and the other does not, and the horizon is no simple loop. Here the
// points stand on a grid of 2^30 steps along the longest side, finer than the floats are, and the
// side of a plane on which a point lies is an exact integer of at most 94 bits. A face sees a point
// strictly above its plane alone. The faces of one plane see the same points, and a point in the
// plane of a face that went cannot be above it: no triangle of a fan is without area. Distances
// decide only which points are worth an addition, and there rounding does no harm.

#endif  // NOWAIT_SRC_COLLISION_QUICKHULL_H_
