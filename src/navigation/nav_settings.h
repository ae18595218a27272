// NavSettings: the agent that a navigation mesh is for, and how finely the world is looked at.
//
// An agent is an upright cylinder. The world is cut into square cells of kNavCellSide, and each
// cell into voxels. A mesh is for one agent: another radius or height needs a mesh of its own.
//
// Thread safety: plain data.
// Source: [rouwe2022], "Background NavMesh job": cells of 12.8 metres. The steps from triangles to
// polygons, and the limits of their numbers, are those of Recast.
// Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_SETTINGS_H_
#define NOWAIT_SRC_NAVIGATION_NAV_SETTINGS_H_

#include <compare>
#include <cstdint>

#include "src/base/result.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

inline constexpr float kNavCellSide = 12.8f;  // metres
// Cells lie within this distance of the origin, on each axis: farther out a float has too few
// digits for two cells to agree on their border.
inline constexpr float kNavReach = 10'240.0f;  // metres

struct NavSettings {
  float agent_radius = 0.4f;  // metres, 0.05 .. 8
  float agent_height = 1.8f;  // metres, 0.2 .. 20
  float max_climb = 0.4f;     // metres of a step, above zero, below the agent's height
  float max_slope = 1.0f;     // metres up in a metre, above zero, at most 10; 1 is 45 degrees
  float voxel = 0.2f;         // metres along x and z; a cell has a whole number of them, 16 .. 256
  float voxel_height = 0.1f;  // metres, 0.02 .. the climb

  friend bool operator==(const NavSettings&, const NavSettings&) = default;
};

// kInvalidArgument names the field that is out of range: "agent radius", "agent height", "max
// climb", "max slope", "voxel", "voxel height".
Result<void> Validate(const NavSettings& settings);

// The settings in voxels, as Recast takes them.
struct NavVoxels {
  std::int32_t side = 0;       // of a cell
  std::int32_t clearance = 0;  // from obstacles to the polygons; see nav_settings.cc
  std::int32_t border = 0;     // around a cell, so that its neighbour comes to the same edge
  std::int32_t height = 0;     // of the agent, rounded up
  std::int32_t climb = 0;      // rounded down

  // How far a polygon's outer edge may be from the voxels, in voxels.
  static constexpr float kEdgeError = 0.75f;
};
NavVoxels VoxelsOf(const NavSettings& settings);

// A cell by its place: from (x, z) to (x + 1, z + 1) times kNavCellSide.
struct NavCellId {
  std::int32_t x = 0;
  std::int32_t z = 0;

  friend auto operator<=>(const NavCellId&, const NavCellId&) = default;
};

// Whether a mesh may have the place; false if it is not finite.
bool IsInNavReach(Vec3 place);
// The cell in which a place is. place: in reach.
NavCellId NavCellAt(Vec3 place);
// Whether the cell lies within kNavReach.
bool IsInReach(NavCellId cell);
// From the bottom of the world to its top.
Bounds<3> BoundsOf(NavCellId cell);
// Along x and z, in metres; zero inside.
float DistanceTo(NavCellId cell, Vec3 place);

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_SETTINGS_H_
